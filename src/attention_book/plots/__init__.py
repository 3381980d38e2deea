"""Figures of the book: arrays in, Axes out, one style."""

from attention_book.plots.curves import bands
from attention_book.plots.diagrams import encoder_decoder, sequence_shapes
from attention_book.plots.heat_maps import attention_map
from attention_book.plots.masks import masks
from attention_book.plots.style import INK, PALETTE, use_style

__all__ = [
    "INK",
    "PALETTE",
    "attention_map",
    "bands",
    "encoder_decoder",
    "masks",
    "sequence_shapes",
    "use_style",
]
