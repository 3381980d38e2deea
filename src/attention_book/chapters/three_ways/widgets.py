"""Chapter 8's widget."""

from attention_book.chapters.three_ways.receptive_field import (
    receptive_field as _receptive_field,
)
from attention_book.widgets import Widget


def receptive_field() -> Widget:
    """Show what an output sees after some layers of each kind, and in which step."""
    return _receptive_field()
