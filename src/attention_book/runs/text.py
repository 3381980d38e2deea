"""To say the next word, and to go on with Python's documentation strings, as tasks.

A chapter's task adds the model, the ids of its text, and what it measures.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import log
from platform import python_version
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Generator, Tensor

from attention_book.data import PAD, START
from attention_book.data.docstrings import checksum
from attention_book.decoding.mode import evaluating
from attention_book.runs.task import OtherData, Task

RECORDED_ON = {"text": "8cd79ddf86fec90f", "python": "3.11.7"}  # fields of the task
AT_ONCE = 64  # windows


@dataclass(frozen=True)
class NextWord(Task):
    """Every next word of texts, padding aside; `sizes` are of the model."""

    sizes: Mapping[str, int | float | bool] = field(default_factory=dict)

    def loss(self, model: Any, batch: Int[Tensor, "B N"]) -> Float[Tensor, ""]:
        """Mean surprise at the next word."""
        return F.cross_entropy(model(batch[:, :-1]).mT, batch[:, 1:], ignore_index=PAD)


@dataclass(frozen=True)
class NextInText(NextWord):
    """What comes next, everywhere in a window of the text.

    `text` is the checksum of the strings that it is trained on, and `python` the
    version that has them; another text is refused, unless `text` is empty.
    """

    N_batch: int = 10
    text: str = ""
    python: str = ""

    @abstractmethod
    def train(self) -> Int[Tensor, " N"]:
        """Give the ids of the text to train on."""

    def batches(self, seed: int, steps: int) -> Iterator[Int[Tensor, "B N"]]:
        """Windows of the text, one id longer than what the model reads."""
        if self.text not in ("", checksum()):
            raise OtherData(
                f"the documentation strings of Python {python_version()} are others "
                f"than those of {self.python}, which this recipe is trained on"
            )
        text, rng = self.train(), Generator().manual_seed(seed)
        window = torch.arange(self.sizes["N_positions"] + 1)
        while True:
            first = torch.randint(
                len(text) - len(window) + 1, (self.N_batch, 1), generator=rng
            )
            yield text[first + window]


def gpt_bits(model: Any, text: Int[Tensor, " N"]) -> float:
    """How surprising a text is to a GPT, in bits.

    It reads windows that overlap by half, and is asked for what is new in each, so that
    it sees half a window or more before what it is asked for. [START] is not asked for,
    since it must stand where it stands.
    """
    half = model.config.N_positions // 2
    N = len(text) - 1
    rows = max(1, -(-N // half) - 1)  # windows
    filled = F.pad(text, (0, (rows + 1) * half - N), value=PAD)
    windows = filled.unfold(0, 2 * half + 1, half)
    asked = windows[:, 1:].masked_fill(windows[:, 1:] == START, PAD)
    asked[1:, :half] = PAD
    with evaluating(model):
        nats = sum(
            F.cross_entropy(
                model(read).mT, answers, ignore_index=PAD, reduction="sum"
            ).item()
            for read, answers in zip(
                windows[:, :-1].split(AT_ONCE), asked.split(AT_ONCE), strict=True
            )
        )
    return nats / log(2)
