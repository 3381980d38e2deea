"""What a page asks of chapter 14's networks. A sentence comes with [CLS] before it and
[SEP] behind it, and words that the reader hides are those that are not visible.
"""

from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from attention_book.chapters.pretraining.sentences import MASK, UNK, WORDS
from attention_book.networks import examples
from attention_book.networks.program import Named, Traced

GUESSES = 5


def read(model: Any, source: Int[Tensor, "B N"], visible: Bool[Tensor, "B N"]) -> Named:
    """Read a sentence, [MASK] in the place of each word that is not visible.

    Returns "logits" (B, N, N_words) at each place; "guess" (B, N_words), those of the
    hidden words, their sum if there are several, low for special words; "guesses"
    (B,), how many of them to show; "seen" (B, N), the ids with [MASK] among them; "cls"
    (B, D), the vector of the whole sentence.
    """
    ids = source.masked_fill(~visible, MASK)
    X = model(ids)
    logits = model.words(X)
    return {
        "logits": logits,
        **_at(~visible, logits),
        "seen": ids.float(),
        "cls": model.pooled(X),
    }


def after(
    model: Any, source: Int[Tensor, "B N"], visible: Bool[Tensor, "B N"]
) -> Named:
    """Ask for the word that is not visible, the next after those before it.

    Returns "guess" and "guesses", as `read` does, with all from the hidden word on cut
    off; "left" (B,), how many ids that leaves; and "in sight" (B, N_words), the guess
    with the whole sentence shown.
    """
    hidden = ~visible
    before = torch.cat([hidden[:, 1:], hidden[:, :1]], dim=1)  # [CLS] is never hidden
    N = source.shape[1]
    past = hidden.float() @ torch.ones(N, N).triu() > 0
    cut = model.words(model(source, None, ~past))
    whole = model.words(model(source))
    shown = _at(before, whole)["guess"]
    return {**_at(before, cut), "left": (~past).sum(dim=1), "in sight": shown}


def in_turn(model: Any, source: Int[Tensor, "1 N"]) -> Named:
    """Hide each word of a sentence in turn.

    Returns "bits" (1, N - 2), the surprise at each word, without [CLS] and [SEP].
    """
    N = source.shape[1]
    own = torch.arange(N)[:, None] == torch.arange(N)
    X = model(source.expand(N, -1).masked_fill(own, MASK))  # (N, N, D)
    P = model.words((X * own[:, :, None]).sum(dim=1)).softmax(dim=-1)  # (N, N_words)
    words = torch.arange(len(WORDS)) == source[0, :, None]
    bits = -(P * words).sum(dim=-1).log2()
    return {"bits": bits[None, 1:-1]}


def _at(asked: Bool[Tensor, "B N"], logits: Tensor) -> Named:
    guess = (logits * asked.float()[:, :, None]).sum(dim=1)
    special = torch.arange(len(WORDS)) <= UNK
    return {
        "guess": guess.masked_fill(special, -1e4),
        "guesses": GUESSES * asked.float().amax(dim=1),
    }


def calls(hidden: bool) -> dict[str, Traced]:
    """What a page asks of a network of hidden words, or of one of next words."""
    both = examples(len(WORDS), "source", "visible")
    for each in both:
        each["visible"][0, 2] = False
    alone = [{"source": each["source"]} for each in both]
    if hidden:
        return {"read": (read, both), "in_turn": (in_turn, alone)}
    return {"read": (read, both), "after": (after, both)}
