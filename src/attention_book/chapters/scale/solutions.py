"""Worked solutions of chapter 16's exercises."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


def gpt_weights(D: int, N_blocks: int, N_words: int, N_positions: int) -> int:
    """Count the weights of a GPT."""
    attention = 4 * (D * D + D)
    mlp = (D * 4 * D + 4 * D) + (4 * D * D + D)
    norm = 2 * D
    tables = (N_words + N_positions) * D
    return N_blocks * (attention + mlp + 2 * norm) + norm + tables


def training_operations(
    D: int, N_blocks: int, N_words: int, N: int, tokens: int
) -> int:
    """Count the operations to train a GPT on so many tokens, in texts of N."""
    weights = 2 * 12 * D * D  # of a block, each in a multiplication and an addition
    pairs = 2 * 2 * N * D  # a row of Q K^T, and one of A V
    reading_off = 2 * D * N_words
    forward = N_blocks * (weights + pairs) + reading_off
    return 3 * forward * tokens


def power_law(
    N: Float[np.ndarray, " N_sizes"], L: Float[np.ndarray, " N_sizes"], L_inf: float
) -> tuple[float, float]:
    """Fit (N_0 / N)^alpha to losses above a floor, and give alpha and N_0."""
    slope, height = np.polyfit(np.log(N), np.log(L - L_inf), 1)
    alpha = -slope
    return float(alpha), float(np.exp(height / alpha))


def by_floor(
    N: Float[np.ndarray, " N_sizes"],
    L: Float[np.ndarray, " N_sizes"],
    floors: Sequence[float],
    sizes: Sequence[float],
) -> dict[str, dict[str, float]]:
    """Give, for each floor, the law's largest error on the losses that were measured,
    and its forecasts for other sizes.
    """
    found = {}
    for floor in floors:
        alpha, N_0 = power_law(N, L, floor)
        off = np.abs(floor + (N_0 / N) ** alpha - L).max()
        said = {f"{size:,.0f}": floor + (N_0 / size) ** alpha for size in sizes}
        found[f"{floor:.2f}"] = {"alpha": alpha, "largest error": off, **said}
    return found


def gradient(model: Any, ids: Int[Tensor, "B N"], N_parts: int) -> Float[Tensor, " W"]:
    """Give the gradient of a batch's mean loss, read part by part."""
    model.zero_grad()
    for part in ids.chunk(N_parts):
        logits = model(part[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), part[:, 1:].flatten())
        (loss * len(part) / len(ids)).backward()
    return torch.cat([each.grad.flatten() for each in model.parameters()])
