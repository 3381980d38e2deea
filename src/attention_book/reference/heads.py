"""Several heads: attention done N_heads times side by side, each on a slice of the width.

    head k:  A_k, Y_k = attention(X W_Q, X W_K, X W_V), each restricted to its D_head columns
    Y = [Y_1 ... Y_N_heads] W_O

One head has one set of weights a query, so it must average over everything it wants to know; several heads can look
at different inputs at once [vaswani2017attention]. The cost stays the same, as each works on a narrower slice.
"""

import numpy as np
from jaxtyping import Bool, Float

from attention_book.reference.attention import attention


def split_heads(X: Float[np.ndarray, "*B N D"], N_heads: int) -> Float[np.ndarray, "*B N_heads N D_head"]:
    """Cut the width into heads and move their axis in front of the positions.

    Head k gets columns k * D_head to (k + 1) * D_head.

    Raises
    ------
    ValueError
        If the width is no multiple of `N_heads`.
    """
    *B, N, D = X.shape
    if N_heads < 1 or D % N_heads:
        raise ValueError(f"N_heads is {N_heads}, expected a divisor of the width {D}")
    return np.swapaxes(X.reshape(*B, N, N_heads, D // N_heads), -2, -3)


def merge_heads(Y: Float[np.ndarray, "*B N_heads N D_head"]) -> Float[np.ndarray, "*B N D"]:
    """Put the heads' outputs side by side again: `split_heads` undone."""
    *B, N_heads, N, D_head = Y.shape
    return np.swapaxes(Y, -2, -3).reshape(*B, N, N_heads * D_head)


def multi_head(
    X: Float[np.ndarray, "*B N_X D"],
    W_Q: Float[np.ndarray, "D D"],
    W_K: Float[np.ndarray, "D D"],
    W_V: Float[np.ndarray, "D D"],
    W_O: Float[np.ndarray, "D D"],
    N_heads: int,
    visible: Bool[np.ndarray, "*#B N_X N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*B N_X D"], Float[np.ndarray, "*B N_heads N_X N_X"]]:
    """Self-attention with several heads.

    Parameters
    ----------
    X : array, shape (..., N_X, D)
        Inputs.
    W_Q, W_K, W_V, W_O : arrays, shape (D, D)
        The matrices of all heads side by side, and the one that mixes the heads' outputs.
    N_heads : int
        Heads; D is a multiple of it.
    visible : array of bool, shape (..., N_X, N_X), or None
        Where input i may look, the same for all heads.

    Returns
    -------
    Y : array, shape (..., N_X, D)
        Outputs.
    A : array, shape (..., N_heads, N_X, N_X)
        The weights of every head.

    Raises
    ------
    ValueError
        As `split_heads` and `attention` do.
    """
    Q, K, V = (split_heads(X @ W, N_heads) for W in (W_Q, W_K, W_V))
    seen = None if visible is None else np.expand_dims(visible, -3)  # an axis for the heads
    Y, A = attention(Q, K, V, seen)
    return merge_heads(Y) @ W_O, A
