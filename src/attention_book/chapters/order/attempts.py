"""Right ways to write sine and cosine positions, and to add them."""

import numpy as np
import torch

from attention_book.exercises.verdict import RIGHT


def entry_by_entry(N, D):
    """Lists of Python numbers."""
    waves = np.sin, np.cos
    angles = [[t / 10000 ** ((k - k % 2) / D) for k in range(D)] for t in range(N)]
    return [[waves[k % 2](angle) for k, angle in enumerate(row)] for row in angles]


def with_logarithms(N, D):
    """Tensors; the power written as exp of a logarithm."""
    speed = torch.exp(torch.arange(0, D, 2) * (-np.log(10000) / D))
    angle = torch.arange(N)[:, None] * speed
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def turned_by_a_quarter(N, D):
    """A cosine is a sine a quarter turn ahead."""
    odd = np.arange(D) % 2
    angle = np.outer(np.arange(N), 10000.0 ** ((odd - np.arange(D)) / D))
    return np.sin(angle + np.pi / 2 * odd)


def add_in_loops(X, P):
    """Item by item, input by input."""
    return [[x + P[t] for t, x in enumerate(item)] for item in X]


def add_by_index(X, P):
    """Tensors; the positions looked up, as words are."""
    return torch.nn.functional.embedding(torch.arange(X.size(1)), P).add(X)


def add_by_slice(X, P):
    """Broadcasting over the batch."""
    return P[None, : X.shape[1]] + X


ATTEMPTS = {
    "positional_encoding": {
        entry_by_entry: RIGHT,
        with_logarithms: RIGHT,
        turned_by_a_quarter: RIGHT,
    },
    "add_positions": {
        add_in_loops: RIGHT,
        add_by_index: RIGHT,
        add_by_slice: RIGHT,
    },
}
