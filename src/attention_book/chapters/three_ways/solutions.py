"""Chapter 8, *Three ways to process a sequence*: worked solutions."""

import numpy as np
from jaxtyping import Float


def three_ways_average(X: Float[np.ndarray, "N_X D"]) -> Float[np.ndarray, "D"]:
    """Take the average of a set of vectors."""
    return X.mean(axis=0)


def three_ways_mix(
    a: Float[np.ndarray, "N_X"], X: Float[np.ndarray, "N_X D"]
) -> Float[np.ndarray, "D"]:
    """Mix a set of vectors with weights: the sum of a_i x_i over the inputs."""
    return a @ X
