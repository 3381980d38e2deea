"""What chapter 1's recorded models learn: to translate, to copy and to reverse."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from torch import nn

from attention_book.data import Batch, Pair, collate, sequences, symbol_vocabulary
from attention_book.models import FixedContext, Seq2SeqConfig
from attention_book.runs import Task, Translation, evaluate, translate

LENGTHS = (5, 10, 20, 30, 40, 60)  # of the test sequences
N_TEST = 200  # test sequences of each length
N_BATCH = 64  # training sequences in a batch
TEST_SEED = 10_000_000  # far from the seeds of training


@dataclass(frozen=True)
class FixedContextTranslation(Translation):
    """Translation by a model that hands over one vector."""

    N_shown: int = 0  # test sentences of every length whose translations are kept

    def model(self) -> nn.Module:
        return FixedContext(Seq2SeqConfig(**self.configuration))

    def keep(self, model: nn.Module) -> dict[str, Any]:
        """Keep what the model writes for the first test sentences of every length."""
        shown = first_of_each_length(
            list(chain(*self.unseen["test"].values())), self.N_shown
        )
        if not shown:
            return {}
        said = translate(
            model,
            [pair.source for pair in shown],
            *self.vocabularies.values(),
            reverse_source=self.reverse_source,
        )
        kept = [
            {"source": pair.source, "reference": pair.target, "prediction": words}
            for pair, words in zip(shown, said, strict=True)
        ]
        return {"translations": kept}


def first_of_each_length(pairs: Sequence[Pair], N_each: int) -> list[Pair]:
    """The first pairs of every source length, shortest first."""
    by_length: dict[int, list[Pair]] = {}
    for pair in pairs:
        by_length.setdefault(len(pair.source), []).append(pair)
    return [pair for n in sorted(by_length) for pair in by_length[n][:N_each]]


@dataclass(frozen=True)
class Symbols(Task):
    """Sequences to copy or to reverse, made anew for every step."""

    kind: str  # "copy" or "reverse"
    sizes: Mapping[str, int] = field(default_factory=dict)  # of the configuration
    vocabularies = dict.fromkeys(("source", "target"), symbol_vocabulary())

    @cached_property
    def test(self) -> dict[str, Sequence[Pair]]:
        """Unseen sequences, by their length."""
        return {
            str(n): sequences(self.kind, lengths=(n,), n=N_TEST, seed=TEST_SEED + n)
            for n in LENGTHS
        }

    def model(self) -> nn.Module:
        counts = map(len, self.vocabularies.values())
        return FixedContext(Seq2SeqConfig(*counts, **self.sizes))

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Sequences of one length a batch, short ones first."""
        rng, words = random.Random(seed), self.vocabularies["source"]
        for step in range(steps):
            length = _length(rng, step / steps)
            pairs = sequences(
                self.kind, lengths=(length,), n=N_BATCH, seed=rng.randrange(TEST_SEED)
            )
            both = ((pair.source, pair.target) for pair in pairs)
            yield collate([tuple(map(words.encode, pair)) for pair in both])

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Metrics of what a model writes, for each length."""
        return {"test": evaluate(model, self.test, *self.vocabularies.values())}


def _length(rng: random.Random, done: float) -> int:
    """A length when a share `done` is trained; at most 4 at first, 60 half way."""
    longest = min(LENGTHS[-1], 4 + int(2 * done * (LENGTHS[-1] - 4)))
    # half the batches keep to the longer ones
    shortest = rng.choice((1, max(1, longest // 2)))
    return rng.randint(shortest, longest)
