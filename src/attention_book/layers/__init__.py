"""Torch modules, each the subject of a section: written to be read, and used in training."""

from attention_book.layers.scores import (
    SCORES,
    BilinearScore,
    DotScore,
    MLPScore,
    attention_weights,
)
from attention_book.layers.grid import GridEncoder
from attention_book.layers.recurrent import GRU, BidirectionalGRU, GRUCell

__all__ = [
    "GRU",
    "SCORES",
    "BidirectionalGRU",
    "BilinearScore",
    "DotScore",
    "GRUCell",
    "GridEncoder",
    "MLPScore",
    "attention_weights",
]
