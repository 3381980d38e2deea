"""Restricted self-attention [vaswani2017attention]: each input looks at its neighbours
only, in memory that grows with n r and not with n².

    Y = self-attention(X), where input i sees j if |i - j| < r

A block of r queries sees its own inputs and those of the blocks beside it: r × 3 r
scores.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from attention_book.layers.attention import SelfAttention, attention
from attention_book.shapes import check_count


class WindowSelfAttention(SelfAttention):
    """A self-attention layer that sees what `window_mask` shows it, in blocks."""

    def __init__(self, D_X: int, D_Q: int, D_V: int, r: int):
        super().__init__(D_X, D_Q, D_V)
        check_count("r", r)
        self.r = r

    def forward(  # type: ignore[override]  # its weights come in blocks
        self, X: Float[Tensor, "*axes N_X D_X"]
    ) -> tuple[Float[Tensor, "*axes N_X D_V"], Float[Tensor, "*axes N_blocks r 3*r"]]:
        """Return a new vector for each input, and the weights block by block.

        Row i of block b belongs to input b r + i, its column j to b r + j - r. Rows
        beyond the last input are padding.
        """
        (Q, K, V), N_X, r = self.project(X), X.shape[-2], self.r
        fill = -N_X % r  # so that there are whole blocks
        Q = F.pad(Q, (0, 0, 0, fill)).unflatten(-2, (-1, r))  # (..., N_blocks, r, D_Q)
        K, V = (
            F.pad(Z, (0, 0, r, fill + r)).unfold(-2, 3 * r, r).mT  # blocks of 3 r
            for Z in (K, V)
        )
        Y, A = attention(Q, K, V, near(N_X, r, X.device))
        return Y.flatten(-3, -2)[..., :N_X, :], A


def near(N_X: int, r: int, device: torch.device) -> Bool[Tensor, "N_blocks r 3*r"]:
    """Whom a block's queries see: |i - j| < r, and j is an input and not padding.

    A row that is padding itself sees the last input, at least.
    """
    block = torch.arange(0, N_X, r, device=device)[:, None, None]
    i = torch.arange(r, device=device)[:, None]
    j = torch.arange(-r, 2 * r, device=device)
    return ((i - j).abs() < r) & (block + j >= 0) & (block + j < N_X)
