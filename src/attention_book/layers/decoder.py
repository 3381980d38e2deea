"""The block of a Transformer's decoder, and the decoder: a stack of them
[vaswani2017attention].

    post-norm:   Z_1 = norm_1(S + attend(S))         words before: masked self-attention
                 Z_2 = norm_2(Z_1 + cross(Z_1, X))   the encoder's X: cross-attention
                 Y = norm_3(Z_2 + mlp(Z_2))
    pre-norm:    Z_1 = S + attend(norm_1(S)), and so on

`forward` has all words at once, as in training; `step` has the next one, or some, and
keeps the keys and values of those before: the same numbers, with less work. Twins:
torch's layers by `to_torch`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.block import MLP, Dropout
from attention_book.layers.heads import (
    FastMultiHeadAttention,
    KVCache,
    MultiHeadAttention,
    no_past,
)
from attention_book.layers.norm import FastLayerNorm, LayerNorm
from attention_book.shapes import check_choice, check_counts, check_same


class DecoderBlock(nn.Module):
    """Look at the words before, look at the inputs, then an MLP on each vector; each
    adds to what is there.

    `norm` is "pre" or "post". If `fast`, torch's kernels do the work; `forward` does
    not return weights then, `step` does. `dropout` is of what a part adds.
    """

    def __init__(
        self,
        D: int,
        N_heads: int,
        D_hidden: int,
        norm: str = "pre",
        fast: bool = False,
        dropout: float = 0.0,
    ):
        super().__init__()
        check_choice("norm", norm, ("pre", "post"))
        self.norm = norm
        Heads = FastMultiHeadAttention if fast else MultiHeadAttention
        Norm = FastLayerNorm if fast else LayerNorm
        self.attend, self.cross = Heads(D, N_heads), Heads(D, N_heads)
        self.mlp = MLP(D, D_hidden)
        self.norm_1, self.norm_2, self.norm_3 = Norm(D), Norm(D), Norm(D)
        self.dropout = Dropout(dropout)

    def forward(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_Y"] | None = None,
        X_visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[
        Float[Tensor, "*axes N_Y D"], Float[Tensor, "*axes N_heads N_Y N_X"] | None
    ]:
        """Return a new vector for each word, and where each head looked in X.

        X is what the encoder made of the inputs. `visible` says which words a word may
        look at, for a decoder the causal mask, and `X_visible` which inputs.
        """
        change, _ = self.attend(self.pre(self.norm_1, S), visible)
        Z_1 = self.post(self.norm_1, S + self.dropout(change))
        change, A = self.cross(self.pre(self.norm_2, Z_1), X_visible, context=X)
        Z_2 = self.post(self.norm_2, Z_1 + self.dropout(change))
        change = self.dropout(self.mlp(self.pre(self.norm_3, Z_2)))
        return self.post(self.norm_3, Z_2 + change), A

    def step(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        of_X: KVCache,
        past: KVCache,
        X_visible: Bool[Tensor, "... N_X"] | None = None,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[
        Float[Tensor, "*axes N_Y D"], Float[Tensor, "*axes N_heads N_Y N_X"], KVCache
    ]:
        """Return the next words' new vectors: rows of `forward` with a causal mask.

        `of_X` is `cross.kv_cache(X)`, made once; `past` are `attend`'s keys and
        values of the words before, and come back with these words' own.
        `intervene(A)` gives the weights of cross-attention to use, and to return,
        instead.
        """
        change, _, past = self.attend.step(self.pre(self.norm_1, S), past)
        Z_1 = self.post(self.norm_1, S + self.dropout(change))
        asks = self.pre(self.norm_2, Z_1)
        change, A = self.cross.attend(asks, *of_X, X_visible, intervene)
        Z_2 = self.post(self.norm_2, Z_1 + self.dropout(change))
        change = self.dropout(self.mlp(self.pre(self.norm_3, Z_2)))
        return self.post(self.norm_3, Z_2 + change), A, past

    def pre(self, norm: nn.Module, S: Tensor) -> Tensor:
        """Apply a norm in front of a part, if this is a pre-norm block."""
        return norm(S) if self.norm == "pre" else S

    def post(self, norm: nn.Module, S: Tensor) -> Tensor:
        """Apply a norm after a sum, if this is a post-norm block."""
        return norm(S) if self.norm == "post" else S


class Decoder(nn.Module):
    """A stack of decoder blocks; behind pre-norm blocks, one norm more."""

    def __init__(
        self,
        N_blocks: int,
        D: int,
        N_heads: int,
        D_hidden: int,
        norm: str = "pre",
        fast: bool = False,
        dropout: float = 0.0,
    ):
        super().__init__()
        check_counts(N_blocks=N_blocks)
        sizes = D, N_heads, D_hidden
        self.N_heads = N_heads
        self.blocks: Any = nn.ModuleList(
            DecoderBlock(*sizes, norm, fast, dropout) for _ in range(N_blocks)
        )
        Norm = FastLayerNorm if fast else LayerNorm
        self.norm = Norm(D) if norm == "pre" else nn.Identity()

    def forward(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_Y"] | None = None,
        X_visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Y D"], list[Tensor | None]]:
        """Return a new vector for each word, and the weights of each block."""
        weights = []
        for block in self.blocks:
            S, A = block(S, X, visible, X_visible)
            weights.append(A)
        return self.norm(S), weights

    def kv_cache(self, X: Float[Tensor, "*axes N_X D"]) -> list[KVCache]:
        """Make what each block takes of X, (K, V): once for all steps."""
        return [block.cross.kv_cache(X) for block in self.blocks]

    def no_past(self, X: Float[Tensor, "*axes N_X D"]) -> list[KVCache]:
        """What is kept before the first step: for each block K and V of no word."""
        return [no_past(X, self.N_heads)] * len(self.blocks)

    def step(
        self,
        S: Float[Tensor, "*axes N_Y D"],
        of_X: Sequence[KVCache],
        past: Sequence[KVCache],
        X_visible: Bool[Tensor, "... N_X"] | None = None,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_Y D"], list[Tensor], list[KVCache]]:
        """Return the next words' new vectors, the weights, and what is kept, of each
        block.

        Parameters and errors as for `DecoderBlock.step`, with `of_X` and `past` for
        each block, as `kv_cache(X)`, and `no_past(X)` or the step before, gave them.
        """
        check_same(
            "one for each", blocks=len(self.blocks), of_X=len(of_X), past=len(past)
        )
        weights, kept = [], []
        for block, each_X, each_past in zip(self.blocks, of_X, past, strict=True):
            S, A, each_past = block.step(S, each_X, each_past, X_visible, intervene)
            weights.append(A)
            kept.append(each_past)
        return self.norm(S), weights, kept
