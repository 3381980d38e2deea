"""Decoding for any model with the face `encode`, `initial_state`, `step`."""

from attention_book.decoding.beam import BeamDecoded, BeamTree, Hypothesis, beam
from attention_book.decoding.greedy import Decoded, greedy, write_greedily
from attention_book.decoding.forced import ForcedDecoding, forced_decoding

__all__ = [
    "BeamDecoded",
    "BeamTree",
    "Decoded",
    "Hypothesis",
    "ForcedDecoding",
    "beam",
    "greedy",
    "forced_decoding",
    "write_greedily",
]
