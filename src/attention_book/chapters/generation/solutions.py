"""Worked solutions of chapter 15's exercises."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention_book.reference import attention, causal_mask

SURE = 10_000  # a score beside which a score of 0 gets no weight


def bits_per_character(log_P: Float[np.ndarray, " N"], pieces: Sequence[str]) -> float:
    """What a text costs, in bits a character, by the surprise at each of its pieces."""
    bits = -log_P.sum() / np.log(2)
    return float(bits / len("".join(pieces)))


def nucleus(
    P: Float[np.ndarray, " N_words"], p: float
) -> Float[np.ndarray, " N_words"]:
    """Keep the fewest likeliest words that have the share p together (top-p)."""
    order = np.argsort(-P)
    falling = P[order]
    likelier = falling.cumsum() - falling  # what the words before each have together
    kept = np.zeros_like(P)
    kept[order] = np.where(likelier < p, falling, 0)
    return kept / kept.sum()


def look_up(
    ids: Int[np.ndarray, " N"], N_words: int
) -> tuple[
    Float[np.ndarray, "N N"], Float[np.ndarray, "N N"], Float[np.ndarray, "N N_words"]
]:
    """Predict what followed the same token before, by looking twice."""
    N = len(ids)
    X = np.eye(N_words)[ids]
    A_1 = np.eye(N, k=-1)  # at the place before
    A_1[0, 0] = 1
    before = A_1 @ X
    P, A_2 = attention(SURE * X, before, X, causal_mask(N))
    return A_1, A_2, P


@torch.no_grad()
def write(
    model: Any,
    ids: Int[Tensor, " N"],
    temperature: float,
    N_more: int,
    generator: torch.Generator,
) -> Int[Tensor, " N_written"]:
    """Go on from a text: draw one word after the other."""
    for _ in range(N_more):
        logits = model(ids[None])[0, -1]
        P = (logits / temperature).softmax(dim=-1)
        ids = torch.cat([ids, P.multinomial(1, generator=generator)])
    return ids
