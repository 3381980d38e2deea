"""Chapter 8, *Three ways to process a sequence*: worked solutions."""

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from attention_book import runs, training
from attention_book.chapters.three_ways import experiments, tasks


def work(n: int, d: int, k: int) -> dict[str, int]:
    """Count the products of one layer of each way, for n inputs of width d."""
    return {
        "gru": n * (3 * d * d + 3 * d * d),  # x_t and h_{t-1}, three matrices each
        "convolution": n * k * d * d,  # k inputs meet a matrix each
        "attention": 3 * n * d * d + n * n * d + n * n * d,  # Q, K, V; Q K^T; A V
    }


def sees(visible: Bool[np.ndarray, "N N"], N_layers: int) -> Bool[np.ndarray, "N N"]:
    """Whom each output sees, N_layers above the inputs."""
    seen = np.eye(len(visible), dtype=bool)  # no layer: only itself
    for _ in range(N_layers):
        seen = visible @ seen  # i sees what those see that i looks at
    return seen


def causal_convolution(
    X: Float[Tensor, "*axes N D_X"], W: Float[Tensor, "k D_X D_Y"]
) -> Float[Tensor, "*axes N D_Y"]:
    """Convolve each input with the k - 1 before it.

    y_t = sum_j x_{t - k + 1 + j} W_j, with zeros before the first input.
    """
    N, k = X.shape[-2], len(W)
    padded = F.pad(X, (0, 0, k - 1, 0))  # in front only
    return sum(padded[..., j : j + N, :] @ W[j] for j in range(k))


def memory_of_the_name(distances: Sequence[int]) -> dict[str, list[float]]:
    """How strongly the first input moves the last state of a GRU, by its distance.

    Each is divided by the influence of the last input itself. The GRU is that of a
    network which learned to carry a name over 12 words, and the one that it was before.

    Returns
    -------
    dict
        "fresh" and "trained": a list over the distances.
    """
    recorded = runs.load("carry-12-gru")
    with training.seeded(0):
        fresh = recorded.recipe.task.model()
    rng, shares = torch.Generator().manual_seed(0), {}
    words = {k: tasks.sentences(k, 20, rng)[0] for k in distances}
    for label, model in {"fresh": fresh, "trained": recorded.model()}.items():
        shares[label] = [experiments.name_left(model, words[k]) for k in distances]
    return shares
