"""Worked solutions of chapter 15's exercises."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention_book.chapters.generation.experiments.look_up import conflict
from attention_book.reference import attention, causal_mask


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
    # with p = 1, rounding must not cut off the last words
    kept[order] = np.where((likelier < p) | (p == 1), falling, 0)
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
    # beside a score so large, those of 0 get no weight
    P, A_2 = attention(1e4 * X, before, X, causal_mask(N))
    return A_1, A_2, P


def in_conflict(model: Any) -> dict[str, dict[str, float]]:
    """How often each of two values is the answer, by how a key was shown with them; and
    what a look-up by hand gives the first.
    """
    found = {}
    asked = [(showing, False) for showing in ((0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 1))]
    for showing, right_before in (*asked, ((0, 1), True)):
        first, second = conflict(model, showing, right_before=right_before)
        pairs = [id for value in showing for id in (1, 2 + value)]  # the key has id 1
        _, _, P = look_up(np.array([0, *pairs, 1]), N_words=4)
        shown = ", ".join("79"[value] for value in showing)
        shown += right_before * " right before"
        found[shown] = {"7": first, "9": second, "7 by hand": float(P[-1, 2])}
    return found


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
