"""Layer normalisation: each vector gets mean 0 and standard deviation 1, and then a
scale and a shift that are learned [ba2016layer].

    mu = mean_j x_j      sigma^2 = mean_j (x_j - mu)^2
    y  = gamma * (x - mu) / sqrt(sigma^2 + eps) + beta

Means are over the D features of one vector: no other word and no other sentence of the
batch has a say. Without eps, a vector of equal numbers would be 0 / 0.
"""

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_number, check_shapes


def layer_norm(
    x: Float[np.ndarray, "*axes D"],
    gamma: Float[np.ndarray, "D"],
    beta: Float[np.ndarray, "D"],
    eps: float = 1e-5,
) -> Float[np.ndarray, "*axes D"]:
    """Normalise over the last axis, then scale and shift every feature."""
    check_shapes(x=(x, "*axes D"), gamma=(gamma, "D"), beta=(beta, "D"))
    check_number("eps", eps, above=0)
    mu = x.mean(axis=-1, keepdims=True)
    variance = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    z = (x - mu) / np.sqrt(variance + eps)
    return gamma * z + beta
