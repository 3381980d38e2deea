"""Recurrent cells: a state that is rewritten at every step, always with the same
weights.

    RNN   h_t = tanh(x_t W_x + h_{t-1} W_h + b)
    GRU   r, z = sigmoid(...)       which part of the old state to read, which to keep
          n    = tanh(x_t W_n + b + r * (h_{t-1} U_n + b'))
          h_t  = (1 - z) * n + z * h_{t-1}

The GRU of Cho et al. (2014), as `torch.nn.GRU` has it: r comes *after* the state's
matrix. In the paper it comes before.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from attention_book.shapes import check_shape, check_shapes


def sigmoid(x: Float[np.ndarray, "*axes"]) -> Float[np.ndarray, "*axes"]:
    """Squash numbers into (0, 1): 1 / (1 + exp(-x)), without an exp that overflows."""
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def rnn_cell(
    x_t: Float[np.ndarray, "D_X"],
    h_prev: Float[np.ndarray, "D_H"],
    W_x: Float[np.ndarray, "D_X D_H"],
    W_h: Float[np.ndarray, "D_H D_H"],
    b: Float[np.ndarray, "D_H"],
) -> Float[np.ndarray, "D_H"]:
    """Take one step of a plain RNN."""
    _check_widths(x_t, h_prev, W_x, W_h, b=b)
    return np.tanh(x_t @ W_x + h_prev @ W_h + b)


def gru_cell(
    x_t: Float[np.ndarray, "D_X"],
    h_prev: Float[np.ndarray, "D_H"],
    W_x: Float[np.ndarray, "D_X 3*D_H"],
    W_h: Float[np.ndarray, "D_H 3*D_H"],
    b_x: Float[np.ndarray, "3*D_H"],
    b_h: Float[np.ndarray, "3*D_H"],
) -> Float[np.ndarray, "D_H"]:
    """Take one step of a gated recurrent unit.

    The columns of the weights, and the biases, are three blocks: reset, keep, new. Two
    biases are needed, as r scales only the second.
    """
    _check_widths(x_t, h_prev, W_x, W_h, "3*D_H", b_x=b_x, b_h=b_h)
    x_r, x_z, x_n = np.split(x_t @ W_x + b_x, 3)
    h_r, h_z, h_n = np.split(h_prev @ W_h + b_h, 3)
    r = sigmoid(x_r + h_r)  # how much of the old state the proposal reads
    z = sigmoid(x_z + h_z)  # how much of the old state is kept
    n = np.tanh(x_n + r * h_n)  # the proposal
    return (1 - z) * n + z * h_prev


def encode(
    X: Float[np.ndarray, "N_X D_X"],
    cell: Callable[..., np.ndarray],
    h_0: Float[np.ndarray, "D_H"],
    **weights: np.ndarray,
) -> tuple[Float[np.ndarray, "N_X D_H"], Float[np.ndarray, "D_H"]]:
    """Read a sequence from left to right: h_t = f_W(x_t, h_{t-1}).

    `cell` is the f of the formula. The last state is all that the fixed-context decoder
    gets to see.
    """
    check_shape("X", X, "N_X D_X")
    h, h_t = [], h_0
    for x_t in X:
        h_t = cell(x_t, h_t, **weights)
        h.append(h_t)
    return np.stack(h), h_t


def _check_widths(x_t, h_prev, W_x, W_h, width="D_H", **biases):
    check_shapes(
        h_prev=(h_prev, "D_H"),
        W_x=(W_x, f"D_X {width}"),
        W_h=(W_h, f"D_H {width}"),
        x_t=(x_t, "D_X"),
        **{name: (bias, width) for name, bias in biases.items()},
    )
