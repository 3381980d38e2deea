"""Chapter 10, *Layer norm and residuals*: worked solutions."""

import numpy as np
from jaxtyping import Float


def norm_and_residuals_average(X: Float[np.ndarray, "N_X D"]) -> Float[np.ndarray, "D"]:
    """Take the average of a set of vectors."""
    return X.mean(axis=0)


def norm_and_residuals_mix(
    a: Float[np.ndarray, "N_X"], X: Float[np.ndarray, "N_X D"]
) -> Float[np.ndarray, "D"]:
    """Mix a set of vectors with weights: the sum of a_i x_i over the inputs."""
    return a @ X
