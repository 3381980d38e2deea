"""Attempts to write sine and cosine positions, and to add them."""

import math

import numpy as np
import torch

from attention_book.exercises.verdict import RIGHT
from attention_book.reference import positional_encoding


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


def halves(N, D):
    angle = torch.arange(N)[:, None] * torch.exp(
        torch.arange(0, D, 2) * (-math.log(10000) / D)
    )
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def by_entry(exponent, *, base=10000, start=0, waves=(math.sin, math.cos)):
    """Make an encoding by two loops, with something to get wrong."""

    def encode(N, D):
        return [
            [waves[c % 2]((t + start) / base ** (exponent(c) / D)) for c in range(D)]
            for t in range(N)
        ]

    return encode


def own_column(c):
    return c


def even_column(c):
    return c - c % 2


def written_over(X, P):
    for item in X:
        for t in range(len(item)):
            item[t] += P[t]
    return X


def along_the_batch(X, P):
    return torch.stack([item + P[b] for b, item in enumerate(X)])


def counted_on(X, P):
    B, N, D = X.shape
    return (X.view(B * N, D) + P[torch.arange(B * N)]).view(B, N, D)


def of_a_width(exponent):
    """Right for some widths, or lengths, only."""

    def encode(N, D):
        angle = np.arange(N)[:, None] / 10000 ** exponent(np.arange(D // 2), N)
        return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(N, D)

    return encode


def beside(X, P):
    return torch.cat([X, P[: X.size(1)].expand_as(X)], dim=2)


def from_the_number_of_the_sequence_on(X, P):
    return np.stack([x + P[b : b + len(x)] for b, x in enumerate(X)])


ATTEMPTS = {
    "positional_encoding": {
        entry_by_entry: RIGHT,
        with_logarithms: RIGHT,
        turned_by_a_quarter: RIGHT,
        halves: "All sines stand first",
        by_entry(own_column): "A cosine has the angle of the sine beside it",
        by_entry(lambda c: even_column(c) // 2): "Your exponent is i / D",
        by_entry(lambda c: 2 * c): "odd ones cosines of the same angle",
        by_entry(even_column, base=1000): "P[1, 2] is 0.09983, expected sin",
        by_entry(even_column, waves=(math.sin, math.sin)): "odd ones cosines",
        of_a_width(lambda i, N: i / 3): "expected sin(1 / 10000^(2 / 10))",
        of_a_width(lambda i, N: 2 * i / (N + 1)): "expected sin(1 / 10000^(2 / 10))",
        lambda N, D: np.ones((N, D)): "expected sin(0 / 10000^(0 / 6))",
        lambda N, D: np.squeeze(positional_encoding(N, D)): "has shape (4,)",
    },
    "add_positions": {
        add_in_loops: RIGHT,
        add_by_index: RIGHT,
        add_by_slice: RIGHT,
        along_the_batch: "you count along the batch",
        written_over: "Your function writes into X",
        lambda X, P: X.add_(P[: X.size(1)]): "writes into X",
        beside: "You put the position beside the input",
        lambda X, P: (X + P[: X.size(1)]).transpose(0, 1): "has shape (3, 2, 4)",
        counted_on: "You count on from one sequence",
        lambda X, P: X + P.roll(-2, 0)[: X.shape[1]]: "you add P[2], not P[0]",
        lambda X, P: X - P[: X.shape[1]]: "not P[0]",
        from_the_number_of_the_sequence_on: "you add P[1], not P[0]",
    },
}
