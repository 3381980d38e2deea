"""A GPT that goes on with documentation strings [radford2018improving]."""

from dataclasses import dataclass
from typing import Any

from jaxtyping import Int
from torch import Tensor

from attention_book.chapters.generation.docstring_pieces import (
    N_characters,
    encode,
    ids,
    pieces,
)
from attention_book.chapters.generation.experiments.compression import compared
from attention_book.chapters.generation.tasks.next_word import NextWord
from attention_book.data import TextPieces, Vocabulary
from attention_book.runs import NextInText, gpt_bits

OWN = (  # strings that no library holds
    "Return the number of words in a text, or None if the text is empty.",
    "Open the window that was closed last, and wait until it is drawn.\n\n"
    "    If there is no such window, ValueError is raised.",
)


@dataclass(frozen=True)
class Docstrings(NextInText, NextWord):
    """The next piece of the strings."""

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The pieces."""
        return {"source": pieces().vocabulary}

    @property
    def pieces(self) -> TextPieces:
        """What cuts the strings."""
        return pieces()

    def train(self) -> Int[Tensor, " N"]:
        """Give the ids of all pieces to train on."""
        return ids("train")

    def measure(self, model: Any) -> dict[str, Any]:
        """Bits per character of two strings of our own, the same with every Python."""
        return {"own strings": gpt_bits(model, encode(OWN)) / N_characters(OWN)}

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Bits per character of what is held out; see `compared`."""
        return {split: compared(model, split) for split in ("modules", "strings")}
