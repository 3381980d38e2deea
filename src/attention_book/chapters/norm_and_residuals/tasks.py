"""What chapter 10's recorded stacks learn: the next word of a stream of sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, nn

from attention_book.chapters.norm_and_residuals.model import DeepConfig, DeepModel
from attention_book.chapters.norm_and_residuals.sentences import (
    N_MAX,
    WORDS,
    pieces,
    streams,
)
from attention_book.data import Batch, Vocabulary
from attention_book.decoding.mode import evaluating
from attention_book.runs import Task
from attention_book.training import token_cross_entropy

N_BATCH = 16  # pieces of the stream


@dataclass(frozen=True)
class NextWord(Task):
    """Say the next word, by a stack of blocks; its choices are `DeepConfig`'s."""

    norm: str
    N_blocks: int
    start: float = 1.0
    residual: bool = True
    last_norm: bool = True

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words, on either side."""
        return dict.fromkeys(("source", "target"), WORDS)

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        sizes = len(WORDS), N_MAX, self.N_blocks
        choices = self.norm, self.start, self.residual, self.last_norm
        return DeepModel(DeepConfig(*sizes, *choices))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Pieces from anywhere in the stream, without end."""
        train, _ = streams()
        rng = Generator().manual_seed(seed)
        while True:
            starts = torch.randint(len(train) - N_MAX, (N_BATCH,), generator=rng)
            yield pieces(train, starts)

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Mean surprise at the words of unseen sentences, in nats a word."""
        _, test = streams()
        batch = pieces(test, torch.arange(0, len(test) - N_MAX, N_MAX))
        with evaluating(model):
            return {"unseen": token_cross_entropy(model, batch).item()}
