"""Several heads: the width is cut into parts, and each part attends on its own
[vaswani2017attention].

    (..., N, D)  ->  (..., N, N_heads, D_head)  ->  (..., N_heads, N, D_head)

A reshape, then a swap of two axes: a reshape alone would give a head some of the
positions instead of some of the width. Then heads are just one more leading axis.
"""

import numpy as np
from jaxtyping import Bool, Float

from attention_book.reference.attention import attention, check_weights
from attention_book.shapes import check_shape, check_visible


def split_heads(
    X: Float[np.ndarray, "*axes N D"], N_heads: int
) -> Float[np.ndarray, "*axes N_heads N D_head"]:
    """Cut the width into heads: head k gets D_head entries of every vector.

    They are the entries k * D_head to (k + 1) * D_head.
    """
    check_shape("X", X, "*axes N D")
    *axes, N, D = X.shape
    _check_divisor(N_heads, D)
    parts = X.reshape(*axes, N, N_heads, D // N_heads)
    return np.swapaxes(parts, -3, -2)


def _check_divisor(N_heads: int, D: int) -> None:
    if N_heads < 1 or D % N_heads:
        raise ValueError(
            f"N_heads is {N_heads}, expected a divisor of the width D = {D}"
        )


def merge_heads(
    X: Float[np.ndarray, "*axes N_heads N D_head"],
) -> Float[np.ndarray, "*axes N D"]:
    """Put the heads' vectors side by side again: undo `split_heads`."""
    check_shape("X", X, "*axes N_heads N D_head")
    parts = np.swapaxes(X, -3, -2)
    *axes, N, N_heads, D_head = parts.shape
    return parts.reshape(*axes, N, N_heads * D_head)


def multi_head(
    X: Float[np.ndarray, "*axes N_X D_X"],
    W_Q: Float[np.ndarray, "D_X D"],
    W_K: Float[np.ndarray, "D_X D"],
    W_V: Float[np.ndarray, "D_X D_V"],
    W_O: Float[np.ndarray, "D_V D_Y"],
    N_heads: int,
    visible: Bool[np.ndarray, "... N_X"] | None = None,
) -> tuple[
    Float[np.ndarray, "*axes N_X D_Y"], Float[np.ndarray, "*axes N_heads N_X N_X"]
]:
    """Let every input look at all inputs in N_heads ways at once.

    W_Q, W_K and W_V make the queries, keys and values of all heads side by side, W_O
    mixes what they have found.
    """
    check_weights("X", X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    Q = split_heads(X @ W_Q, N_heads)
    K = split_heads(X @ W_K, N_heads)
    V = split_heads(X @ W_V, N_heads)
    if visible is not None:
        check_visible(visible, (*X.shape[:-1], X.shape[-2]))
        visible = np.atleast_2d(visible)[..., None, :, :]  # one mask for all heads
    found, A = attention(Q, K, V, visible)
    check_shape("W_O", W_O, "D_V D_Y", D_V=W_V.shape[1])
    return merge_heads(found) @ W_O, A
