"""Chapter 5's widget."""

from attention_book.chapters.self_attention.step_by_step import (
    step_by_step as _step_by_step,
)
from attention_book.widgets import Widget


def step_by_step() -> Widget:
    """Walk through the five steps of self-attention with the lecture's scores."""
    return _step_by_step()
