"""Softmax: scores in, weights out; the weights are positive and sum to 1 over the last
axis.

    a_i = exp(e_i) / sum_j exp(e_j)

Subtracting the largest score first changes nothing in exact arithmetic and keeps `exp`
from overflowing.
"""

import numpy as np
from jaxtyping import Float


def softmax(e: Float[np.ndarray, "*axes N_X"]) -> Float[np.ndarray, "*axes N_X"]:
    """Turn scores into weights over the last axis.

    A score of -inf means "may not be looked at", and gets weight 0.
    """
    _check_scores(e)
    largest = e.max(axis=-1, keepdims=True)
    positive = np.exp(e - largest)
    return positive / positive.sum(axis=-1, keepdims=True)


def _check_scores(e: np.ndarray) -> None:
    if e.ndim == 0 or e.shape[-1] == 0:
        raise ValueError(
            f"e has shape {e.shape}: softmax needs at least one score along the last "
            "axis"
        )
    if np.isnan(e).any() or np.isposinf(e).any():
        raise ValueError(
            "e holds NaN or +inf: scores must be finite, or -inf where looking is not "
            "allowed"
        )
    if np.isneginf(e).all(axis=-1).any():
        raise ValueError(
            "e has a row of -inf only: a query that may look nowhere has no weights"
        )
