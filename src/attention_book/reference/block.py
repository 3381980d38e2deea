"""The encoder block: attention lets vectors meet, an MLP works on each alone, and both only add to what was there.

    Z = norm_1(X + attend(X))      Y = norm_2(Z + mlp(Z))

X + ... is the residual connection: a block that has nothing to say can add nothing. The norms stand behind the sums,
as in the lectures and the paper [vaswani2017attention]; many later models put them in front of attend and mlp.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

Layer = Callable[[np.ndarray], np.ndarray]


def block(
    X: Float[np.ndarray, "*B N D"], attend: Layer, mlp: Layer, norm_1: Layer, norm_2: Layer
) -> Float[np.ndarray, "*B N D"]:
    """Run one block.

    Parameters
    ----------
    X : array, shape (..., N, D)
        Vectors.
    attend, mlp, norm_1, norm_2 : callables
        Each takes and gives arrays of X's shape; `attend` alone lets positions meet.

    Raises
    ------
    ValueError
        If `attend` or `mlp` changes the shape, so that there is nothing to add to.
    """
    Z = norm_1(_added(X, attend(X), "attend"))
    return norm_2(_added(Z, mlp(Z), "mlp"))


def _added(X: np.ndarray, change: np.ndarray, name: str) -> np.ndarray:
    if change.shape != X.shape:
        raise ValueError(f"{name} gives shape {change.shape}, expected that of its input, {X.shape}")
    return X + change
