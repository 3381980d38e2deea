"""What a recipe's model learns: vocabularies, an endless supply of batches, and a test
set in buckets by length.

Translation draws its batches from the corpus, shuffled anew each epoch. Copying and
reversing make fresh sequences for every step, on a curriculum: short ones first, the
longest from the middle of training on.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from attention_book.data import (
    Batch,
    Pair,
    Vocabulary,
    batches,
    collate,
    corpus,
    sequences,
    symbol_vocabulary,
)
from attention_book.models import Translator
from attention_book.runs.attention import alignment, interventions
from attention_book.runs.captions import CaptionTask, caption_task
from attention_book.runs.evaluation import evaluate
from attention_book.runs.recipes import Recipe

LENGTHS = (5, 10, 20, 30, 40, 60)  # of the test sequences
N_TEST = 200  # test sequences of each length
N_BATCH = 64  # training sequences in a batch
TEST_SEED = 10_000_000  # far from the seeds of training


@dataclass(frozen=True)
class Task:
    """A task at hand.

    Attributes
    ----------
    source_vocabulary, target_vocabulary : Vocabulary
        The words on either side.
    test : mapping
        Unseen pairs, by the label of their bucket.
    train : tuple of Pair
        What translation learns from; empty where sequences are made on the way.
    held_out : mapping
        Unseen pairs with two words that training never shows together, by the label of
        their bucket; empty where there is no such thing.
    """

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    test: Mapping[str, Sequence[Pair]]
    train: tuple[Pair, ...] = ()
    held_out: Mapping[str, Sequence[Pair]] = field(default_factory=dict)

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words on either side, by its name."""
        return {"source": self.source_vocabulary, "target": self.target_vocabulary}

    @property
    def sizes(self) -> dict[str, int]:
        """What the task fixes of a model's configuration."""
        return {
            f"N_{side}_words": len(words) for side, words in self.vocabularies.items()
        }

    def measure(self, model: Any, recipe: Recipe) -> dict[str, Any]:
        """Measure a model: its outputs on every bucket, and where it looks, if it does."""
        both = tuple(self.vocabularies.values())
        measured = {
            "metrics": evaluate(
                model, self.test, *both, reverse_source=recipe.reverse_source
            )
        }
        if self.held_out:
            measured["held_out"] = evaluate(
                model, self.held_out, *both, reverse_source=recipe.reverse_source
            )
        if isinstance(model, Translator):
            measured["alignment"] = alignment(
                model, [p for pairs in self.test.values() for p in pairs], both
            )
        if recipe.interventions:
            measured["interventions"] = interventions(model, self.test, both)
        return measured

    def batches(self, recipe: Recipe, seed: int) -> Iterator[Batch]:
        """Batches for training by this recipe: the same for the same seed."""
        if not self.train:
            return _curriculum(recipe, self.source_vocabulary, seed)
        return batches(
            self.train,
            self.source_vocabulary,
            self.target_vocabulary,
            seed=seed,
            reverse_source=recipe.reverse_source,
        )


def task_of(recipe: Recipe, *, train: bool = True) -> Task | CaptionTask:
    """Prepare the task that a recipe names.

    Parameters
    ----------
    recipe : Recipe
        Its `task` is `copy`, `reverse`, `captions` or `translation SOURCE-TARGET`, such
        as `translation en-es`.
    train : bool
        False for the test set only, which is quicker.

    Raises
    ------
    ValueError
        If there is no such task.
    """
    kind, _, languages = recipe.task.partition(" ")
    if kind in ("copy", "reverse") and not languages:
        return _symbols(kind)
    if recipe.task == "captions":
        return caption_task()
    source, dash, target = languages.partition("-")
    if kind != "translation" or not dash:
        raise ValueError(
            f"task is {recipe.task!r}, expected copy, reverse, captions or a "
            "translation such as en-es"
        )
    N_train = {} if train else {"N_train": 0}
    lite = corpus(source, target, max_words=recipe.longest_source, **N_train)
    test, held_out = (
        {f"{low}-{high}": pairs for (low, high), pairs in part.items()}
        for part in (lite.test, lite.held_out)
    )
    return Task(
        lite.source_vocabulary, lite.target_vocabulary, test, lite.train, held_out
    )


def _symbols(kind: str) -> Task:
    test = {
        str(n): sequences(kind, lengths=(n,), n=N_TEST, seed=TEST_SEED + n)
        for n in LENGTHS
    }
    return Task(symbol_vocabulary(), symbol_vocabulary(), test)


def _curriculum(recipe: Recipe, vocabulary: Vocabulary, seed: int) -> Iterator[Batch]:
    """Sequences of one length a batch; the longest allowed grows from 4 to 60 in the first half of training."""
    rng = random.Random(seed)
    for step in range(recipe.steps):
        longest = min(LENGTHS[-1], 4 + int(2 * step / recipe.steps * (LENGTHS[-1] - 4)))
        shortest = rng.choice(
            (1, max(1, longest // 2))
        )  # half the batches keep to the longer ones
        length = rng.randint(shortest, longest)
        pairs = sequences(
            recipe.task, lengths=(length,), n=N_BATCH, seed=rng.randrange(TEST_SEED)
        )
        yield collate(
            [
                (vocabulary.encode(pair.source), vocabulary.encode(pair.target))
                for pair in pairs
            ]
        )
