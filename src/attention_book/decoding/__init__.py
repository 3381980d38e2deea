"""Decoding for any model with the face `encode`, `initial_state`, `step`."""

from attention_book.decoding.greedy import Decoded, greedy, write_greedily

__all__ = ["Decoded", "greedy", "write_greedily"]
