"""Right ways to write positions: loops, complex numbers, tensors."""

import math

import numpy as np
import torch


def by_loops(N, D):
    """The formula, number by number."""
    P = [[0.0] * D for _ in range(N)]
    for n in range(N):
        for i in range(D // 2):
            angle = n / 10000 ** (2 * i / D)
            P[n][2 * i], P[n][2 * i + 1] = math.sin(angle), math.cos(angle)
    return P


def with_complex_numbers(N, D):
    """NumPy: hands that turn, their two coordinates side by side."""
    hands = np.exp(1j * np.outer(np.arange(N), 1e4 ** (-np.arange(0, D, 2) / D)))
    return np.stack([hands.imag, hands.real], axis=-1).reshape(N, D)


def with_logarithms(N, D):
    """Tensors: the powers by exp of a logarithm."""
    speed = torch.exp(torch.arange(0, D, 2) * (-math.log(10000.0) / D))
    P = torch.zeros(N, D)
    P[:, 0::2] = torch.sin(torch.arange(N).unsqueeze(1) * speed)
    P[:, 1::2] = torch.cos(torch.arange(N).unsqueeze(1) * speed)
    return P


def add_by_broadcasting(X, P):
    """NumPy or tensors: the batch axis is stretched."""
    return X + P[: X.shape[1]]


def add_by_loops(X, P):
    """One input after the other."""
    return [
        [[x + p for x, p in zip(row, P[n], strict=True)] for n, row in enumerate(sequence)] for sequence in X.tolist()
    ]


def add_with_an_embedding(X, P):
    """Tensors: the table as an embedding, asked for the positions 0 ... N-1."""
    return X + torch.nn.functional.embedding(torch.arange(X.size(1)), P).unsqueeze(0)


STYLES = {
    "positional_encoding": (by_loops, with_complex_numbers, with_logarithms),
    "add_positions": (add_by_broadcasting, add_by_loops, add_with_an_embedding),
}
