"""Decoding for any model with the face `encode`, `initial_state`, `step`: a Decodable.

Inputs are moved to where the model is; results lie on the CPU, where NumPy can read
them.
"""

from attention_book.decoding.beam import BeamDecoded, BeamTree, Hypothesis, beam
from attention_book.decoding.decodable import Decodable, Writer, lean
from attention_book.decoding.forced import ForcedDecoding, forced_decoding
from attention_book.decoding.greedy import Decoded, greedy, write_greedily
from attention_book.decoding.sampling import chances, sample, uniform_draws

__all__ = [
    "BeamDecoded",
    "BeamTree",
    "Decodable",
    "Decoded",
    "ForcedDecoding",
    "Hypothesis",
    "Writer",
    "beam",
    "chances",
    "forced_decoding",
    "greedy",
    "lean",
    "sample",
    "uniform_draws",
    "write_greedily",
]
