"""Several heads: the width is cut into parts, and each part attends on its own
[vaswani2017attention].

    Q = X W_Q     K = X W_K     V = X W_V      for all heads side by side
    Y_k, A_k = attention(Q_k, K_k, V_k)        head k, in its D_head entries
    Y = [Y_1 ... Y_heads] W_O

In cross-attention a decoder asks: Q = S W_Q, keys and values from the encoder's X as
above. Twins: `reference.multi_head`, and torch's `nn.MultiheadAttention` by `to_torch`.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.attention import attention, learned_matrix
from attention_book.shapes import (
    check_counts,
    check_multiple,
    check_same,
    check_shape,
    check_shapes,
    check_visible,
)

KeysValues = tuple[Tensor, Tensor]  # K and V, each (..., N_heads, N_X, D_head)


class MultiHeadAttention(nn.Module):
    """What both layers with several heads are made of: four matrices.

    Parameters
    ----------
    D : int
        Width of an input and of an output.
    N_heads : int
        Number of heads: each is D_head = D / N_heads wide.
    """

    def __init__(self, D: int, N_heads: int):
        super().__init__()
        check_counts(D=D, N_heads=N_heads)
        check_multiple("D", D, N_heads)
        self.N_heads = N_heads
        self.W_Q, self.W_K = learned_matrix(D, D), learned_matrix(D, D)
        self.W_V, self.W_O = learned_matrix(D, D), learned_matrix(D, D)

    def keys_values(
        self, X: Float[Tensor, "*axes N_X D"]
    ) -> tuple[
        Float[Tensor, "*axes N_heads N_X D_head"],
        Float[Tensor, "*axes N_heads N_X D_head"],
    ]:
        """Make keys and values of inputs, for each head: they can be kept."""
        check_shapes(X=(X, "*axes N_X D"), W_K=(self.W_K, "D D"))
        return self._cut(X @ self.W_K), self._cut(X @ self.W_V)

    def look(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        K: Float[Tensor, "*axes N_heads N_X D_head"],
        V: Float[Tensor, "*axes N_heads N_X D_head"],
        visible: Bool[Tensor, "... N_X"] | None = None,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Y D"], Float[Tensor, "*axes N_heads N_Y N_X"]]:
        """Let states look at keys, and take values.

        Parameters
        ----------
        S : (..., N_Y, D)
            They make the queries.
        K, V : (..., N_heads, N_X, D_head)
            As `keys_values` gives them.
        visible : broadcasts to (..., N_Y, N_X), optional
            True where a state may look, the same for all heads.
        intervene : callable, optional
            `intervene(A)` gives the weights to use instead of A.

        Returns
        -------
        Y : (..., N_Y, D)
        A : (..., N_heads, N_Y, N_X)
            The weights that were used.
        """
        check_shapes(S=(S, "*axes N_Y D"), W_Q=(self.W_Q, "D D"))
        visible = for_all_heads(visible, S, K)
        Y, A = attention(self._cut(S @ self.W_Q), K, V, visible)
        if intervene is not None:
            A = intervene(A)
            Y = A @ V
        return rearrange(Y, "... h n d -> ... n (h d)") @ self.W_O, A

    def _cut(self, X: Tensor) -> Tensor:
        return rearrange(X, "... n (h d) -> ... h n d", h=self.N_heads)


class MultiHeadSelfAttention(MultiHeadAttention):
    """A self-attention layer with several heads, to be read.

    Parameters
    ----------
    D : int
        Width of an input and of an output.
    N_heads : int
        Number of heads: each is D_head = D / N_heads wide.
    """

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
        """
        check_shapes(X=(X, "*axes N_X D"), W_Q=(self.W_Q, "D D"))
        Q, K, V = (
            rearrange(X @ W, "... n (h d) -> ... h n d", h=self.N_heads)
            for W in (self.W_Q, self.W_K, self.W_V)
        )
        Y, A = attention(Q, K, V, for_all_heads(visible, X))
        return rearrange(Y, "... h n d -> ... n (h d)") @ self.W_O, A

    def step(
        self, X: Float[Tensor, "*axes 1 D"], past: KeysValues
    ) -> tuple[
        Float[Tensor, "*axes 1 D"], Float[Tensor, "*axes N_heads 1 N_X"], KeysValues
    ]:
        """Let the next input look at those before it, of which keys and values were
        kept, and at itself: a row of `forward` with a causal mask.

        Parameters
        ----------
        X : (..., 1, D)
            Input number t, from 0.
        past : (K, V), each (..., N_heads, t, D_head)
            Of the inputs before it.

        Returns
        -------
        Y : (..., 1, D)
        A : (..., N_heads, 1, t + 1)
        past : (K, V), each (..., N_heads, t + 1, D_head)
            The input's own behind the others, for the next step.
        """
        check_shape("X", X, "*axes one D", one=1, D=len(self.W_Q))
        K, V = map(joined, past, self.keys_values(X))
        Y, A = self.look(X, K, V)
        return Y, A, (K, V)


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
        """Return a new vector for each input, and None in place of the weights."""
        check_shapes(X=(X, "*axes N_X D"), W_Q=(self.W_Q, "D D"))
        W = torch.cat([self.W_Q, self.W_K, self.W_V], dim=1)  # (D, 3 D)
        Q, K, V = rearrange(
            X @ W, "... n (three h d) -> three ... h n d", three=3, h=self.N_heads
        )
        visible = for_all_heads(visible, X)
        Y = F.scaled_dot_product_attention(Q, K, V, attn_mask=visible)
        return rearrange(Y, "... h n d -> ... n (h d)") @ self.W_O, None


