"""Python's documentation strings in pieces: these are kept, and do not differ from one
version of Python to the next, as the strings do.

    [START] Return the sum . [STOP] [START] Read a line ...
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from attention_book.data import START, STOP, TextPieces
from attention_book.data.docstrings import splits
from attention_book.shapes import check_choice

KEPT = Path(__file__).with_name("pieces.json")
N_PIECES = 1000


@cache
def pieces() -> TextPieces:
    """Load the pieces that the recorded networks read and write."""
    return TextPieces(KEPT.read_text("utf-8"))


def learned_pieces() -> TextPieces:
    """Learn pieces from the strings to train on: those that are kept, if the text is
    the one that they were learned from.
    """
    return TextPieces.learn(splits()["train"], size=N_PIECES)


def encode(strings: Sequence[str]) -> Int[Tensor, " N"]:
    """Give the ids of strings, one after the other, each from [START] to [STOP]."""
    cut = ([START, *pieces().encode(each), STOP] for each in strings)
    return torch.tensor(list(chain.from_iterable(cut)), dtype=torch.long)


@cache
def ids(split: str) -> Int[Tensor, " N"]:
    """Give the ids of a split; nobody should write into them."""
    check_choice("split", split, splits())
    return encode(splits()[split])


def N_characters(strings: Sequence[str]) -> int:
    """Count the characters of strings, and one for the end of each."""
    return sum(len(each) + 1 for each in strings)


def read_as(piece: str) -> str:
    """A piece as it is read out, in a text: with its blanks and ends of lines."""
    return piece.replace("Ġ", " ").replace("Ċ", "\n")


def shown_as(piece: str) -> str:
    """A piece as the figure shows it: ▁ for a blank, ⏎ for the end of a line."""
    marked = piece.replace("Ġ", "▁").replace("Ċ", "⏎")
    return re.sub("▁{4,}", lambda found: f"▁×{len(found[0])}", marked)
