"""A convolutional network that turns a picture into a grid of vectors, one per cell:
something attention can look at [xu2015show].

    picture (1, 32, 32) -> conv, pool -> (24, 16, 16) -> conv, pool -> (48, 8, 8) ->
    conv -> (D_H, 8, 8)
    h_i = what the network finds in cell i + p_i,      i = 1 ... 64, row by row

Each convolution is 3 by 3 with batch norm and a ReLU; a pooling, the largest of 2 by 2,
stands before these two, where it makes them cheaper.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_book.shapes import check_count, check_floats, check_multiple, check_shape


class GridEncoder(nn.Module):
    """Pictures to grids.

    `N_channels` are those after the convolutions before the last, each followed by a
    pooling that halves the sides. The pictures are squares of N_pixels, which the
    poolings must divide.
    """

    def __init__(
        self, D_H: int = 64, N_channels: Sequence[int] = (24, 48), N_pixels: int = 32
    ):
        super().__init__()
        _check_sizes(D_H, N_channels, N_pixels)
        self.D_H, self.N_pixels = D_H, N_pixels
        widths, layers = [1, *N_channels, D_H], []
        for i, (before, after) in enumerate(pairwise(widths)):
            pool = [nn.MaxPool2d(2)] if i < len(N_channels) else []
            # no bias: batch norm would take it away again, and has one of its own
            convolution = nn.Conv2d(before, after, 3, padding=1, bias=False)
            layers += [convolution, *pool, nn.BatchNorm2d(after), nn.ReLU()]
        # Channels last in memory: a cell's vector lies in one piece, and on a CPU the
        # convolutions take half the time.
        cnn: Any = nn.Sequential(*layers)
        self.cnn = cnn.to(memory_format=torch.channels_last)
        self.N_side = N_pixels // 2 ** len(N_channels)
        # To attention the cells are an unordered set. For "left of" and "above" a cell
        # must say where it is, and the convolutions, the same everywhere, cannot tell
        # it (but near the border, by the padding they meet).
        self.position = nn.Parameter(0.1 * torch.randn(self.N_side**2, D_H))

    def forward(
        self, images: Float[Tensor, "B 1 N_pixels N_pixels"]
    ) -> Float[Tensor, "B N_X D_H"]:
        """Encode every picture of the batch.

        A vector per cell, row by row from the upper left.
        """
        check_floats("images", images)
        check_shape("images", images, "B 1 N_pixels N_pixels", N_pixels=self.N_pixels)
        found = self.cnn(images.to(memory_format=torch.channels_last))
        return found.flatten(2).mT + self.position  # from (B, D_H, N_side, N_side)

    @property
    def fields(self) -> Int[np.ndarray, "N_X 4"]:
        """The receptive field of each cell: the pixels its vector depends on.

        A box (top, left, height, width), cut off at the picture's border. The boxes are
        exact in evaluation mode; in training, batch norm also lets every vector depend
        a little on all pictures of the batch.
        """
        first, size, step = self._reach()
        low = first + step * np.arange(self.N_side)
        low, high = low.clip(0), (low + size).clip(max=self.N_pixels)
        rows, columns = np.divmod(np.arange(self.N_side**2), self.N_side)
        return np.stack(
            [low[rows], low[columns], (high - low)[rows], (high - low)[columns]], axis=1
        )

    @property
    def receptive_field(self) -> int:
        """Side of a receptive field that is not cut off, in pixels."""
        return self._reach()[1]

    @property
    def centres(self) -> Float[np.ndarray, "N_X 2"]:
        """The middle (y, x) of each cell's receptive field, before it is cut off.

        In pixels. Pixel i reaches from i to i + 1, so a box (top, left, height, width)
        holds y if top <= y < top + height.
        """
        first, size, step = self._reach()
        middle = first + size / 2 + step * np.arange(self.N_side)
        rows, columns = np.divmod(np.arange(self.N_side**2), self.N_side)
        return np.stack([middle[rows], middle[columns]], axis=1)

    def _reach(self) -> tuple[int, int, int]:
        """Along one side: the first pixel of cell 0, how many, and pixels per cell.

        The first may lie outside the picture.
        """
        first, size, step = 0, 1, 1
        for layer in self.cnn:
            if not isinstance(layer, nn.Conv2d | nn.MaxPool2d):
                continue  # works on each place alone
            kernel, stride = _side(layer.kernel_size), _side(layer.stride)
            padding = _side(layer.padding)
            first -= step * padding
            size += step * (kernel - 1)
            step *= stride
        return first, size, step


def _side(size: Any) -> int:
    """One of two equal sizes; a convolution keeps both, a pooling one."""
    return size[0] if isinstance(size, tuple) else size


def _check_sizes(D_H: int, N_channels: Sequence[int], N_pixels: int) -> None:
    check_count("D_H", D_H)
    check_count("N_pixels", N_pixels)
    for i, count in enumerate(N_channels):
        check_count(f"N_channels[{i}]", count)
    check_multiple("N_pixels", N_pixels, 2 ** len(N_channels))
