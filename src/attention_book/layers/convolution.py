"""A convolution over a sequence: one small network slides along, the same everywhere.

    y_t = b + sum_j x_{t + j - (k - 1) / 2} W_j      j = 0 ... k - 1

It reads the k inputs around place t, and zeros beyond the ends. With a dilation of s
they are not neighbours, but s places apart [kalchbrenner2016neural].
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.shapes import check_counts, check_shapes


class Convolution(nn.Module):
    """A convolutional layer for sequences: as many outputs as inputs.

    An output reads k inputs, `dilation` places apart; k is odd.
    """

    def __init__(self, D_X: int, D_Y: int, k: int, dilation: int = 1):
        super().__init__()
        check_counts(D_X=D_X, D_Y=D_Y, k=k, dilation=dilation)
        if k % 2 == 0:
            raise ValueError(f"k is {k}, expected an odd number")
        self.dilation, bound = dilation, (k * D_X) ** -0.5
        self.W = nn.Parameter(torch.empty(k, D_X, D_Y).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.empty(D_Y).uniform_(-bound, bound))

    def forward(
        self, X: Float[Tensor, "*axes N_X D_X"]
    ) -> Float[Tensor, "*axes N_X D_Y"]:
        """Return a new vector for each input."""
        check_shapes(X=(X, "*axes N_X D_X"), W=(self.W, "k D_X D_Y"))
        N_X, reach = X.shape[-2], self.dilation * (len(self.W) // 2)
        X = F.pad(X, (0, 0, reach, reach))  # zeros before the first and after the last
        Y = self.b
        for j, W_j in enumerate(self.W):
            Y = Y + X.narrow(-2, j * self.dilation, N_X) @ W_j
        return Y
