"""What all networks of chapter 15 learn: to say the next word."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book import models
from attention_book.chapters.generation import in_page
from attention_book.data import PAD
from attention_book.networks.program import Traced
from attention_book.runs import Task


@dataclass(frozen=True)
class NextWord(Task):
    """Every next word of texts, padding aside, by a GPT of these sizes."""

    sizes: Mapping[str, int | float | bool] = field(default_factory=dict)

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        (words,) = self.vocabularies.values()
        return models.GPT(models.GPTConfig(len(words), **self.sizes))

    def loss(self, model: Any, batch: Int[Tensor, "B N"]) -> Float[Tensor, ""]:
        """Mean surprise at the next word."""
        return F.cross_entropy(model(batch[:, :-1]).mT, batch[:, 1:], ignore_index=PAD)

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model."""
        return in_page.calls(model)
