"""Attention as a layer, for batches: the twins of `reference.attention`, which train
[vaswani2017attention].

    K = X W_K      V = X W_V      E = Q K^T / sqrt(D_Q)      A = softmax(E)      Y = A V

`Attention` is given its queries; `SelfAttention` makes them of the same X: Q = X W_Q.
A mask `visible` is True where a query may look.
"""

from math import sqrt

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.scores import attention_weights
from attention_book.shapes import check_counts, check_shapes


def attention(
    Q: Float[Tensor, "*axes N_Q D_Q"],
    K: Float[Tensor, "*axes N_X D_Q"],
    V: Float[Tensor, "*axes N_X D_V"],
    visible: Bool[Tensor, "... N_X"] | None = None,
) -> tuple[Float[Tensor, "*axes N_Q D_V"], Float[Tensor, "*axes N_Q N_X"]]:
    """Let every query look at the inputs: scaled dot-product attention.

    `visible` broadcasts to (..., N_Q, N_X): True where a query may look. The rows of
    the weights A sum to 1 over the inputs.
    """
    check_shapes(Q=(Q, "*axes N_Q D_Q"), K=(K, "*axes N_X D_Q"), V=(V, "*axes N_X D_V"))
    E = Q / sqrt(Q.shape[-1]) @ K.mT  # (..., N_Q, N_X); Q has fewer entries to divide
    A = attention_weights(E, visible)
    return A @ V, A  # (..., N_Q, D_V)


class Attention(nn.Module):
    """An attention layer: queries look at inputs, by keys, and take values.

    D_X is the width of an input, D_Q that of a query and a key, D_V that of a value and
    an output.
    """

    def __init__(self, D_X: int, D_Q: int, D_V: int):
        super().__init__()
        check_counts(D_X=D_X, D_Q=D_Q, D_V=D_V)
        self.W_K = weight_matrix(D_X, D_Q)
        self.W_V = weight_matrix(D_X, D_V)

    def forward(
        self,
        Q: Float[Tensor, "*axes N_Q D_Q"],
        X: Float[Tensor, "*axes N_X D_X"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Q D_V"], Float[Tensor, "*axes N_Q N_X"]]:
        """Return outputs Y and weights A, as `attention` does."""
        check_shapes(X=(X, "*axes N_X D_X"), W_K=(self.W_K, "D_X D_Q"))
        return attention(Q, X @ self.W_K, X @ self.W_V, visible)


class SelfAttention(nn.Module):
    """A self-attention layer: one query for each input, made of that input."""

    def __init__(self, D_X: int, D_Q: int, D_V: int):
        super().__init__()
        check_counts(D_X=D_X, D_Q=D_Q, D_V=D_V)
        self.W_Q = weight_matrix(D_X, D_Q)
        self.W_K = weight_matrix(D_X, D_Q)
        self.W_V = weight_matrix(D_X, D_V)

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D_X"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D_V"], Float[Tensor, "*axes N_X N_X"]]:
        """Return a new vector for each input, and the weights."""
        Q, K, V = self.project(X)
        return attention(Q, K, V, visible)

    def project(
        self, X: Float[Tensor, "*axes N_X D_X"]
    ) -> tuple[
        Float[Tensor, "*axes N_X D_Q"],
        Float[Tensor, "*axes N_X D_Q"],
        Float[Tensor, "*axes N_X D_V"],
    ]:
        """Make queries, keys and values: X W_Q, X W_K, X W_V."""
        check_shapes(X=(X, "*axes N_X D_X"), W_Q=(self.W_Q, "D_X D_Q"))
        return X @ self.W_Q, X @ self.W_K, X @ self.W_V


def weight_matrix(D_in: int, D_out: int) -> nn.Parameter:
    """Make a matrix to learn, for X @ W, filled as `nn.Linear` fills its own."""
    bound = 1 / sqrt(D_in)
    return nn.Parameter(torch.empty(D_in, D_out).uniform_(-bound, bound))
