"""What a page asks of chapter 15's networks."""

from typing import Any

from jaxtyping import Int
from torch import Tensor

from attention_book.networks import examples
from attention_book.networks.program import Named, Traced


def read(model: Any, source: Int[Tensor, "B N"]) -> Named:
    """Read a text: "logits" (B, N_words) of the word after its last."""
    return {"logits": model(source)[:, -1]}


def calls(N_words: int) -> dict[str, Traced]:
    """What a page asks of a GPT that goes on from a text."""
    return {"read": (read, examples(N_words, "source"))}
