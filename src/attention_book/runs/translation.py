"""The translation of the book's corpus from English, as a task: what all its models
share.

Batches are drawn from the corpus, shuffled anew each epoch. A chapter's task adds the
model, and what else it measures and keeps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from torch import nn

from attention_book.data import (
    Batch,
    Corpus,
    Pair,
    Vocabulary,
    batches,
    classic,
    corpus,
)
from attention_book.data.translation import vocabulary
from attention_book.runs.evaluation import evaluate
from attention_book.runs.task import Task

SOURCE = "en"


@dataclass(frozen=True)
class Translation(Task):
    """To translate the corpus; its model is left to a chapter's task.

    `sizes` are what the task chooses of the model's configuration. Training has sources
    of at most `longest_source` words; the test sentences are as long as ever. A batch
    has about `tokens_per_batch` target tokens. If `held_out`, sentences with two words
    that training never shows together are measured, too.
    """

    target: str
    sizes: Mapping[str, int | bool | str] = field(default_factory=dict)
    # Sutskever et al. (2014): reversed, the first source words stand next to the first
    # target words
    reverse_source: bool = False
    longest_source: int = 24
    tokens_per_batch: int = 1500
    held_out: bool = False

    @cached_property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words on either side, by its name."""
        return {"source": vocabulary(SOURCE), "target": vocabulary(self.target)}

    @cached_property
    def unseen(self) -> dict[str, dict[str, Sequence[Pair]]]:
        """Pairs to measure: unseen[part][bucket], buckets by the source's words."""
        drawn = _drawn(self.target)
        parts = {"test": drawn.test}
        if self.held_out:
            parts["held_out"] = drawn.held_out
        return {
            name: {f"{low}-{high}": pairs for (low, high), pairs in part.items()}
            for name, part in parts.items()
        }

    def classic(self, name: str) -> Pair:
        """A sentence known from the literature, by its name: see `data.classic`."""
        one, both = classic(name), (SOURCE, self.target)
        return Pair(*map(one.tokens, both), one.alignment(*both))

    @property
    def configuration(self) -> dict[str, int | bool | str]:
        """The model's configuration: the sizes, and how many words there are."""
        counts = {
            f"N_{side}_words": len(words) for side, words in self.vocabularies.items()
        }
        return counts | dict(self.sizes)

    def batches(self, seed: int, steps: int) -> Iterator[Batch]:
        """Batches for training, without end: the same for the same seed."""
        return batches(
            _drawn(self.target, max_words=self.longest_source, whole=True).train,
            *self.vocabularies.values(),
            tokens_per_batch=self.tokens_per_batch,
            seed=seed,
            reverse_source=self.reverse_source,
        )

    def measure(self, model: nn.Module) -> dict[str, Any]:
        """Metrics of what a model writes, for each part and bucket."""
        return {name: self.evaluate(model, part) for name, part in self.unseen.items()}

    def evaluate(
        self, model: nn.Module, part: Mapping[str, Sequence[Pair]]
    ) -> dict[str, dict[str, float]]:
        """Metrics of what a model writes, for each bucket of some pairs."""
        words = self.vocabularies.values()
        return evaluate(model, part, *words, reverse_source=self.reverse_source)


@lru_cache(maxsize=8)  # the recipes of a chapter share a corpus
def _drawn(target: str, max_words: int = 24, *, whole: bool = False) -> Corpus:
    """The corpus, or only its unseen parts, which are drawn sooner."""
    size = {} if whole else {"N_train": 0}
    return corpus(SOURCE, target, max_words=max_words, **size)
