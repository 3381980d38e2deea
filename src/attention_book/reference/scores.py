"""One step of attention as the lectures write it: score every input, turn the scores
into weights, mix.

    e_{t,i} = f_att(s, h_i)      a_t = softmax(e_t)      c_t = sum_i a_{t,i} h_i

f_att is the dot product, which needs s and h_i of one width, the bilinear form, also
called general [luong2015effective], or a small network, also called additive
[bahdanau2015neural].
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from attention_book.reference.softmax import softmax
from attention_book.shapes import check_shape


def dot_score(s: Float[np.ndarray, "D_S"], h_i: Float[np.ndarray, "D_S"]) -> float:
    """Score by s · h_i: both must have the same width."""
    return float(s @ h_i)


def bilinear_score(
    s: Float[np.ndarray, "D_S"],
    h_i: Float[np.ndarray, "D_H"],
    W: Float[np.ndarray, "D_S D_H"],
) -> float:
    """Score by s W h_i: a learned W says which entries of s and h_i go together."""
    return float(s @ W @ h_i)


def mlp_score(
    s: Float[np.ndarray, "D_S"],
    h_i: Float[np.ndarray, "D_H"],
    W: Float[np.ndarray, "D_S D_A"],
    U: Float[np.ndarray, "D_H D_A"],
    v: Float[np.ndarray, "D_A"],
) -> float:
    """Score by v · tanh(s W + h_i U): a network with one hidden layer of D_A units."""
    return float(v @ np.tanh(s @ W + h_i @ U))


def attend(
    f_att: Callable[..., float],
    s: Float[np.ndarray, "D_S"],
    h: Float[np.ndarray, "N_X D_H"],
    **weights: np.ndarray,
) -> tuple[
    Float[np.ndarray, "D_H"], Float[np.ndarray, "N_X"], Float[np.ndarray, "N_X"]
]:
    """Take one attention step over the inputs h.

    `f_att(s, h_i, **weights)` scores one input. Returned are c_t, a_t and the scores
    e_t.
    """
    check_shape("h", h, "N_X D_H")
    e_t = np.array([f_att(s, h_i, **weights) for h_i in h])
    a_t = softmax(e_t)
    return a_t @ h, a_t, e_t
