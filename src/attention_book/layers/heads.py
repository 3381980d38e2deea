"""Several heads: the width is cut into parts, and each part attends on its own
[vaswani2017attention].

    Q = X W_Q     K = X W_K     V = X W_V      for all heads side by side
    Y_k, A_k = attention(Q_k, K_k, V_k)        head k, in its D_head entries
    Y = [Y_1 ... Y_heads] W_O

Twins: `reference.multi_head`, and torch's `nn.MultiheadAttention` by `to_torch`.
"""

import torch
import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.attention import attention, learned_matrix
from attention_book.shapes import (
    check_counts,
    check_multiple,
    check_shapes,
    check_visible,
)


class MultiHeadSelfAttention(nn.Module):
    """A self-attention layer with several heads, to be read.

    Parameters
    ----------
    D : int
        Width of an input and of an output.
    N_heads : int
        Number of heads: each is D_head = D / N_heads wide.

    Raises
    ------
    ValueError
        If one is below 1, or N_heads does not divide D.
    """

    def __init__(self, D: int, N_heads: int):
        super().__init__()
        check_counts(D=D, N_heads=N_heads)
        check_multiple("D", D, N_heads)
        self.N_heads = N_heads
        self.W_Q, self.W_K = learned_matrix(D, D), learned_matrix(D, D)
        self.W_V, self.W_O = learned_matrix(D, D), learned_matrix(D, D)

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D"], Float[Tensor, "*axes N_heads N_X N_X"]]:
        """Return a new vector for each input, and the weights of each head.

        Parameters
        ----------
        X : (..., N_X, D)
            The inputs.
        visible : broadcasts to (..., N_X, N_X), optional
            True where a position may look, the same for all heads.

        Returns
        -------
        Y : (..., N_X, D)
        A : (..., N_heads, N_X, N_X)
            Each row sums to 1 over the inputs.

        Raises
        ------
        ValueError
            As `attention`.
        """
        check_shapes(X=(X, "*axes N_X D"), W_Q=(self.W_Q, "D D"))
        Q, K, V = (
            rearrange(X @ W, "... n (h d) -> ... h n d", h=self.N_heads)
            for W in (self.W_Q, self.W_K, self.W_V)
        )
        Y, A = attention(Q, K, V, _for_all_heads(visible, X))
        return rearrange(Y, "... h n d -> ... n (h d)") @ self.W_O, A


class FastMultiHeadSelfAttention(MultiHeadSelfAttention):
    """The same layer, fast: it never holds its weights, and cannot return them.

    One product makes queries, keys and values, and torch's kernel goes through the
    scores in tiles [dao2022flash].
    """

    def forward(  # type: ignore[override]  # None is all it can say of its weights
        self,
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D"], None]:
        """Return a new vector for each input, and None in place of the weights.

        Raises
        ------
        ValueError
            As `MultiHeadSelfAttention`.
        """
        check_shapes(X=(X, "*axes N_X D"), W_Q=(self.W_Q, "D D"))
        W = torch.cat([self.W_Q, self.W_K, self.W_V], dim=1)  # (D, 3 D)
        Q, K, V = rearrange(
            X @ W, "... n (three h d) -> three ... h n d", three=3, h=self.N_heads
        )
        visible = _for_all_heads(visible, X)
        Y = F.scaled_dot_product_attention(Q, K, V, attn_mask=visible)
        return rearrange(Y, "... h n d -> ... n (h d)") @ self.W_O, None


def _for_all_heads(visible: Tensor | None, X: Tensor) -> Tensor | None:
    """Give a mask an axis for the heads, in front of the queries'."""
    if visible is None:
        return None
    check_visible(visible, (*X.shape[:-1], X.shape[-2]))
    return torch.atleast_2d(visible).unsqueeze(-3)
