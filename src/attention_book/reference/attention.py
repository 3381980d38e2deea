"""Attention for all queries at once: compare, hide, weigh, mix [vaswani2017attention].

    E = Q K^T / sqrt(D_Q)      A = softmax(E) over the inputs      Y = A V

Three ways to come by Q, K and V: they are given; one sequence X makes all three
(self-attention); the decoder's states S make the queries and the encoder's X the keys
and values (cross-attention). A mask `visible` is True where a query may look. It is
applied to the scores, *before* the softmax, so that what is left still sums to 1.
"""

import numpy as np
from jaxtyping import Bool, Float

from attention_book.reference.softmax import softmax
from attention_book.shapes import check_shapes, check_visible


def attention(
    Q: Float[np.ndarray, "*axes N_Q D_Q"],
    K: Float[np.ndarray, "*axes N_X D_Q"],
    V: Float[np.ndarray, "*axes N_X D_V"],
    visible: Bool[np.ndarray, "... N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*axes N_Q D_V"], Float[np.ndarray, "*axes N_Q N_X"]]:
    """Let every query look at the inputs: scaled dot-product attention.

    The dot product of two vectors of D_Q entries grows like sqrt(D_Q); divided by it,
    the scores keep a size at which the softmax still learns.

    Parameters
    ----------
    Q : array, shape (..., N_Q, D_Q)
        The queries.
    K, V : arrays, shapes (..., N_X, D_Q), (..., N_X, D_V)
        Key and value of each input.
    visible : array of bool that broadcasts to (..., N_Q, N_X), optional
        True where a query may look. None: everywhere.

    Returns
    -------
    Y : array, shape (..., N_Q, D_V)
        A mixture of the values for each query.
    A : array, shape (..., N_Q, N_X)
        The weights; each row sums to 1 over the inputs.

    Raises
    ------
    ValueError
        If shapes do not fit together, `visible` is not boolean, or a query may look at
        nothing.
    """
    check_shapes(Q=(Q, "*axes N_Q D_Q"), K=(K, "*axes N_X D_Q"), V=(V, "*axes N_X D_V"))
    D_Q = Q.shape[-1]
    E = Q @ np.swapaxes(K, -1, -2) / np.sqrt(D_Q)
    if visible is not None:
        check_visible(visible, E.shape)
        E = np.where(visible, E, -np.inf)
    A = softmax(E)
    return A @ V, A


def self_attention(
    X: Float[np.ndarray, "*axes N_X D_X"],
    W_Q: Float[np.ndarray, "D_X D_Q"],
    W_K: Float[np.ndarray, "D_X D_Q"],
    W_V: Float[np.ndarray, "D_X D_V"],
    visible: Bool[np.ndarray, "... N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*axes N_X D_V"], Float[np.ndarray, "*axes N_X N_X"]]:
    """Let every input look at all inputs: one X makes queries, keys and values.

    Parameters
    ----------
    X : array, shape (..., N_X, D_X)
        The inputs.
    W_Q, W_K, W_V : arrays, shapes (D_X, D_Q), (D_X, D_Q), (D_X, D_V)
        What makes an input's query, key and value.
    visible : array of bool that broadcasts to (..., N_X, N_X), optional
        visible[i, j]: input i may look at input j.

    Returns
    -------
    Y : array, shape (..., N_X, D_V)
        A new vector for each input.
    A : array, shape (..., N_X, N_X)
        The weights; each row sums to 1 over the inputs looked at.

    Raises
    ------
    ValueError
        If shapes do not fit together, or an input may look at nothing.
    """
    check_weights("X", X, W_Q=W_Q, W_K=W_K, W_V=W_V)
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    return attention(Q, K, V, visible)


def cross_attention(
    S: Float[np.ndarray, "*axes N_Y D_S"],
    X: Float[np.ndarray, "*axes N_X D_X"],
    W_Q: Float[np.ndarray, "D_S D_Q"],
    W_K: Float[np.ndarray, "D_X D_Q"],
    W_V: Float[np.ndarray, "D_X D_V"],
    visible: Bool[np.ndarray, "... N_X"] | None = None,
) -> tuple[Float[np.ndarray, "*axes N_Y D_V"], Float[np.ndarray, "*axes N_Y N_X"]]:
    """Let every state of the decoder look at the encoder's inputs.

    Who asks is the decoder; what is looked at, and what is taken from it, is the
    encoder's.

    Parameters
    ----------
    S : array, shape (..., N_Y, D_S)
        The decoder's states: they make the queries.
    X : array, shape (..., N_X, D_X)
        What the encoder gives: it makes keys and values.
    W_Q, W_K, W_V : arrays, shapes (D_S, D_Q), (D_X, D_Q), (D_X, D_V)
        What makes query, key and value.
    visible : array of bool that broadcasts to (..., N_Y, N_X), optional
        visible[t, i]: step t may look at input i.

    Returns
    -------
    Y : array, shape (..., N_Y, D_V)
        The context of each step.
    A : array, shape (..., N_Y, N_X)
        The weights; each row sums to 1 over the inputs.

    Raises
    ------
    ValueError
        If shapes do not fit together, or a step may look at nothing.
    """
    check_weights("S", S, W_Q=W_Q)
    check_weights("X", X, W_K=W_K, W_V=W_V)
    return attention(S @ W_Q, X @ W_K, X @ W_V, visible)


def check_weights(name: str, X: np.ndarray, **weights: np.ndarray) -> None:
    """Raise ValueError unless X, called `name`, can be multiplied by the weights."""
    for W_name, W in weights.items():
        check_shapes(**{name: (X, "*axes N D_X"), W_name: (W, "D_X D")})
