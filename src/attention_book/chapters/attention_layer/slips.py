"""Four slips that run without an error where widths happen to agree."""

from math import sqrt

import torch
from torch import Tensor

from attention_book import layers


def over_the_queries(Q: Tensor, K: Tensor, V: Tensor, visible: Tensor) -> Tensor:
    """The softmax over the axis of the queries."""
    E = Q @ K.mT / sqrt(Q.shape[-1])
    return E.masked_fill(~visible, -torch.inf).softmax(dim=-2) @ V


def another_root(Q: Tensor, K: Tensor, V: Tensor, visible: Tensor) -> Tensor:
    """Divided by the root of the width of the values."""
    return layers.attention(Q * sqrt(Q.shape[-1] / V.shape[-1]), K, V, visible)[0]


def exchanged(Q: Tensor, K: Tensor, V: Tensor, visible: Tensor) -> Tensor:
    """Keys for values and values for keys."""
    return layers.attention(Q, V, K, visible)[0]


def transposed_mask(Q: Tensor, K: Tensor, V: Tensor, visible: Tensor) -> Tensor:
    """What query j may see hides input j."""
    return layers.attention(Q, K, V, visible.mT)[0]


SLIPS = {
    "softmax over the queries": over_the_queries,
    "root of D_V": another_root,
    "K and V exchanged": exchanged,
    "transposed mask": transposed_mask,
}


def compared() -> dict[str, dict[str, float | str]]:
    """The largest difference from the layer that each slip makes, or that it fails."""
    sizes = {"all sizes different": (3, 5, 4, 2), "all sizes 4": (4, 4, 4, 4)}
    return {
        name: {shape: _difference(slip, *each) for shape, each in sizes.items()}
        for name, slip in SLIPS.items()
    }


def _difference(slip, N_Q: int, N_X: int, D_Q: int, D_V: int) -> float | str:
    generator = torch.Generator().manual_seed(0)
    shapes = (N_Q, D_Q), (N_X, D_Q), (N_X, D_V)
    Q, K, V = (torch.randn(*shape, generator=generator) for shape in shapes)
    places = torch.arange(N_Q)[:, None] + 2 * torch.arange(N_X)
    visible = places % 4 > 0  # something in each row and in each column
    try:
        Y = slip(Q, K, V, visible)
    except (RuntimeError, ValueError):
        return "an error"
    return float((Y - layers.attention(Q, K, V, visible)[0]).abs().max())
