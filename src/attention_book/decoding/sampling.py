"""Sampling: draw the next word by its probability, until it is [STOP].

    P = softmax(logits / temperature)

A low temperature prefers the likeliest words, a high one makes all words alike. `top_k`
draws among the k likeliest only [fan2018hierarchical], `top_p` among the fewest of the
likeliest whose probabilities reach p together [holtzman2020curious].
"""

from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor, nn
from torch.nn.functional import one_hot

from attention_book.decoding.decodable import Decodable, lean
from attention_book.decoding.greedy import Decoded, greedy
from attention_book.shapes import check_count, check_number


def chances(
    logits: Float[Tensor, "*axes N_words"],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
) -> Float[Tensor, "*axes N_words"]:
    """The probability with which each word is drawn.

    `top_p`: of what `top_k` leaves, the fewest likeliest words that have this share of
    it.
    """
    check_number("temperature", temperature, above=0)
    check_number("top_p", top_p, above=0)
    check_count("top_k", top_k or 1)
    P, order = (logits / temperature).softmax(dim=-1).sort(descending=True, stable=True)
    P[..., top_k or P.shape[-1] :] = 0
    if top_p < 1:  # by rounding, the sum is reached before the last
        before = P.cumsum(dim=-1) - P
        P[before >= top_p * P.sum(dim=-1, keepdim=True)] = 0
    P = P / P.sum(dim=-1, keepdim=True)
    return torch.zeros_like(P).scatter(-1, order, P)


def sample(
    model: Decodable,
    source: Shaped[Tensor, "B *axes"],
    source_visible: Bool[Tensor, "B N_X"] | None,
    *,
    seed: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float = 1.0,
    max_words: int = 40,
) -> Decoded:
    """Decode a batch of sources as `greedy` does, but draw each word.

    The draws of the first source have this seed, each further one's the next.
    """
    draws = [uniform_draws(seed + b) for b in range(len(source))]
    drawing = _Drawing(model, draws, (temperature, top_k, top_p))
    return greedy(drawing, source, source_visible, max_words=max_words)


class _Drawing(nn.Module):
    """A writer for which the word that is drawn is the likeliest: greedy draws."""

    def __init__(self, model: Any, draws: list[Iterator[float]], how: tuple[Any, ...]):
        super().__init__()
        self.model, self.draws, self.how = model, draws, how
        self.encode, self.initial_state = model.encode, model.initial_state

    def lean_writer(self) -> "_Drawing":
        return _Drawing(lean(self.model), self.draws, self.how)

    def step(
        self, token: Int[Tensor, "B"], memory: Any, state: Any
    ) -> tuple[Float[Tensor, "B N_words"], Any, Any]:
        logits, state, A = self.model.step(token, memory, state)
        logits = torch.as_tensor(logits)  # a lean writer's are arrays
        up_to = chances(logits, *self.how).cumsum(dim=-1)
        drawn = up_to.new_tensor([[next(each)] for each in self.draws])
        last = (up_to < up_to[:, -1:]).sum(dim=-1)  # rounding may leave less than 1
        word = (up_to <= drawn).sum(dim=-1).minimum(last)
        return one_hot(word, logits.shape[-1]).to(logits), state, A


def uniform_draws(seed: int) -> Iterator[float]:
    """Draw numbers in [0, 1) by mulberry32, which JavaScript computes alike."""
    full = 2**32 - 1
    state = seed & full
    while True:
        state = (state + 0x6D2B79F5) & full
        t = ((state ^ (state >> 15)) * (1 | state)) & full
        t = ((t + (((t ^ (t >> 7)) * (61 | t)) & full)) & full) ^ t
        yield ((t ^ (t >> 14)) & full) / 2**32
