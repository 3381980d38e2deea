"""Chapter 2, *Attention*: worked solutions."""

from collections.abc import Collection

import numpy as np
from jaxtyping import Bool, Float


def attention_step(
    s: Float[np.ndarray, "D_S"], h: Float[np.ndarray, "N_X D_S"], visible: Bool[np.ndarray, "N_X"]
) -> tuple[Float[np.ndarray, "D_S"], Float[np.ndarray, "N_X"]]:
    """Take one attention step with dot scores, and give no weight to what is not visible."""
    if not visible.any():
        raise ValueError("visible is False everywhere: there is nothing to look at")
    e_t = np.where(visible, h @ s, -np.inf)  # before the softmax: afterwards the weights would no longer sum to 1
    a_t = np.exp(e_t - e_t.max())  # the largest score becomes 0, so nothing overflows
    a_t = a_t / a_t.sum()
    return a_t @ h, a_t


def error_rate(A: Float[np.ndarray, "N_Y N_X"], gold: Collection[tuple[int, int]], N_words: int) -> float:
    """Link each target word to its strongest input, and give 1 minus the F measure against the gold links."""
    strongest = A.argmax(axis=1)  # over the inputs: one for each row
    links = {(int(i), j) for j, i in enumerate(strongest) if i < N_words}  # [STOP] comes after the words: no link
    return 1 - 2 * len(links & set(gold)) / (len(links) + len(gold))


def work_per_word(N_X: int, D_S: int, D_H: int, D_A: int) -> dict[str, int]:
    """Count the multiplications to score N_X inputs for one more word, when all that can be done before is done."""
    return {
        "dot": N_X * D_H,  # s · h_i
        "bilinear": N_X * D_S,  # s · (W h_i), and W h_i is known
        "mlp": D_S * D_A + N_X * D_A,  # W s once, then v · tanh(...) for every input
    }
