"""Chapter 10's widgets."""

from attention_book.chapters.norm_and_residuals.norm_by_hand import (
    norm_by_hand as _norm_by_hand,
)
from attention_book.widgets import Widget


def norm_by_hand() -> Widget:
    """Drag the six numbers of a vector; mean, spread and output follow."""
    return _norm_by_hand()
