"""Right ways to write sine and cosine positions, and to add them."""

import math

import numpy as np
import torch
from torch import nn


def entry_by_entry(N, D):
    """Lists of Python numbers."""
    P = [[0.0] * D for _ in range(N)]
    for t in range(N):
        for column in range(D):
            angle = t / 10000 ** (2 * (column // 2) / D)
            P[t][column] = math.cos(angle) if column % 2 else math.sin(angle)
    return P


def with_logarithms(N, D):
    """Tensors; the power written as exp of a logarithm, filled in place."""
    P = torch.zeros(N, D)
    t = torch.arange(0, N, dtype=torch.float).unsqueeze(1)
    speed = torch.exp(torch.arange(0, D, 2).float() * (-math.log(10000.0) / D))
    P[:, 0::2] = torch.sin(t * speed)
    P[:, 1::2] = torch.cos(t * speed)
    return P


def turned_by_a_quarter(N, D):
    """A cosine is a sine a quarter turn ahead."""
    columns = np.arange(D)
    angle = np.outer(np.arange(N), 10000.0 ** (-(columns - columns % 2) / D))
    return np.sin(angle + np.pi / 2 * (columns % 2))


def add_in_loops(X, P):
    """Item by item, input by input."""
    return np.array([[x + P[t] for t, x in enumerate(item)] for item in X])


def add_by_index(X, P):
    """Tensors; the positions looked up, as words are."""
    t = torch.arange(X.size(1)).expand(X.size(0), -1)
    return nn.functional.embedding(t, P).add(X)


def add_by_slice(X, P):
    """Broadcasting over the batch."""
    return P[None, : X.shape[1]] + X


STYLES = {
    "positional_encoding": (entry_by_entry, with_logarithms, turned_by_a_quarter),
    "add_positions": (add_in_loops, add_by_index, add_by_slice),
}
