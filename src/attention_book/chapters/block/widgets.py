"""Chapter 11's widget."""

from attention_book.chapters.block.residual_stream import (
    residual_stream as _residual_stream,
)
from attention_book.widgets import Widget


def residual_stream() -> Widget:
    """Show what is added to the stream of a word, and the loss without a part."""
    return _residual_stream()
