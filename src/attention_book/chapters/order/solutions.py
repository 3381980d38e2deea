"""Chapter 6, *Sets, order, position*: worked solutions."""

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_book import training
from attention_book.chapters.order import sentences


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


def right_with_starts(question: str, N_starts: int, steps: int = 1000) -> list[float]:
    """Train a reader whose positions start anywhere: answers right, by length.

    Returns
    -------
    list of 3
        In the lengths of training, at 24 and at 32 words.
    """
    task = sentences.Order(question, "learned")
    with training.seeded(0):
        model = task.model()
        model.positions = RandomStart(64, 32, N_starts)
    batches = task.batches(0, steps)
    training.fit(model, batches, steps=steps, seed=0, progress=False)
    return [sentences.right(model.eval(), some) for some in task.test.values()]


def place(
    X: Float[Tensor, "B N D"],
    visible: Bool[Tensor, "B N"],
    P: Float[Tensor, "N_max D"],
) -> Float[Tensor, "B N D"]:
    """Add to each word its position in its own sentence, wherever that begins."""
    t = (visible.cumsum(dim=1) - 1).clamp(min=0)  # (B, N): visible words before it
    return X + P[t]
