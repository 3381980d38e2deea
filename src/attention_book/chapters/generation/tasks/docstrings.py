"""A GPT that goes on with documentation strings [radford2018improving]."""

from collections.abc import Iterator
from dataclasses import dataclass
from platform import python_version
from typing import Any

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from attention_book import models
from attention_book.chapters.generation.docstrings import (
    N_characters,
    checksum,
    encode,
    ids,
    pieces,
)
from attention_book.chapters.generation.experiments.docstrings import (
    compared,
    gpt_bits,
)
from attention_book.chapters.generation.tasks.next_word import NextWord
from attention_book.data import Vocabulary
from attention_book.runs import OtherData

OWN = (  # strings that no library holds
    "Return the number of words in a text, or None if the text is empty.",
    "Open the window that was closed last, and wait until it is drawn.\n\n"
    "    If there is no such window, ValueError is raised.",
)


@dataclass(frozen=True)
class Docstrings(NextWord):
    """The next piece, everywhere in a window of the text.

    `text` is the checksum of the strings that it is trained on, and `python` the
    version that has them; another text is refused, unless `text` is empty.
    """

    N_batch: int = 10
    text: str = ""
    python: str = ""

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The pieces."""
        return {"source": pieces().vocabulary}

    def batches(self, seed: int, steps: int) -> Iterator[Int[Tensor, "B N"]]:
        """Windows of the text, one piece longer than what the model reads."""
        if self.text not in ("", checksum()):
            raise OtherData(
                f"the documentation strings of Python {python_version()} are others "
                f"than those of {self.python}, which this recipe is trained on"
            )
        text, rng = ids("train"), Generator().manual_seed(seed)
        window = torch.arange(models.GPTConfig(1, **self.sizes).N_positions + 1)
        while True:
            first = torch.randint(
                len(text) - len(window) + 1, (self.N_batch, 1), generator=rng
            )
            yield text[first + window]

    def measure(self, model: Any) -> dict[str, Any]:
        """Bits per character of two strings of our own, the same with every Python."""
        return {"own strings": gpt_bits(model, encode(OWN)) / N_characters(OWN)}

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Bits per character of what is held out; see `compared`."""
        return {split: compared(model, split) for split in ("modules", "strings")}
