"""The GPT that all networks of chapter 15 are."""

from dataclasses import dataclass

from torch import nn

from attention_book import models, runs
from attention_book.chapters.generation import in_page
from attention_book.networks.program import Traced


@dataclass(frozen=True)
class NextWord(runs.NextWord):
    """Every next word of texts, by a GPT of these sizes."""

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        (words,) = self.vocabularies.values()
        return models.GPT(models.GPTConfig(len(words), **self.sizes))

    def calls(self, model: nn.Module) -> dict[str, Traced]:
        """What a page asks of a model."""
        return in_page.calls(model)
