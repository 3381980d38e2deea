"""The block of a Transformer, and the encoder: a stack of them
[vaswani2017attention].

    post-norm:   Z = norm_1(X + attend(X))      Y = norm_2(Z + mlp(Z))
    pre-norm:    Z = X + attend(norm_1(X))      Y = Z + mlp(norm_2(Z))

Attention is the only place where vectors meet. Twins: `reference.block`,
`reference.pre_norm_block`, and torch's layers by `to_torch`.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.layers.attention import weight_matrix
from attention_book.layers.heads import FastMultiHeadAttention, MultiHeadAttention
from attention_book.layers.norm import FastLayerNorm, LayerNorm
from attention_book.shapes import check_choice, check_counts, check_shapes

NORMS = ("pre", "post", "none")


class MLP(nn.Module):
    """The block's feed-forward part: on each vector by itself, and the same for all.

    Y = max(0, X W_1 + b_1) W_2 + b_2
    """

    def __init__(self, D: int, D_hidden: int):
        super().__init__()
        check_counts(D=D, D_hidden=D_hidden)
        self.W_1, self.W_2 = weight_matrix(D, D_hidden), weight_matrix(D_hidden, D)
        self.b_1 = nn.Parameter(torch.zeros(D_hidden))
        self.b_2 = nn.Parameter(torch.zeros(D))

    def forward(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes D"]:
        """Return a new vector for each."""
        check_shapes(X=(X, "*axes D"), W_1=(self.W_1, "D D_hidden"))
        return torch.relu(X @ self.W_1 + self.b_1) @ self.W_2 + self.b_2


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
    ):
        super().__init__()
        check_choice("norm", norm, NORMS)
        self.norm, self.residual = norm, residual
        Heads = FastMultiHeadAttention if fast else MultiHeadAttention
        self.attend, self.mlp = Heads(D, N_heads), MLP(D, D_hidden)
        self.norm_1, self.norm_2 = _norm(norm, D, fast), _norm(norm, D, fast)
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
    ):
        super().__init__()
        check_counts(N_blocks=N_blocks)
        sizes = D, N_heads, D_hidden
        self.blocks = nn.ModuleList(
            Block(*sizes, norm, residual, fast, dropout) for _ in range(N_blocks)
        )
        self.norm = _norm(norm if norm == "pre" else "none", D, fast)

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


def _norm(norm: str, D: int, fast: bool) -> nn.Module:
    if norm == "none":
        return nn.Identity()
    return FastLayerNorm(D) if fast else LayerNorm(D)
