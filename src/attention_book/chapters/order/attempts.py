"""Attempts to write sine and cosine positions, and to add them."""

import numpy as np
import torch

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def entry_by_entry(N, D):
    waves = np.sin, np.cos
    angles = [[t / 10000 ** ((k - k % 2) / D) for k in range(D)] for t in range(N)]
    return [[waves[k % 2](angle) for k, angle in enumerate(row)] for row in angles]


def with_logarithms(N, D):
    speed = torch.exp(torch.arange(0, D, 2) * (-np.log(10000) / D))
    angle = torch.arange(N)[:, None] * speed
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def turned_by_a_quarter(N, D):
    odd = np.arange(D) % 2
    angle = np.outer(np.arange(N), 10000.0 ** ((odd - np.arange(D)) / D))
    return np.sin(angle + np.pi / 2 * odd)


def add_in_loops(X, P):
    return [[x + P[t] for t, x in enumerate(item)] for item in X]


def add_by_index(X, P):
    return torch.nn.functional.embedding(torch.arange(X.size(1)), P).add(X)


def add_by_slice(X, P):
    return P[None, : X.shape[1]] + X


ATTEMPTS = {
    "positional_encoding": {
        entry_by_entry: RIGHT,
        with_logarithms: RIGHT,
        turned_by_a_quarter: RIGHT,
        edited(with_logarithms, "flatten(1)", "flatten(1).squeeze()"): "has shape (4,)",
        edited(entry_by_entry, "10000", "1000"): "P[1, 2] is 0.09983, expected sin",
        edited(entry_by_entry, "sin, np.cos", "sin, np.sin"): "odd ones cosines",
        # right for some lengths and widths only
        edited(entry_by_entry, "/ D)", "/ (N + 1))"): "sin(1 / 10000^(2 / 10))",
        edited(entry_by_entry, "/ D)", "/ 6)"): "expected sin(1 / 10000^(2 / 10))",
    },
    "add_positions": {
        add_in_loops: RIGHT,
        add_by_index: RIGHT,
        add_by_slice: RIGHT,
        edited(add_in_loops, "P[t]", "P[t + 2]"): "you add P[2], not P[0]",
        edited(add_by_slice, "+ X", "- X"): "not P[0]",
        lambda X, P: add_by_slice(X, P).swapaxes(0, 1): "has shape (3, 2, 4)",
        lambda X, P: X.add_(P[: X.size(1)]): "writes into X",
    },
}
