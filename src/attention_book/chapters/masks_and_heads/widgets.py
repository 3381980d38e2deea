"""Chapter 7's widgets."""

from attention_book.chapters.masks_and_heads.mask_and_heads import (
    mask_and_heads as _mask_and_heads,
)
from attention_book.widgets import Widget


def mask_and_heads() -> Widget:
    """Let the reader paint a mask; show the weights of one to four heads under it."""
    return _mask_and_heads()
