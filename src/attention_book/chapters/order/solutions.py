"""Chapter 6, *Sets, order, position*: worked solutions."""

import numpy as np
from jaxtyping import Float


def order_average(X: Float[np.ndarray, "N_X D"]) -> Float[np.ndarray, "D"]:
    """Take the average of a set of vectors."""
    return X.mean(axis=0)


def order_mix(
    a: Float[np.ndarray, "N_X"], X: Float[np.ndarray, "N_X D"]
) -> Float[np.ndarray, "D"]:
    """Mix a set of vectors with weights: the sum of a_i x_i over the inputs."""
    return a @ X
