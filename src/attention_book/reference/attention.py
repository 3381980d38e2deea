"""Attention over a stack of queries: every query looks at every input, all at once.

    E = Q K^T / sqrt(D_Q)      A = softmax(E)      Y = A V

Dividing by sqrt(D_Q) keeps the scores of random vectors at variance 1, whatever their width, so that the softmax
starts out undecided [vaswani2017attention]. `visible` says what may be looked at: True, as in torch's
`scaled_dot_product_attention`. Leading axes (a batch, heads) are carried along.
"""

import numpy as np
from jaxtyping import Bool, Float

from attention_book.reference.softmax import softmax


def attention(
    Q: Float[np.ndarray, "*B N_Q D_Q"],
    K: Float[np.ndarray, "*B N_X D_Q"],
    V: Float[np.ndarray, "*B N_X D_V"],
    visible: Bool[np.ndarray, "*#B N_Q N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*B N_Q D_V"], Float[np.ndarray, "*B N_Q N_X"]]:
    """Look with every query at every input.

    Parameters
    ----------
    Q : array, shape (..., N_Q, D_Q)
        Queries.
    K, V : arrays, shapes (..., N_X, D_Q) and (..., N_X, D_V)
        Keys and values of the inputs.
    visible : array of bool, shape (..., N_Q, N_X), or None
        True where query i may look at input j; None where everything may be looked at.

    Returns
    -------
    Y : array, shape (..., N_Q, D_V)
        One output a query: the mean of the values, weighted by A.
    A : array, shape (..., N_Q, N_X)
        Weights; each row sums to 1 over the inputs.

    Raises
    ------
    ValueError
        If the shapes do not fit together, or a query may look at nothing.
    """
    _check(Q, K, V, visible)
    E = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if visible is not None:
        E = np.where(visible, E, -np.inf)  # before the softmax, so that the rest still sums to 1
    A = softmax(E)
    return A @ V, A


def self_attention(
    X: Float[np.ndarray, "*B N_X D_X"],
    W_Q: Float[np.ndarray, "D_X D_Q"],
    W_K: Float[np.ndarray, "D_X D_Q"],
    W_V: Float[np.ndarray, "D_X D_V"],
    visible: Bool[np.ndarray, "*#B N_X N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*B N_X D_V"], Float[np.ndarray, "*B N_X N_X"]]:
    """Let every input look at all inputs: queries, keys and values are made of the same X.

    Returns, and raises, what `attention` does.
    """
    return attention(X @ W_Q, X @ W_K, X @ W_V, visible)


def cross_attention(
    S: Float[np.ndarray, "*B N_Y D_S"],
    X: Float[np.ndarray, "*B N_X D_X"],
    W_Q: Float[np.ndarray, "D_S D_Q"],
    W_K: Float[np.ndarray, "D_X D_Q"],
    W_V: Float[np.ndarray, "D_X D_V"],
    visible: Bool[np.ndarray, "*#B N_Y N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*B N_Y D_V"], Float[np.ndarray, "*B N_Y N_X"]]:
    """Let the decoder's vectors S look at the encoder's X: queries of the one, keys and values of the other.

    Returns, and raises, what `attention` does.
    """
    return attention(S @ W_Q, X @ W_K, X @ W_V, visible)


def _check(Q, K, V, visible):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"Q has width {Q.shape[-1]} but K has width {K.shape[-1]}: queries and keys share D_Q")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(f"K has {K.shape[-2]} inputs but V has {V.shape[-2]}: each input has a key and a value")
    if visible is None:
        return
    if visible.shape[-2:] != (Q.shape[-2], K.shape[-2]):
        raise ValueError(f"visible has shape {visible.shape}, expected (..., {Q.shape[-2]}, {K.shape[-2]})")
    if not visible.any(axis=-1).all():
        raise ValueError("visible is False in a whole row: a query that may look nowhere has no weights")
