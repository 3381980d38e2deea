"""Attempts to average and to mix: right ones in three styles, and wrong ones."""

import numpy as np
import torch

from attention_book.exercises.verdict import RIGHT


def average_in_a_loop(X):
    """A loop over the vectors."""
    total = np.zeros(X.shape[1])
    for x in X:
        total = total + x / len(X)
    return total


def average_by_weights(X):
    """Equal weights, and a product."""
    return np.full(len(X), 1 / len(X)) @ X


def average_in_torch(X):
    """A tensor's mean."""
    return torch.mean(X, dim=0)


def mix_in_a_loop(a, X):
    """A sum of scaled vectors."""
    return sum(weight * x for weight, x in zip(a, X, strict=True))


def mix_by_broadcasting(a, X):
    """Weights as a column."""
    return (a[:, None] * X).sum(axis=0)


def mix_in_torch(a, X):
    """Einstein's sum."""
    return torch.einsum("n,nd->d", a, X)


def average_outside(X):
    return 2 * X.max(axis=0)


def mix_with_other_weights(a, X):
    return np.sqrt(a) @ X


ATTEMPTS = {
    "skeleton_average": {
        average_in_a_loop: RIGHT,
        average_by_weights: RIGHT,
        average_in_torch: RIGHT,
        average_outside: "outside the vectors",
    },
    "skeleton_mix": {
        mix_in_a_loop: RIGHT,
        mix_by_broadcasting: RIGHT,
        mix_in_torch: RIGHT,
        mix_with_other_weights: "Not right on",
    },
}
