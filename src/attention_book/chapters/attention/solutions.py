"""Chapter 2, *Attention*: worked solutions."""

from collections.abc import Collection

import numpy as np
from jaxtyping import Bool, Float
from torch import Tensor


def masked_softmax(
    e: Float[np.ndarray, "*axes N_X"], visible: Bool[np.ndarray, "*axes N_X"]
) -> Float[np.ndarray, "*axes N_X"]:
    """Turn scores into weights over the inputs, the last axis; 0 for what is hidden."""
    if not visible.any(axis=-1).all():
        raise ValueError("visible is False in a whole row: there is nothing to look at")
    # before the softmax: afterwards the weights would no longer sum to 1
    e = np.where(visible, e, -np.inf)
    largest = e.max(axis=-1, keepdims=True)
    positive = np.exp(e - largest)  # the largest score becomes 0, so nothing overflows
    return positive / positive.sum(axis=-1, keepdims=True)


def attention_step(
    s: Float[np.ndarray, "D_S"],
    h: Float[np.ndarray, "N_X D_S"],
    visible: Bool[np.ndarray, "N_X"],
) -> tuple[Float[np.ndarray, "D_S"], Float[np.ndarray, "N_X"]]:
    """Take one attention step with dot scores; what is not visible gets no weight."""
    e_t = h @ s
    a_t = masked_softmax(e_t, visible)
    return a_t @ h, a_t


def error_rate(
    A: Float[np.ndarray, "N_Y N_X"], gold: Collection[tuple[int, int]], length: int
) -> float:
    """Link each word to its strongest input: 1 minus the F measure against `gold`."""
    strongest = A.argmax(axis=1)  # over the inputs: one for each row
    # [STOP] comes after the words: no link
    links = {(int(i), j) for j, i in enumerate(strongest) if i < length}
    if not links and not gold:
        raise ValueError("neither A nor gold links any words: nothing to measure")
    return 1 - 2 * len(links & set(gold)) / (len(links) + len(gold))


def sure_and_right(
    A: Float[np.ndarray, "N_Y N_X"], gold: Collection[tuple[int, int]]
) -> tuple[Float[np.ndarray, "N_linked"], Bool[np.ndarray, "N_linked"]]:
    """Give each gold-linked word's largest weight, and whether it lies on a link."""
    linked = sorted({j for _, j in gold})
    right = [(int(A[j].argmax()), j) in gold for j in linked]
    return A[linked].max(axis=1), np.array(right)


def work_per_word(N_X: int, D_S: int, D_H: int, D_A: int) -> dict[str, int]:
    """Count multiplications that score N_X inputs for one word, all else prepared."""
    return {
        "dot": N_X * D_H,  # s · h_i
        "bilinear": N_X * D_S,  # s · (W h_i), and W h_i is known
        "mlp": D_S * D_A + N_X * D_A,  # W s once, then v · tanh(...) for every input
    }


def attend_all(
    s: Float[Tensor, "N_Y D_S"], h: Float[Tensor, "N_X D_S"]
) -> tuple[Float[Tensor, "N_Y D_S"], Float[Tensor, "N_Y N_X"]]:
    """Take all attention steps of a sentence at once: contexts and weights for each.

    The scores are dot products.
    """
    # (N_Y, N_X): a row for each state, so that the last axis counts the inputs
    E = s @ h.mT
    A = E.softmax(dim=-1)
    return A @ h, A
