"""The block of a Transformer, and the encoder: a stack of them
[vaswani2017attention].

    post-norm:   Z = norm_1(X + attend(X))      Y = norm_2(Z + mlp(Z))
    pre-norm:    Z = X + attend(norm_1(X))      Y = Z + mlp(norm_2(Z))

Attention is the only place where vectors meet. `forward` has all inputs at once; where
each looks only to the left, `step` has the next one, or some, and keeps the keys and
values of those before. Twins: `reference.block`, `reference.pre_norm_block`, and
torch's layers by `to_torch`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.attention import weight_matrix
from attention_book.layers.heads import (
    FastMultiHeadAttention,
    KVCache,
    MultiHeadAttention,
    no_past,
)
from attention_book.layers.norm import FastLayerNorm, LayerNorm
from attention_book.shapes import check_choice, check_counts, check_same, check_shapes

NORMS = ("pre", "post", "none")
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "gelu": F.gelu,  # x times the share of a normal distribution below x
    "gelu-tanh": partial(F.gelu, approximate="tanh"),  # nearly the same
}


@dataclass(frozen=True)
class Variant:
    """What published models do otherwise inside a block.

    `bias` is that of attention. `activation` stands inside the MLP: "relu", or one
    of the two forms of GELU [hendrycks2016gelu], "gelu" and "gelu-tanh". `eps` is that
    of the norms.
    """

    bias: bool = False
    activation: str = "relu"
    eps: float = 1e-5


PLAIN = Variant()


class MLP(nn.Module):
    """The block's feed-forward part: on each vector by itself, and the same for all.

    Y = max(0, X W_1 + b_1) W_2 + b_2        or another of ACTIVATIONS
    """

    def __init__(self, D: int, D_hidden: int, activation: str = "relu"):
        super().__init__()
        check_counts(D=D, D_hidden=D_hidden)
        check_choice("activation", activation, ACTIVATIONS)
        self.activate = ACTIVATIONS[activation]
        self.W_1, self.W_2 = weight_matrix(D, D_hidden), weight_matrix(D_hidden, D)
        self.b_1 = nn.Parameter(torch.zeros(D_hidden))
        self.b_2 = nn.Parameter(torch.zeros(D))

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Return a new vector for each."""
        check_shapes(X=(X, "*axes D"), W_1=(self.W_1, "D D_hidden"))
        return self.activate(X @ self.W_1 + self.b_1) @ self.W_2 + self.b_2


