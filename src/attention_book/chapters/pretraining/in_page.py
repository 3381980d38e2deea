"""What a page asks of chapter 14's networks: sentences with a word hidden, each word
hidden in its turn, and the vector of [CLS] that a head is trained on.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn
from torch.func import functional_call

from attention_book.chapters.pretraining.sentences import CLS, MASK, SEP, UNK, WORDS
from attention_book.networks import examples
from attention_book.networks.program import Named, Traced

GUESSES = 5


def framed(source: Int[Tensor, "B N"]) -> Int[Tensor, "B N_and_2"]:
    """Put [CLS] before a sentence and [SEP] behind it."""
    first, last = (source[:, :1] * 0 + each for each in (CLS, SEP))
    return torch.cat([first, source, last], dim=1)


def read(model: Any, source: Int[Tensor, "B N"], visible: Bool[Tensor, "B N"]) -> Named:
    """Read a sentence, [MASK] in the place of each word that is not visible.

    Returns "guess" (B, N_words), the logits of the hidden words, their sum if there are
    several, low for special words; "guesses" (B,), how many of them to show; "cls"
    (B, D), the vector of the whole sentence.
    """
    X = model(framed(source.masked_fill(~visible, MASK)))
    hidden = (~visible).float()
    guess = (model.words(X[:, 1:-1]) * hidden[:, :, None]).sum(dim=1)
    special = torch.arange(len(WORDS)) <= UNK
    return {
        "guess": guess.masked_fill(special, -1e4),
        "guesses": GUESSES * hidden.amax(dim=1),
        "cls": model.pooled(X),
    }


def chances(model: Any, source: Int[Tensor, "1 N"]) -> Named:
    """Hide each word of a sentence in turn.

    Returns "chance" (1, N), the probability of the word that was hidden.
    """
    N = source.shape[1]
    own = torch.arange(N)[:, None] == torch.arange(N)
    read = framed(source.expand(N, -1).masked_fill(own, MASK))
    X = model(read)[:, 1:-1]  # (N, N, D)
    at_hidden = (X * own[:, :, None]).sum(dim=1)
    P = model.words(at_hidden).softmax(dim=-1)  # (N, N_words)
    words = torch.arange(len(WORDS)) == source[0, :, None]
    return {"chance": (P * words).sum(dim=-1)[None]}


class AsItReads(nn.Module):
    """A network after several numbers of steps: its weights one above the other."""

    def __init__(self, model: nn.Module, after: Sequence[Mapping[str, Tensor]]):
        super().__init__()
        self.model = model.requires_grad_(False)
        self.names = [name for name, _ in model.named_parameters()]
        for k, name in enumerate(self.names):
            each = torch.stack([state[name] for state in after])
            self.register_buffer(f"weight_{k}", each)

    def at(self, step: Int[Tensor, "1"]) -> dict[str, Tensor]:
        """The weights after a step, by their place among the steps."""
        return {
            name: self.get_buffer(f"weight_{k}")[step][0]
            for k, name in enumerate(self.names)
        }

    def forward(self, step: Tensor, source: Tensor, visible: Tensor) -> Named:
        """Read a sentence as the network did after that step; see `read`."""
        call = {"source": source, "visible": visible}
        return functional_call(Called(self.model), _of_model(self.at(step)), (), call)


class Called(nn.Module):
    """`read` as a module, so that other weights can be put in."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, **given: Tensor) -> Named:
        return read(self.model, **given)


def _of_model(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {f"model.{name}": W for name, W in weights.items()}


def calls() -> dict[str, Traced]:
    """What a page asks of one network."""
    both = examples(len(WORDS), "source", "visible")
    alone = examples(len(WORDS), "source")
    return {"read": (read, both), "chances": (chances, alone)}
