"""Self-attention between the cells of a grid: a module to be put inside a CNN.

    X = the N_rows N_columns cells      Y, A = self-attention(X)      found = Y W_O
    grid + gate * found

Papers draw a matrix for every cell as a 1 by 1 convolution. The learned gate starts at
0, so that the module begins as the identity [zhang2019sagan]; non-local networks do the
same by other means [wang2018nonlocal]. Their scores are not divided by sqrt(D_Q).
"""

import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.layers.attention import SelfAttention, weight_matrix
from attention_book.shapes import check_count, check_shape


class GridSelfAttention(nn.Module):
    """Let every cell of a grid look at all cells, and add what it finds."""

    def __init__(self, D: int, D_Q: int, D_V: int):
        super().__init__()
        check_count("D", D)
        self.attend = SelfAttention(D, D_Q, D_V)
        self.W_O = weight_matrix(D_V, D)
        self.gate = nn.Parameter(torch.zeros(()))

    def forward(
        self, grid: Float[Tensor, "B D N_rows N_columns"]
    ) -> tuple[Float[Tensor, "B D N_rows N_columns"], Float[Tensor, "B N_X N_X"]]:
        """Return a grid of the same shape, and the weights; cells count row by row."""
        found, A = self.attend_cells(grid)
        return grid + self.gate * found, A

    def attend_cells(
        self, grid: Float[Tensor, "B D N_rows N_columns"]
    ) -> tuple[Float[Tensor, "B D N_rows N_columns"], Float[Tensor, "B N_X N_X"]]:
        """Return what each cell finds, without the cell itself, and the weights."""
        check_shape("grid", grid, "B D N_rows N_columns")
        Y, A = self.attend(self.cells(grid))  # (B, N_X, D_V), (B, N_X, N_X)
        found = Y @ self.W_O  # (B, N_X, D)
        rows = grid.shape[2]
        return rearrange(found, "b (rows columns) d -> b d rows columns", rows=rows), A

    def cells(
        self, grid: Float[Tensor, "B D N_rows N_columns"]
    ) -> Float[Tensor, "B N_X D"]:
        """Take a grid for a set: a vector for each cell, row by row."""
        return rearrange(grid, "b d rows columns -> b (rows columns) d")