class Dropout(nn.Dropout):
    """torch's dropout, which takes no time outside training."""

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Return X, in training with some numbers as 0 and the others larger."""
        return super().forward(X) if self.training else X


class Block(nn.Module):
    """Attention between the vectors, then an MLP on each; both add to what is there.

    `norm` is "pre", "post" or "none". Without `residual` what a part finds takes the
    place of what was there: to be compared. If `fast`, torch's kernels compute
    attention and norms, and no weights are returned. `dropout` is of what a part adds.
    `variant` says what is otherwise inside: BERT and GPT have one each.
    """

    def __init__(
        self,
        D: int,
        N_heads: int,
        D_hidden: int,
        norm: str = "pre",
        residual: bool = True,
        fast: bool = False,
        dropout: float = 0.0,
        variant: Variant = PLAIN,
    ):
        super().__init__()
        check_choice("norm", norm, NORMS)
        self.norm, self.residual = norm, residual
        Heads = FastMultiHeadAttention if fast else MultiHeadAttention
        self.attend = Heads(D, N_heads, variant.bias)
        self.mlp = MLP(D, D_hidden, variant.activation)
        self.norm_1, self.norm_2 = (_norm(norm, D, fast, variant) for _ in range(2))
        self.dropout = Dropout(dropout)

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[
        Float[Tensor, "*axes N_X D"], Float[Tensor, "*axes N_heads N_X N_X"] | None
    ]:
        """Return a new vector for each input, and the weights of each head.

        A is None if the block is fast.
        """
        if self.norm == "post":
            change, A = self.attend(X, visible)
            Z = self.norm_1(self.add(X, change))
            return self.norm_2(self.add(Z, self.mlp(Z))), A
        change, A = self.attend(self.norm_1(X), visible)
        Z = self.add(X, change)
        return self.add(Z, self.mlp(self.norm_2(Z))), A

    def step(
        self,
        X: Float[Tensor, "*axes N D"],
        past: KVCache,
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[
        Float[Tensor, "*axes N D"],
        Float[Tensor, "*axes N_heads N N_X"] | None,
        KVCache,
    ]:
        """Return the next inputs' new vectors: rows of `forward` with a causal mask.

        `past` are the keys and values of the inputs before, and come back with these
        inputs' own. `intervene(A)` gives the weights to use, and to return, instead.
        """
        change, A, past = self.attend.step(self.asks(X), past, intervene)
        Z = self.add(X, change)
        if self.norm == "post":
            Z = self.norm_1(Z)
            return self.norm_2(self.add(Z, self.mlp(Z))), A, past
        return self.add(Z, self.mlp(self.norm_2(Z))), A, past

    def asks(self, X: Tensor) -> Tensor:
        """What attention is given: in a pre-norm block, the vectors normalised."""
        return X if self.norm == "post" else self.norm_1(X)

    def add(self, X: Tensor, change: Tensor) -> Tensor:
        """Add what a part found to what was there, if there are residuals."""
        change = self.dropout(change)
        return X + change if self.residual else change


class Encoder(nn.Module):
    """A stack of blocks; behind pre-norm blocks, one norm more."""

    def __init__(
        self,
        N_blocks: int,
        D: int,
        N_heads: int,
        D_hidden: int,
        norm: str = "pre",
        residual: bool = True,
        fast: bool = False,
        dropout: float = 0.0,
        variant: Variant = PLAIN,
    ):
        super().__init__()
        check_counts(N_blocks=N_blocks)
        self.N_heads = N_heads
        how = D, N_heads, D_hidden, norm, residual, fast, dropout, variant
        self.blocks: Any = nn.ModuleList(Block(*how) for _ in range(N_blocks))
        self.norm = _norm(norm if norm == "pre" else "none", D, fast, variant)

    def forward(
        self,
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> tuple[Float[Tensor, "*axes N_X D"], list[Tensor | None]]:
        """Return a new vector for each input, and the weights of each block."""
        weights = []
        for block in self.blocks:
            X, A = block(X, visible)
            weights.append(A)
        return self.norm(X), weights

    def attention(
        self,
        X: Float[Tensor, "*axes N_X D"],
        visible: Bool[Tensor, "... N_X"] | None = None,
    ) -> Float[Tensor, "*axes N_blocks N_heads N_X N_X"]:
        """Tell where every head of every block looks, of fast blocks, too."""
        weights = []
        for block in self.blocks:
            asks = block.asks(X)
            _, A = block.attend.attend(asks, *block.attend.kv_cache(asks), visible)
            weights.append(A)
            X, _ = block(X, visible)
        return torch.stack(weights, dim=-4)

    def no_past(self, X: Float[Tensor, "*axes N_X D"]) -> list[KVCache]:
        """What is kept before the first step: for each block K and V of no input."""
        return [no_past(X, self.N_heads)] * len(self.blocks)

    def step(
        self,
        X: Float[Tensor, "*axes N D"],
        past: Sequence[KVCache],
        intervene: Callable[[Tensor], Tensor] | None = None,
    ) -> tuple[Float[Tensor, "*axes N D"], list[Tensor | None], list[KVCache]]:
        """Return the next inputs' new vectors, the weights, and what is kept, of each
        block: rows of `forward` with a causal mask.

        `past` is what `no_past(X)`, or the step before, gave; `intervene` as for
        `Block.step`, the same for each block.
        """
        check_same("one for each", blocks=len(self.blocks), past=len(past))
        weights, kept = [], []
        for block, each_past in zip(self.blocks, past, strict=True):
            X, A, each_past = block.step(X, each_past, intervene)
            weights.append(A)
            kept.append(each_past)
        return self.norm(X), weights, kept


def _norm(norm: str, D: int, fast: bool, variant: Variant) -> nn.Module:
    if norm == "none":
        return nn.Identity()
    return (FastLayerNorm if fast else LayerNorm)(D, variant.eps)
