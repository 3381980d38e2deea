"""Attempts to count work, and to follow who sees whom."""

import numpy as np
import torch

from attention_book.chapters.three_ways.solutions import sees, work
from attention_book.exercises.verdict import RIGHT


def work_in_loops(n, d, k):
    """Products of matrices, one by one."""

    def product(rows, inner, columns):
        return rows * inner * columns

    gru = sum(6 * product(1, d, d) for _ in range(n))
    convolution = sum(product(n, d, d) for _ in range(k))
    attention = 3 * product(n, d, d) + product(n, d, n) + product(n, n, d)
    return {"gru": gru, "convolution": convolution, "attention": attention}


def work_factored(n, d, k):
    """Formulas with what is common in front."""
    return {
        "convolution": k * n * d**2,
        "attention": n * d * (3 * d + 2 * n),
        "gru": 6 * n * d**2,
    }


def work_by_shapes(n, d, k):
    """The sizes of arrays."""
    X, W = np.zeros((n, d)), np.zeros((d, d))
    each = X.size * W.shape[1]
    return {
        "gru": 6 * each,
        "convolution": k * each,
        "attention": 3 * each + 2 * X.size * len(X),
    }


def sees_by_sets(visible, N_layers):
    """Whom each output sees as a set, layer by layer."""
    N = len(visible)
    seen = [{i} for i in range(N)]
    for _ in range(N_layers):
        seen = [
            set().union(*(seen[j] for j in range(N) if visible[i][j])) for i in range(N)
        ]
    return np.array([[j in row for j in range(N)] for row in seen])


def sees_by_power(visible, N_layers):
    """A power of the matrix counts the ways."""
    return np.linalg.matrix_power(np.asarray(visible, dtype=int), N_layers) > 0


def sees_in_torch(visible, N_layers):
    """Tensors; the product in floats."""
    step = torch.as_tensor(visible).float()
    seen = torch.eye(len(step))
    for _ in range(N_layers):
        seen = (step @ seen > 0).float()
    return seen.bool()


def with_another(way, count):
    return lambda n, d, k: work(n, d, k) | {way: count(n, d, k)}


def powers(visible, N_layers):
    """Right, but for the sum over fewer layers."""
    return sum(
        np.linalg.matrix_power(visible.astype(int), L) for L in range(N_layers + 1)
    ).astype(bool)


def twice(n, d, k):
    return {way: 2 * count for way, count in work(n, d, k).items()}


def itself_only(visible, N_layers):
    return np.eye(len(visible), dtype=bool)


def nothing_without_a_layer(visible, N_layers):
    return sees(visible, N_layers) & (N_layers > 0)


def one_layer_at_least(visible, N_layers):
    return sees(visible, max(N_layers, 1))


def as_numbers(visible, N_layers):
    return sees(visible, N_layers).astype(int)


def counted_in_small_integers(visible, N_layers):
    return np.linalg.matrix_power(visible.astype(np.uint8), N_layers) > 0


ATTEMPTS = {
    "work": {
        work_in_loops: RIGHT,
        work_factored: RIGHT,
        work_by_shapes: RIGHT,
        with_another("gru", lambda n, d, k: 6 * n * d * d + 3 * n * d): "by entry",
        with_another("gru", lambda n, d, k: n * d): "Each of n steps multiplies x_t",
        with_another("convolution", lambda n, d, k: n * n * d): "reads k inputs",
        with_another("attention", lambda n, d, k: 2 * n * n * d): "you leave out X W_Q",
        with_another("attention", lambda n, d, k: n**3): "attention is off: you get",
        twice: "In the GRU you count products twice",
    },
    "sees": {
        sees_by_sets: RIGHT,
        sees_by_power: RIGHT,
        sees_in_torch: RIGHT,
        lambda visible, N_layers: visible: "You give back the mask",
        lambda visible, N_layers: sees(visible.T, N_layers): "wrong way round",
        powers: "You let each place see what it has seen below",
        lambda visible, N_layers: np.ones_like(visible): "but no chain of 2 looks",
        itself_only: "does not see input 0. It looks at place",
        nothing_without_a_layer: "without a layer each output is its own input",
        one_layer_at_least: "Start from it, and loop N_layers times.",
        as_numbers: "seen holds the numbers 0 and 1, where True and False are due",
        counted_in_small_integers: "you say that output 0 does not see input 0",
    },
}
