"""What chapter 6's recorded models learn: to answer a question about order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import torch
from torch import nn

from attention_book.chapters.order.model import Reader, ReaderConfig
from attention_book.chapters.order.sentences import QUESTIONS, WORDS, collate, sentence
from attention_book.data import Batch
from attention_book.decoding.mode import evaluating
from attention_book.runs import Task

SHORTEST, LONGEST = 5, 16  # words of a sentence in training, without the question
LONGER = (24, 32)
EACH_LONGER = range(28, 39)  # what `OrderByLength` measures as well
N_BATCH = 32
N_TEST = 500  # sentences of each bucket
TEST_SEED = 10_000_000  # far from the seeds of training


@dataclass(frozen=True)
class Order(Task):
    """A question about order, to a reader that is told positions."""

    question: str
    positions: str  # one of `model.KINDS`
    N_layers: int = 2
    vocabularies = dict.fromkeys(("source", "target"), WORDS)

    @property
    def lengths(self) -> range:
        """How many words the sentences of training have."""
        shortest = max(SHORTEST, QUESTIONS[self.question] + 1)
        return range(shortest, LONGEST + 1)

    @cached_property
    def test(self) -> dict[str, list[Batch]]:
        """Unseen sentences: of the lengths of training, and longer ones."""
        rng, (least, *_, most) = Random(TEST_SEED), self.lengths
        buckets = {f"{least} to {most}": self.lengths} | {str(N): [N] for N in LONGER}
        return {
            label: [
                collate([sentence(self.question, N, rng) for _ in range(count)])
                for N, count in zip(lengths, _shared(N_TEST, len(lengths)), strict=True)
            ]
            for label, lengths in buckets.items()
        }

    def model(self) -> nn.Module:
        return Reader(ReaderConfig(len(WORDS), self.positions, self.N_layers))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Fresh sentences of one length a batch, without end."""
        rng = Random(seed)
        while True:
            N = rng.choice(self.lengths)
            yield collate([sentence(self.question, N, rng) for _ in range(N_BATCH)])

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share of right answers in each bucket."""
        test = self.test.items()
        return {
            "test": {label: {"right": right(model, batches)} for label, batches in test}
        }


@dataclass(frozen=True)
class OrderByLength(Order):
    """The same, measured at each of many lengths as well."""

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Share of right answers in each bucket, and of sentences of each length."""
        lengths = {}
        for N in EACH_LONGER:
            rng = Random(N)
            drawn = [sentence(self.question, N, rng) for _ in range(N_TEST)]
            lengths[str(N)] = {"right": right(model, [collate(drawn)])}
        return super().measure(model) | {"lengths": lengths}


def right(model: nn.Module, batches: Sequence[Batch]) -> float:
    """Share of the sentences whose answer is right, read as outside training."""
    with evaluating(model):
        hits = [
            model(batch.source, batch.source_visible)[:, -1].argmax(-1)
            == batch.target_out[:, 0]
            for batch in batches
        ]
    return torch.cat(hits).double().mean().item()


def _shared(total: int, parts: int) -> list[int]:
    """Split a number into parts as equal as can be."""
    return [total // parts + (k < total % parts) for k in range(parts)]
