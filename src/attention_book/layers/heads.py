"""Several heads: the width is cut into parts, and each part attends on its own
[vaswani2017attention].

    Q = X W_Q     K = X W_K     V = X W_V      for all heads side by side
    Y_k, A_k = attention(Q_k, K_k, V_k)        head k, in its D_head entries
    Y = [Y_1 ... Y_heads] W_O

In cross-attention keys and values come from a `context`, what an encoder made. Twins:
`reference.multi_head`, and torch's `nn.MultiheadAttention` by `to_torch`.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.attention import attention, weight_matrix
from attention_book.shapes import (
    check_counts,
    check_multiple,
    check_same,
    check_shapes,
    check_visible,
)

KVCache = tuple[Tensor, Tensor]  # K and V, each (..., N_heads, N_X, D_head)


class MultiHeadAttention(nn.Module):
    """Attention with several heads, to be read; each is D_head = D / N_heads wide.

    With `bias` a vector is added to each product, Q = X W_Q + b_Q, as in BERT and GPT.
    """

    def __init__(self, D: int, N_heads: int, bias: bool = False):
        super().__init__()
        check_counts(D=D, N_heads=N_heads)
        check_multiple("D", D, N_heads)
        self.N_heads = N_heads
        self.W_Q, self.W_K = weight_matrix(D, D), weight_matrix(D, D)
        self.W_V, self.W_O = weight_matrix(D, D), weight_matrix(D, D)
        self.b_Q, self.b_K, self.b_V, self.b_O = (
            nn.Parameter(torch.zeros(D)) if bias else None for _ in range(4)
        )

    def forward(
        self,
        X: Float[Tensor, "*axes N_Q D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
        context: Float[Tensor, "*axes N_X D"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Q D"], Float[Tensor, "*axes N_heads N_Q N_X"]]:
        """Return a new vector for each input, and the weights of each head; inputs look
        at each other, or at a context.

        `visible` broadcasts to (..., N_Q, N_X), and is the same for all heads.
        """
        context = X if context is None else context
        check_shapes(X=(X, "*axes N_Q D"), W_Q=(self.W_Q, "D D"))
        check_shapes(context=(context, "*axes N_X D"), W_K=(self.W_K, "D D"))
        Q, K, V = (
            rearrange(affine(each, W, b), "... n (h d) -> ... h n d", h=self.N_heads)
            for each, W, b in [
                (X, self.W_Q, self.b_Q),
                (context, self.W_K, self.b_K),
                (context, self.W_V, self.b_V),
            ]
        )
        Y, A = attention(Q, K, V, for_all_heads(visible, X, context))
        Y = rearrange(Y, "... h n d -> ... n (h d)")
        return affine(Y, self.W_O, self.b_O), A

    def kv_cache(
        self, X: Float[Tensor, "*axes N_X D"]
    ) -> tuple[
        Float[Tensor, "*axes N_heads N_X D_head"],
        Float[Tensor, "*axes N_heads N_X D_head"],
    ]:
        """Make keys and values of inputs, for each head: they can be kept."""
        check_shapes(X=(X, "*axes N_X D"), W_K=(self.W_K, "D D"))
        return (
            self.cut(affine(X, self.W_K, self.b_K)),
            self.cut(affine(X, self.W_V, self.b_V)),
        )

    def attend(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        K: Float[Tensor, "*axes N_heads N_X D_head"],
        V: Float[Tensor, "*axes N_heads N_X D_head"],
        visible: Bool[Tensor, "... N_X"] | None = None,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Y D"], Float[Tensor, "*axes N_heads N_Y N_X"]]:
        """Let states look at kept keys, and take values.

        `intervene(A)` gives the weights to use, and to return, instead of A.
        """
        check_shapes(S=(S, "*axes N_Y D"), W_Q=(self.W_Q, "D D"))
        visible = for_all_heads(visible, S, K)
        Y, A = attention(self.queries(S), K, V, visible)
        if intervene is not None:
            A = intervene(A)
            Y = A @ V
        return self.together(Y), A

    def step(
        self,
        X: Float[Tensor, "*axes N D"],
        past: KVCache,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[
        Float[Tensor, "*axes N D"], Float[Tensor, "*axes N_heads N N_X"], KVCache
    ]:
        """Let the next input, or inputs, look at those before, of which keys and values
        were kept, and at itself: the last rows of `forward` with a causal mask.

        Returns the new `past`, too, with the inputs' own keys and values at its end.
        `intervene` as for `attend`.
        """
        K, V = map(joined, past, self.kv_cache(X))
        Y, A = self.attend(X, K, V, causal_end(X, K), intervene)
        return Y, A, (K, V)

    def queries(self, S: Tensor) -> Tensor:
        """Make the queries of states, for each head."""
        return self.cut(affine(S, self.W_Q, self.b_Q))

    def together(self, Y: Tensor) -> Tensor:
        """Put what the heads found side by side, and mix it."""
        return affine(Y.transpose(-2, -3).flatten(-2), self.W_O, self.b_O)

    def cut(self, X: Tensor) -> Tensor:
        """Give the heads an axis in front of the positions."""
        return X.unflatten(-1, (self.N_heads, -1)).transpose(-2, -3)


class FastMultiHeadAttention(MultiHeadAttention):
    """The same layer, fast: it never holds its weights, and cannot return them.

    Torch's kernel goes through the scores in tiles [dao2022flash].
    """

    def forward(  # type: ignore[override]  # None is all it can say of its weights
        self,
        X: Float[Tensor, "*axes N_Q D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
        context: Float[Tensor, "*axes N_X D"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Q D"], None]:
        """Return a new vector for each input, and None in place of the weights."""
        check_shapes(X=(X, "*axes N_Q D"), W_Q=(self.W_Q, "D D"))
        if context is None:  # one product makes all three
            W = torch.cat([self.W_Q, self.W_K, self.W_V], dim=1)  # (D, 3 D)
            biases: list[Tensor] = [
                b for b in (self.b_Q, self.b_K, self.b_V) if b is not None
            ]
            b = torch.cat(biases) if biases else None
            Q, K, V = rearrange(
                affine(X, W, b),
                "... n (three h d) -> three ... h n d",
                three=3,
                h=self.N_heads,
            )
        else:
            K, V = super().kv_cache(context)
            Q = self.queries(X)
        return self.mixed(Q, K, V, for_all_heads(visible, X, K)), None

    def kv_cache(
        self, X: Float[Tensor, "*axes N_X D"]
    ) -> tuple[
        Float[Tensor, "*axes N_heads N_X D_head"],
        Float[Tensor, "*axes N_heads N_X D_head"],
    ]:
        """Make keys and values, each head's in one piece, as steps read them."""
        K, V = super().kv_cache(X)
        return K.contiguous(), V.contiguous()

    def step(  # type: ignore[override]
        self,
        X: Float[Tensor, "*axes N D"],
        past: KVCache,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[Float[Tensor, "*axes N D"], Tensor | None, KVCache]:
        """Let the next inputs look at those before, with None for the weights unless
        they are to be changed.
        """
        if intervene is not None:
            return super().step(X, past, intervene)
        K, V = map(joined, past, super().kv_cache(X))
        Y = self.mixed(self.queries(X), K, V, causal_end(X, K))
        return Y, None, (K, V)

    def mixed(self, Q: Tensor, K: Tensor, V: Tensor, visible: Tensor | None) -> Tensor:
        """Take values by torch's kernel, and put what the heads found together."""
        Y = F.scaled_dot_product_attention(Q, K, V, attn_mask=visible)
        return self.together(Y)


def affine(X: Tensor, W: Tensor, b: Tensor | None) -> Tensor:
    """Multiply by a matrix, and add a bias if there is one."""
    return X @ W if b is None else X @ W + b


def for_all_heads(visible: Tensor | None, S: Tensor, X: Tensor) -> Tensor | None:
    """Give a mask an axis for the heads, in front of the queries': S looks at X."""
    if visible is None:
        return None
    check_visible(visible, (*S.shape[:-1], X.shape[-2]))
    visible = torch.atleast_2d(visible).unsqueeze(-3)
    # all axes of the scores: with fewer torch's kernel is three times as slow
    return visible[(None,) * (S.ndim + 1 - visible.ndim)]


def no_past(X: Tensor, N_heads: int) -> KVCache:
    """What is kept before the first step: K and V of no word."""
    *axes, _, D = X.shape
    none = X.new_zeros(*axes, N_heads, 0, D // N_heads)
    return none, none


def causal_end(X: Tensor, K: Tensor) -> Tensor | None:
    """Make the last rows of a causal mask, those of X, of which K has the last keys."""
    N, N_X = X.shape[-2], K.shape[-2]
    return X.new_ones(N, N_X, dtype=torch.bool).tril(N_X - N) if N > 1 else None


def joined(past: Tensor, new: Tensor) -> Tensor:
    """Put keys or values behind those that were kept."""
    check_same(
        "one layer and one batch, and only the inputs may be more",
        past=(*past.shape[:-2], past.shape[-1]),
        new=(*new.shape[:-2], new.shape[-1]),
    )
    return torch.cat([past, new], dim=-2)
