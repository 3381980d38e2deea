"""A GPT that goes on with documentation strings [radford2018improving]."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from platform import python_version
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn

from attention_book import models
from attention_book.chapters.generation import in_page
from attention_book.chapters.generation.docstrings import (
    N_PIECES,
    N_characters,
    checksum,
    encode,
    ids,
    pieces,
)
from attention_book.chapters.generation.experiments.docstrings import (
    PROMPT,
    compared,
    gpt_bits,
    samples,
)
from attention_book.data import Vocabulary
from attention_book.networks.program import Traced
from attention_book.runs import OtherData, Task

OWN = (  # strings that no library holds
    "Return the number of words in a text, or None if the text is empty.",
    "Open the window that was closed last, and wait until it is drawn.\n\n"
    "    If there is no such window, ValueError is raised.",
)


@dataclass(frozen=True)
class NextInText(Task):
    """What comes next, everywhere in a window of the documentation strings.

    `text` is the checksum of the strings that it is trained on, and `python` the
    version that has them; another text is refused, unless `text` is empty.
    """

    sizes: Mapping[str, int | float] = field(default_factory=dict)  # of the model
    N_batch: int = 10
    text: str = ""
    python: str = ""

    N_words: ClassVar[int]

    @abstractmethod
    def train(self) -> Int[Tensor, " N"]:
        """Give the ids of the text to train on."""

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return models.GPT(models.GPTConfig(self.N_words, **self.sizes))

    def batches(self, seed: int, steps: int) -> Iterator[Int[Tensor, "B N"]]:
        """Windows of the text, one id longer than what the model reads."""
        if self.text not in ("", checksum()):
            raise OtherData(
                f"the documentation strings of Python {python_version()} are others "
                f"than those of {self.python}, which this recipe is trained on"
            )
        text, rng = self.train(), Generator().manual_seed(seed)
        window = torch.arange(models.GPTConfig(1, **self.sizes).N_positions + 1)
        while True:
            first = torch.randint(
                len(text) - len(window) + 1, (self.N_batch, 1), generator=rng
            )
            yield text[first + window]

    def loss(self, model: Any, batch: Int[Tensor, "B N"]) -> Float[Tensor, ""]:
        """Mean surprise at what comes next."""
        logits = model(batch[:, :-1]).flatten(0, 1)
        return F.cross_entropy(logits, batch[:, 1:].flatten())


@dataclass(frozen=True)
class Docstrings(NextInText):
    """The next piece of the strings."""

    N_words: ClassVar[int] = N_PIECES

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The pieces."""
        return {"source": pieces().vocabulary}

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
