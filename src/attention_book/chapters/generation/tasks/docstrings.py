"""A GPT that goes on with documentation strings [radford2018improving]."""

from dataclasses import dataclass
from typing import Any

from jaxtyping import Int
from torch import Tensor, nn

from attention_book import models
from attention_book.chapters.generation import in_page
from attention_book.chapters.generation.docstrings import (
    N_PIECES,
    N_characters,
    encode,
    ids,
    pieces,
)
from attention_book.chapters.generation.experiments.docstrings import (
    PROMPT,
    compared,
    samples,
)
from attention_book.data import Vocabulary
from attention_book.networks.program import Traced
from attention_book.runs import NextInText, gpt_bits

OWN = (  # strings that no library holds
    "Return the number of words in a text, or None if the text is empty.",
    "Open the window that was closed last, and wait until it is drawn.\n\n"
    "    If there is no such window, ValueError is raised.",
)


@dataclass(frozen=True)
class Docstrings(NextInText):
    """The next piece of the strings."""

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The pieces."""
        return {"source": pieces().vocabulary}

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return models.GPT(models.GPTConfig(N_PIECES, **self.sizes))

    def train(self) -> Int[Tensor, " N"]:
        """Give the ids of all pieces to train on."""
        return ids("train")

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model."""
        return in_page.calls(model)

    def keep(self, model: Any) -> dict[str, Any]:
        """What it writes: three strings for each way to draw, from one prompt."""
        return {"prompt": PROMPT, "written": samples(model)}

    def measure(self, model: Any) -> dict[str, Any]:
        """Bits per character of two strings of our own, the same with every Python."""
        return {"own strings": gpt_bits(model, encode(OWN)) / N_characters(OWN)}

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Bits per character of what is held out; see `compared`."""
        return {split: compared(model, split) for split in ("modules", "strings")}
