"""Worked solutions of chapter 10's exercises. (Layer norm is
`reference.layer_norm`.)
"""

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from attention_book.runs import RecordedRun


def rms_norm(
    x: Float[np.ndarray, "*axes D"], gamma: Float[np.ndarray, "D"], eps: float
) -> Float[np.ndarray, "*axes D"]:
    """Divide each vector by the root of its mean square, then scale every feature."""
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt(mean_square + eps)


def norm(
    X: Float[Tensor, "*B N D"], gamma: Float[Tensor, "D"], beta: Float[Tensor, "D"]
) -> Float[Tensor, "*B N D"]:
    """Normalise each vector over its features, then scale and shift them."""
    mu = X.mean(dim=-1, keepdim=True)
    variance = ((X - mu) ** 2).mean(dim=-1, keepdim=True)
    return gamma * (X - mu) / torch.sqrt(variance + 1e-5) + beta


def starts_to_learn(
    run: RecordedRun, seed: int, below: float = 4.0
) -> tuple[float, float] | None:
    """Give the first step with a loss below, and its learning rate; None if never."""
    curve, recipe = run.curves[seed], run.recipe
    if not (curve.loss < below).any():
        return None
    step = curve.step[(curve.loss < below).argmax()]
    warmup = recipe.warmup_steps
    rising = min(1.0, (step + 1) / warmup) if warmup else 1.0  # steps count from 0
    return step, recipe.learning_rate * rising * (1 - step / recipe.steps)
