"""A GPT that goes on with documentation strings, word by word, in many sizes."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from jaxtyping import Int
from torch import Tensor, nn

from attention_book import models
from attention_book.chapters.scale.words import N_WORDS, ids
from attention_book.data import START, Vocabulary
from attention_book.runs import NextInText, gpt_bits

LEARNED = 25_000  # words at the head of the text, which all networks are trained on
WATCHED = 5_000  # words of "development" that a network is watched on


@dataclass(frozen=True)
class NextWord(NextInText):
    """The next word, everywhere in a window of the first `N_train` words to train on,
    or of all.
    """

    N_train: int | None = None

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """None: no weights are kept that would need the words."""
        return {}

    def model(self) -> nn.Module:
        """A model with fresh weights."""
        return models.GPT(models.GPTConfig(N_WORDS, **self.sizes))

    def train(self) -> Int[Tensor, " N"]:
        """Give the ids of the words to train on."""
        return ids("train")[: self.N_train]

    def watch(self, model: nn.Module) -> float:
        """The loss on some of what is held out to choose by."""
        return loss(model, ids("development")[:WATCHED])

    def measure(self, model: Any) -> dict[str, Any]:
        """How many weights it has without those of words and positions."""
        return {"weights": models.N_weights(model.encoder)}

    def examine(self, model: nn.Module, seed: int) -> dict[str, Any]:
        """The loss on what every network was trained on, and on what is held out."""
        texts = {"train": ids("train")[:LEARNED], "held out": ids("modules")}
        return {name: loss(model, text) for name, text in texts.items()}


def loss(model: nn.Module, text: Int[Tensor, " N"]) -> float:
    """Mean surprise at each word of a text but [START], in nats, with half a window or
    more before it.
    """
    asked = (text[1:] != START).sum().item()
    return gpt_bits(model, text) * log(2) / asked
