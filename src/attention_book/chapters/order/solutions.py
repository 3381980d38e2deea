"""Chapter 6, *Sets, order, position*: worked solutions."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book.chapters.order import tasks


def add_positions(
    X: Float[np.ndarray, "B N D"], P: Float[np.ndarray, "N_max D"]
) -> Float[np.ndarray, "B N D"]:
    """Add to every input the vector of its position."""
    N = X.shape[1]
    return X + P[:N]  # (N, D), the same for every item of the batch


def positional_encoding(N: int, D: int) -> Float[np.ndarray, "N D"]:
    """Write each position as D / 2 clock hands, from fast to slow."""
    t = np.arange(N)[:, None]  # (N, 1)
    two_i = np.arange(0, D, 2)  # (D / 2,)
    angle = t / 10000 ** (two_i / D)  # (N, D / 2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(N, D)


class RandomStart(nn.Module):
    """Add learned positions, in training from a random one on."""

    def __init__(self, N_max: int, D: int, N_starts: int):
        super().__init__()
        self.P, self.N_starts = nn.Parameter(torch.randn(N_max, D)), N_starts

    def forward(self, X: Float[Tensor, "B N D"]) -> Float[Tensor, "B N D"]:
        """Return X + P[start : start + N]; the start is 0 outside training."""
        start = int(torch.randint(self.N_starts, ())) if self.training else 0
        return X + self.P[start : start + X.shape[1]]


@dataclass(frozen=True)
class StartAnywhere(tasks.Order):
    """A question for a reader whose learned positions start anywhere."""

    N_starts: int = 20

    def model(self) -> nn.Module:
        """A reader with fresh weights."""
        model = super().model()
        model.positions = RandomStart(64, 32, self.N_starts)
        return model


def place(
    X: Float[Tensor, "B N D"],
    visible: Bool[Tensor, "B N"],
    P: Float[Tensor, "N_max D"],
) -> Float[Tensor, "B N D"]:
    """Add to each word its position in its own sentence, wherever that begins."""
    t = (visible.cumsum(dim=1) - 1).clamp(min=0)  # (B, N): visible words before it
    return X + P[t]
