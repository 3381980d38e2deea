"""A trilingual corpus with gold alignments: one grammar that says the same thing in English, French and Spanish."""

from ..pairs import Pair
from .corpora import BUCKETS, Corpus, corpus, held_out_pairs
from .forms import vocabulary
from .triple import Triple, classic, sentence

__all__ = [
    "BUCKETS",
    "Corpus",
    "Pair",
    "Triple",
    "classic",
    "corpus",
    "held_out_pairs",
    "sentence",
    "vocabulary",
]