class MultiHeadCrossAttention(MultiHeadAttention):
    """A cross-attention layer with several heads: a decoder's states look at what an
    encoder made of its inputs.

    Parameters and errors as for `MultiHeadSelfAttention`; both sides are D wide.
    """

    def forward(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Y D"], Float[Tensor, "*axes N_heads N_Y N_X"]]:
        """Return what each state has found, and the weights of each head.

        Parameters
        ----------
        S : (..., N_Y, D)
            The decoder's states: they make the queries.
        X : (..., N_X, D)
            The encoder's vectors: they make keys and values.
        visible : broadcasts to (..., N_Y, N_X), optional
            True where a state may look, the same for all heads.

        Returns
        -------
        Y : (..., N_Y, D)
        A : (..., N_heads, N_Y, N_X)
            Each row sums to 1 over the inputs.
        """
        K, V = self.keys_values(X)
        return self.look(S, K, V, visible)


class FastMultiHeadCrossAttention(MultiHeadCrossAttention):
    """The same layer by torch's kernel; it cannot return its weights."""

    def forward(  # type: ignore[override]  # None is all it can say of its weights
        self,
        S: Float[Tensor, "*axes N_Y D"],
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Y D"], None]:
        """Return what each state has found, and None in place of the weights."""
        check_shapes(S=(S, "*axes N_Y D"), W_Q=(self.W_Q, "D D"))
        K, V = self.keys_values(X)
        visible = for_all_heads(visible, S, X)
        Q = self._cut(S @ self.W_Q)
        Y = F.scaled_dot_product_attention(Q, K, V, attn_mask=visible)
        return rearrange(Y, "... h n d -> ... n (h d)") @ self.W_O, None


def for_all_heads(
    visible: Tensor | None, S: Tensor, X: Tensor | None = None
) -> Tensor | None:
    """Give a mask an axis for the heads, in front of the queries': S looks at X."""
    if visible is None:
        return None
    check_visible(visible, (*S.shape[:-1], (S if X is None else X).shape[-2]))
    return torch.atleast_2d(visible).unsqueeze(-3)


def joined(past: Tensor, new: Tensor) -> Tensor:
    """Put keys or values behind those that were kept."""
    check_same(
        "one layer and one batch, and only the inputs may be more",
        past=(*past.shape[:-2], past.shape[-1]),
        new=(*new.shape[:-2], new.shape[-1]),
    )
    return torch.cat([past, new], dim=-2)
