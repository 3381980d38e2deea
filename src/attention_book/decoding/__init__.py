"""Decoding for any model with the face `encode`, `initial_state`, `step`."""

from attention_book.decoding.greedy import Decoded, greedy

__all__ = ["Decoded", "greedy"]
