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

    `visible` broadcasts to (..., N_Q, N_X): True where a query may look. The rows of
    the weights A sum to 1 over the inputs.
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
    """Let every input look at all inputs: one X makes queries, keys and values."""
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
    """
    check_weights("S", S, W_Q=W_Q)
    check_weights("X", X, W_K=W_K, W_V=W_V)
    return attention(S @ W_Q, X @ W_K, X @ W_V, visible)


def check_weights(name: str, X: np.ndarray, **weights: np.ndarray) -> None:
    """Raise ValueError unless X, called `name`, can be multiplied by the weights."""
    for W_name, W in weights.items():
        check_shapes(**{name: (X, "*axes N D_X"), W_name: (W, "D_X D")})
