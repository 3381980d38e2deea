"""A corpus in English, French and Spanish: one grammar says the same in all three."""

from ..pairs import Pair
from .corpora import BUCKETS, Corpus, corpus, held_out_pairs
from .forms import vocabulary
from .languages import (
    COPIES,
    LANGUAGES,
    TAUGHT,
    ZERO_SHOT,
    joint_vocabularies,
    spoken,
    tag,
    tagged,
    training_pairs,
    triples,
)
from .triple import Triple, classic, sentence

__all__ = [
    "BUCKETS",
    "COPIES",
    "LANGUAGES",
    "TAUGHT",
    "ZERO_SHOT",
    "Corpus",
    "Pair",
    "Triple",
    "classic",
    "corpus",
    "held_out_pairs",
    "joint_vocabularies",
    "sentence",
    "spoken",
    "tag",
    "tagged",
    "training_pairs",
    "triples",
    "vocabulary",
]
