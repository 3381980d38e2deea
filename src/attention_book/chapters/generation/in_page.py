"""What a page asks of chapter 15's networks: to write on from a prompt."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from attention_book.layers.heads import KVCache
from attention_book.networks import examples, writing
from attention_book.networks.program import Call, Named, Traced
from attention_book.shapes import START


@dataclass(frozen=True)
class Begun:
    """A prompt that was read, but for its last word."""

    last: Int[Tensor, " B"]
    past: list[KVCache]


class Continuing(nn.Module):
    """A GPT whose every step reads a word, as a page's do: in the place of the [START]
    that the first is given it reads the last word of the prompt.
    """

    def __init__(self, gpt: Any):
        super().__init__()
        self.gpt = gpt

    def encode(self, source: Int[Tensor, "B N"], source_visible: None) -> Begun:
        """Read it, and keep nothing of the last word: the first step reads it."""
        before = self.gpt.encode(source).before_last
        return Begun(source[:, -1], before)

    def initial_state(self, memory: Begun) -> list[KVCache]:
        """Keys and values of the words read."""
        return memory.past

    def step(
        self, token: Int[Tensor, " B"], memory: Begun, state: list[KVCache]
    ) -> tuple[Tensor, list[KVCache], None]:
        """Read a word, and tell what is next."""
        token = torch.where(token == START, memory.last, token)
        return *self.gpt.read_on(token, state), None


def calls(model: Any) -> dict[str, Traced]:
    """What a page asks of a GPT: to write (`encode`, `step`), and the next word."""
    given = examples(model.config.N_words, "source")
    written = {
        name: (partial(_continuing, call), each)
        for name, (call, each) in writing(Continuing(model), *given).items()
    }
    return {"read": (read, given), **written}


def read(model: Any, source: Int[Tensor, "B N"]) -> Named:
    """The logits (B, N_words) of the word after the last."""
    return {"logits": model(source)[:, -1]}


def _continuing(call: Call, model: Any, **given: Tensor) -> Named:
    return call(Continuing(model), **given)
