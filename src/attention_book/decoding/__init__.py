"""Decoding for any model with the face `encode`, `initial_state`, `step`."""

from attention_book.decoding.beam import BeamDecoded, BeamTree, Hypothesis, beam
from attention_book.decoding.greedy import Decoded, greedy, write_greedily
from attention_book.decoding.reading import ReadAlong, read_along

__all__ = [
    "BeamDecoded",
    "BeamTree",
    "Decoded",
    "Hypothesis",
    "ReadAlong",
    "beam",
    "greedy",
    "read_along",
    "write_greedily",
]
