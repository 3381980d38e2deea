"""A text of prompts to learn the next word of: pairs of sentences, with one operation
for all pairs of a prompt, which nothing names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from jaxtyping import Int
from torch import Tensor

from attention_book.chapters.generation.experiments import prompting
from attention_book.chapters.generation.operations import (
    MOST_EXAMPLES,
    OPERATIONS,
    WORDS,
    case,
    encode,
    sentences,
)
from attention_book.chapters.generation.tasks.next_word import NextWord
from attention_book.data import Vocabulary
from attention_book.data.batching import padded
from attention_book.shapes import check_choice

N_BATCH = 21  # prompts


@dataclass(frozen=True)
class Prompting(NextWord):
    """Every next word of prompts of six pairs.

    Each operation is drawn as often as `weights` says, once if it says nothing.
    """

    weights: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.weights:
            check_choice("weights", name, OPERATIONS)

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of prompts."""
        return {"target": WORDS}

    def batches(self, seed: int, steps: int) -> Iterator[Int[Tensor, "B N"]]:
        """Prompts with all their outputs, drawn without end."""
        rng = Random(seed)
        drawn = sentences(rng, "training")
        often = [self.weights.get(name, 1) for name in OPERATIONS]
        while True:
            names = rng.choices([*OPERATIONS], often, k=N_BATCH)
            yield padded(
                [
                    encode(case(drawn, name, MOST_EXAMPLES * [name]).text)
                    for name in names
                ]
            )

    def measure(self, model: Any) -> dict[str, Any]:
        """Outputs of unseen sentences without a wrong word, by the number of examples;
        see `experiments.prompting.by_examples`.
        """
        return {"test": prompting.by_examples(model)}

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Mislead the network, and silence it; see `experiments.prompting`."""
        return prompting.examined(model)
