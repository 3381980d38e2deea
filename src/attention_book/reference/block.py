"""The block of a Transformer: attention between the vectors, then an MLP on each of
them; both add to what is there.

    Z = norm_1(X + attend(X))      Y = norm_2(Z + mlp(Z))

A part that has nothing to say gives 0, and X passes. The norm behind each sum
(post-norm) is that of the first Transformer [vaswani2017attention]; deep models mostly
put it in front of each part (pre-norm) [xiong2020layer].
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

Part = Callable[[Float[np.ndarray, "*B N_X D"]], Float[np.ndarray, "*B N_X D"]]


def block(
    X: Float[np.ndarray, "*B N_X D"],
    attend: Part,
    mlp: Part,
    norm_1: Part,
    norm_2: Part,
) -> Float[np.ndarray, "*B N_X D"]:
    """Attend, add, normalise; then think, add, normalise: the block of the lectures.

    Only `attend` lets vectors look at each other.
    """
    Z = norm_1(residual(X, attend(X)))
    return norm_2(residual(Z, mlp(Z)))


def pre_norm_block(
    X: Float[np.ndarray, "*B N_X D"],
    attend: Part,
    mlp: Part,
    norm_1: Part,
    norm_2: Part,
) -> Float[np.ndarray, "*B N_X D"]:
    """Normalise, attend, add; then normalise, think, add: X is never normalised."""
    Z = residual(X, attend(norm_1(X)))
    return residual(Z, mlp(norm_2(Z)))


def residual(
    X: Float[np.ndarray, "..."], change: Float[np.ndarray, "..."]
) -> Float[np.ndarray, "..."]:
    """Add what a part found to what was there.

    The two must be of one shape: NumPy would stretch some others in silence.
    """
    if change.shape != X.shape:
        raise ValueError(
            f"change has shape {change.shape}, expected {X.shape} as X: a part must "
            "keep the shape"
        )
    return X + change
