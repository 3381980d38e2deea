"""Chapter 11, *The block and the encoder*: worked solutions."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


def block_weights(D: int, D_hidden: int) -> dict[str, int]:
    """Count the weights of a block, by part."""
    return {
        "attention": 4 * D * D,  # W_Q, W_K, W_V, W_O
        "mlp": 2 * D * D_hidden + D_hidden + D,  # W_1, W_2; b_1, b_2
        "norms": 2 * (D + D),  # two norms, gamma and beta each
    }


def nearest_sense(
    new: Float[np.ndarray, "N_new D"], known: Float[np.ndarray, "N_senses N_known D"]
) -> Int[np.ndarray, "N_new"]:
    """Give each new vector the sense whose mean vector is nearest."""
    centroids = known.mean(axis=1)  # (N_senses, D)
    away = new[:, None] - centroids  # (N_new, N_senses, D)
    return (away**2).sum(axis=-1).argmin(axis=-1)


def encode(
    X: Float[Tensor, "B N D"],
    visible: Bool[Tensor, "B 1 N"],
    blocks: Sequence[nn.Module],
) -> list[Float[Tensor, "B N D"]]:
    """Send vectors through a stack of blocks, and keep them after each."""
    vectors = [X]
    for block in blocks:
        X, _ = block(X, visible)
        vectors.append(X)
    return vectors
