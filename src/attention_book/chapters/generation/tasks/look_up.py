"""Say the next token of pairs whose code is new in each sequence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jaxtyping import Int
from torch import Generator, Tensor, nn

from attention_book import models
from attention_book.chapters.generation.codes import N_PAIRS, WORDS, draw
from attention_book.chapters.generation.experiments.look_up import (
    CONFLICTS,
    FOUND,
    N_OTHER,
    N_WATCHED,
    OTHER,
    OTHER_N_KEYS,
    TEST,
    WATCHED,
    accuracy,
    by_showings,
    conflict,
    looks,
    same_for_another_key,
    sequences,
    without,
)
from attention_book.chapters.generation.tasks.next_word import NextWord
from attention_book.data import Vocabulary

N_BATCH = 32


@dataclass(frozen=True)
class LookUp(NextWord):
    """Keys and values by turns; the loss is that of every next token."""

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The keys and the values."""
        return {"source": WORDS}

    def model(self) -> nn.Module:
        """A model with fresh weights, for as many tokens as it learns from."""
        config = models.GPTConfig(len(WORDS), N_positions=2 * N_PAIRS, **self.sizes)
        return models.GPT(config)

    def batches(self, seed: int, steps: int) -> Iterator[Int[Tensor, "B N"]]:
        """Sequences, drawn without end."""
        rng = Generator().manual_seed(seed)
        while True:
            yield draw(rng, N_BATCH)

    def watch(self, model: Any) -> float:
        """Accuracy where a key was shown before."""
        return accuracy(model, sequences(WATCHED, N_WATCHED))

    def measure(self, model: Any) -> dict[str, Any]:
        """Figures of unseen sequences.

        "test": by how often a key was shown before (`by_showings`); "seen": accuracy
        of all that were; "keys": the same with other numbers of keys; "looks" and, of
        other sequences, "without" heads; "conflict": shares of v0 and v1; "same for
        another key".
        """
        test = sequences(TEST)
        return {
            "test": by_showings(model, test),
            "seen": accuracy(model, test),
            "keys": {
                str(N): accuracy(model, sequences(TEST, N_OTHER, N_keys=N))
                for N in OTHER_N_KEYS
            },
            "looks": looks(model, sequences(FOUND, N_OTHER)),
            "without": without(model, sequences(OTHER, N_OTHER)),
            "conflict": {
                name: conflict(model, showing) for name, showing in CONFLICTS.items()
            },
            "same for another key": same_for_another_key(model, test),
        }
