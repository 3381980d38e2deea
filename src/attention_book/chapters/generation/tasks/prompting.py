"""A text of prompts to learn the next word of: pairs of sentences, with one operation
for all pairs of a prompt, which nothing names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book import models
from attention_book.chapters.generation import in_page
from attention_book.chapters.generation.experiments import prompting
from attention_book.chapters.generation.operations import (
    MOST_EXAMPLES,
    OPERATIONS,
    WORDS,
    case,
    encode,
    sentences,
)
from attention_book.data import PAD, Vocabulary
from attention_book.data.batching import padded
from attention_book.networks.program import Traced
from attention_book.runs import Task

N_BATCH = 21  # prompts


@dataclass(frozen=True)
class Prompting(Task):
    """Every next word of prompts of six pairs.

    Each operation is drawn as often as `weights` says, once if it says nothing.
    """

    sizes: Mapping[str, int | float] = field(default_factory=dict)  # of the model
    weights: Mapping[str, int] = field(default_factory=dict)

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The words of prompts."""
        return {"target": WORDS}

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return models.GPT(models.GPTConfig(len(WORDS), **self.sizes))

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

    def loss(self, model: Any, batch: Int[Tensor, "B N"]) -> Float[Tensor, ""]:
        """Mean surprise at every next word."""
        logits = model(batch[:, :-1])
        return F.cross_entropy(
            logits.flatten(0, 1), batch[:, 1:].flatten(), ignore_index=PAD
        )

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model."""
        return in_page.calls(model)

    def measure(self, model: Any) -> dict[str, Any]:
        """Outputs of unseen sentences without a wrong word, by the number of examples;
        see `experiments.prompting.by_examples`.
        """
        return {"test": prompting.by_examples(model)}

    def examine(self, model: Any, seed: int) -> dict[str, Any]:
        """Mislead the network, and silence it; see `experiments.prompting`."""
        return prompting.examined(model)
