"""Chapter 4's widgets."""

from attention_book.chapters.attention_layer.query_plane import (
    query_plane as _query_plane,
)
from attention_book.chapters.attention_layer.saturation import (
    saturation as _saturation,
)
from attention_book.widgets import Widget


def query_plane() -> Widget:
    """Drag a query among four keys; weights and output follow."""
    return _query_plane()


def saturation() -> Widget:
    """Show scores, weights and gradient by width, divided by its root and not."""
    return _saturation()
