"""How sharp is attention, and does it look where it should?

    entropy_j = - sum_i A_{j,i} log2 A_{j,i}
    mass_j    = sum of A_{j,i} over the gold links (i, j)

Entropy is 0 bits when all weight is on one input, log2 N_X when every input gets the
same. Sharp is not right: the entropy does not know where the weight should be, the mass
on the gold links does.
"""

from collections.abc import Set

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_shape

Links = Set[tuple[int, int]]  # (i, j): input i and target word j belong together

# how far from 1 the weights of a row may sum: half precision is allowed
ROUNDING = 1e-3


def attention_entropy(A: Float[np.ndarray, "N_Y N_X"]) -> Float[np.ndarray, "N_Y"]:
    """Entropy of each row, in bits."""
    check_weights(A)
    logs = np.log2(A, out=np.zeros_like(A), where=A > 0)  # 0 log 0 is 0
    return 0.0 - (A * logs).sum(axis=1)  # and not -0.0


def mass_on_gold(
    A: Float[np.ndarray, "N_Y N_X"], gold: Links
) -> Float[np.ndarray, "N_Y"]:
    """Share of each row's weight that is on gold links.

    NaN for a word without gold link, such as [STOP]: no place is right for it. Average
    with `np.nanmean`.
    """
    check_weights(A)
    check_inside("gold", gold, *A.shape)
    mass = np.full(len(A), np.nan)
    for j in {j for _, j in gold}:
        mass[j] = sum(A[j, i] for i, linked in gold if linked == j)
    return mass


def check_weights(A: Float[np.ndarray, "N_Y N_X"]) -> None:
    """Raise unless A is a stack of weights."""
    check_shape("A", A, "N_Y N_X")
    if not np.isfinite(A).all() or (A < 0).any():
        raise ValueError(
            "A holds NaN, infinite or negative numbers, expected weights: scores must "
            "go through softmax"
        )
    sums = A.sum(axis=1, dtype=np.float64)
    wrong = np.abs(sums - 1) > ROUNDING
    if wrong.any():
        j = int(wrong.argmax())
        why = ""
        if np.abs(A.sum(axis=0, dtype=np.float64) - 1).max() <= ROUNDING:
            why = ": the columns do, so A looks transposed, or softmax ran over them"
        raise ValueError(
            f"row {j} of A sums to {sums[j]:.3f}, expected rows that sum to 1{why}"
        )


def check_inside(name: str, links: Links, N_Y: int, N_X: int) -> None:
    """Raise if a link names an input or a target word that is not there."""
    for i, j in sorted(links):
        if not (0 <= i < N_X and 0 <= j < N_Y):
            raise ValueError(
                f"{name} holds the link {(i, j)}, expected (i, j) with i below N_X = "
                f"{N_X} and j below N_Y = {N_Y}"
            )
