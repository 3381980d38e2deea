"""A corpus in English, French and Spanish: one grammar says the same in all three."""

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
