"""A small CNN that says at every cell of its grid which key the picture has, and what
may stand in its middle.

    picture -> 3 convolutions, 2 poolings -> (D, 8, 8) -> middle -> two 1×1 convolutions

Below the middle a cell sees 18 × 18 pixels of 32 × 32, and above it no more than that.
So what is further away comes through the middle or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attention_book import layers
from attention_book.shapes import check_choice

D, D_Q, D_V = 32, 16, 24
CONVOLUTIONS = {  # dilations of the convolutions, and channels inside each
    "convolution": ((1,), 8),  # as many weights as attention
    "thin": ((1, 2, 4), 2),  # sees all of the picture, with fewer weights
}
MIDDLES = ("attention", "flat", "no residual", *CONVOLUTIONS)


@dataclass(frozen=True)
class KeyConfig:
    """Choices of a model."""

    N_words: int  # that it answers with
    middle: str = "attention"  # one of MIDDLES
    gate: float = 0.0  # where it starts

    def __post_init__(self):
        check_choice("middle", self.middle, MIDDLES)


class KeyModel(nn.Module):
    """A CNN with attention, or something else, in its middle."""

    def __init__(self, config: KeyConfig):
        super().__init__()
        self.config = config
        self.below = layers.GridEncoder(D, (16, D)).cnn  # chapter 3's, without places
        self.middle = middle_of(config)
        self.above = nn.Sequential(
            nn.Conv2d(D, D, 1, bias=False),
            nn.BatchNorm2d(D),
            nn.ReLU(),
            nn.Conv2d(D, config.N_words, 1),
        )
        self.to(memory_format=torch.channels_last)

    def with_attention(
        self, images: Float[Tensor, "B 1 32 32"]
    ) -> tuple[Float[Tensor, "B N_X N_words"], Float[Tensor, "B N_X N_X"] | None]:
        """Give the logits at each cell, and where it looked, if it could look."""
        grid = self.below(images.to(memory_format=torch.channels_last))  # (B, D, 8, 8)
        grid, A = self.middle(grid)
        return self.above(grid).flatten(2).mT, A

    def forward(
        self,
        source: Float[Tensor, "B 1 32 32"],
        source_visible: None = None,
        target_in: None = None,
    ) -> Float[Tensor, "B N_X N_words"]:
        """Give the logits alone, as `training.token_cross_entropy` asks for them."""
        return self.with_attention(source)[0]


class GridConvolution(nn.Module):
    """Steps of two convolutions instead of attention: 3 × 3, dilated, then 1 × 1, with
    `hidden` channels between them; each step adds to the grid, through a gate.
    """

    def __init__(self, dilations: Sequence[int], hidden: int, gate: float):
        super().__init__()
        self.steps = nn.ModuleList()
        for n in dilations:
            near = nn.Conv2d(D, hidden, 3, padding=n, dilation=n, bias=False)
            back = nn.Conv2d(hidden, D, 1, bias=False)
            self.steps.append(nn.Sequential(near, nn.ReLU(), back))
        self.gate = nn.Parameter(torch.full((len(dilations),), gate))

    def forward(
        self, grid: Float[Tensor, "B D N_rows N_columns"]
    ) -> tuple[Float[Tensor, "B D N_rows N_columns"], None]:
        """Return a grid of the same shape, and no weights."""
        for gate, step in zip(self.gate, self.steps, strict=True):
            grid = grid + gate * step(grid)
        return grid, None


class NoResidual(layers.GridSelfAttention):
    """What was found takes the place of the cell: no gate, and nothing added."""

    forward = layers.GridSelfAttention.attend_cells


def middle_of(config: KeyConfig) -> nn.Module:
    """Make the middle of a model."""
    if config.middle in CONVOLUTIONS:
        return GridConvolution(*CONVOLUTIONS[config.middle], config.gate)
    kind = NoResidual if config.middle == "no residual" else layers.GridSelfAttention
    attention = kind(D, D_Q, D_V)
    nn.init.constant_(attention.gate, config.gate)
    if config.middle == "flat":  # all scores are 0, and stay so
        attention.attend.W_Q.data.zero_()
        attention.attend.W_Q.requires_grad_(False)
    return attention
