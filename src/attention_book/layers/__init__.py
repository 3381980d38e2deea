"""Torch modules, each the subject of a section: to be read, and used in training."""

from attention_book.layers.grid import GridEncoder
from attention_book.layers.recurrent import (
    GRU,
    BidirectionalGRU,
    GRUCell,
    Stack,
    stacked,
)
from attention_book.layers.scores import (
    SCORES,
    AdditiveScore,
    BilinearScore,
    DotScore,
    GeneralScore,
    MLPScore,
    attention_weights,
)

__all__ = [
    "GRU",
    "SCORES",
    "AdditiveScore",
    "BidirectionalGRU",
    "BilinearScore",
    "DotScore",
    "GRUCell",
    "GeneralScore",
    "GridEncoder",
    "MLPScore",
    "Stack",
    "attention_weights",
    "stacked",
]
