"""Torch modules, each the subject of a section: written to be read, and used in training."""

from attention_book.layers.recurrent import GRU, GRUCell

__all__ = ["GRU", "GRUCell"]
