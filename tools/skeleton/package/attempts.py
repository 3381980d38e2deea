"""Attempts to average and to mix."""

import numpy as np
import torch

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def average_in_a_loop(X):
    total = np.zeros(X.shape[1])
    for x in X:
        total = total + x / len(X)
    return total


def average_by_weights(X):
    return np.full(len(X), 1 / len(X)) @ X


def average_in_torch(X):
    return torch.mean(X, dim=0)


def mix_in_a_loop(a, X):
    return sum(weight * x for weight, x in zip(a, X, strict=True))


def mix_by_broadcasting(a, X):
    return (a[:, None] * X).sum(axis=0)


def mix_in_torch(a, X):
    return torch.einsum("n,nd->d", a, X)


ATTEMPTS = {
    "skeleton_average": {
        average_in_a_loop: RIGHT,
        average_by_weights: RIGHT,
        average_in_torch: RIGHT,
        edited(average_in_torch, "dim=0", "dim=1"): "of each vector, the last axis",
        edited(average_in_a_loop, "x / len(X)", "x"): "You take the sum",
        edited(average_by_weights, "1 / len(X)", "2 / len(X)"): "outside the vectors",
        edited(average_in_a_loop, "    return", "        return"): "inside the loop",
    },
    "skeleton_mix": {
        mix_in_a_loop: RIGHT,
        mix_by_broadcasting: RIGHT,
        mix_in_torch: RIGHT,
        edited(mix_in_torch, "n,nd->d", "d,nd->n"): "You sum over the features",
        edited(mix_in_a_loop, "weight * x", "x / len(X)"): "the plain average",
        edited(mix_in_torch, '", a', '", a.sqrt()'): "is not the sum of a[i] * X",
    },
}
