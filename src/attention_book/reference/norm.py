"""Layer norm: each vector by itself is given mean 0 and spread 1, then a learned scale and shift.

    mu = mean(x)      sigma^2 = mean((x - mu)^2)      y = gamma * (x - mu) / sqrt(sigma^2 + eps) + beta

Mean and spread go over the D numbers of one vector, never over positions or the batch, and sigma^2 divides by D
[ba2016layer].
"""

import numpy as np
from jaxtyping import Float


def layer_norm(
    x: Float[np.ndarray, "*axes D"], gamma: Float[np.ndarray, "D"], beta: Float[np.ndarray, "D"], eps: float = 1e-5
) -> Float[np.ndarray, "*axes D"]:
    """Normalise each vector along the last axis.

    Parameters
    ----------
    x : array, shape (..., D)
        Vectors.
    gamma, beta : arrays, shape (D,)
        Scale and shift, learned.
    eps : float
        Added under the root, so that a constant vector gives beta and not 0 / 0.

    Raises
    ------
    ValueError
        If the widths differ.
    """
    if not x.shape[-1:] == gamma.shape == beta.shape:
        raise ValueError(f"x, gamma and beta have shapes {x.shape}, {gamma.shape}, {beta.shape}: all must share D")
    mu = x.mean(axis=-1, keepdims=True)
    variance = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    return gamma * (x - mu) / np.sqrt(variance + eps) + beta
