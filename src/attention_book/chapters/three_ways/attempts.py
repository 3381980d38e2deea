"""Attempts to count work, and to follow who sees whom."""

import numpy as np
import torch

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def work_in_loops(n, d, k):

    def product(rows, inner, columns):
        return rows * inner * columns

    gru = sum(6 * product(1, d, d) for _ in range(n))
    convolution = sum(product(n, d, d) for _ in range(k))
    attention = 3 * product(n, d, d) + product(n, d, n) + product(n, n, d)
    return {"gru": gru, "convolution": convolution, "attention": attention}


def work_factored(n, d, k):
    return {
        "convolution": k * n * d**2,
        "attention": n * d * (3 * d + 2 * n),
        "gru": 6 * n * d**2,
    }


def work_by_shapes(n, d, k):
    X, W = np.zeros((n, d)), np.zeros((d, d))
    each = X.size * W.shape[1]
    return {
        "gru": 6 * each,
        "convolution": k * each,
        "attention": 3 * each + 2 * X.size * len(X),
    }


def sees_by_sets(visible, N_layers):
    N = len(visible)
    seen = [{i} for i in range(N)]
    for _ in range(N_layers):
        seen = [
            set().union(*(seen[j] for j in range(N) if visible[i][j])) for i in range(N)
        ]
    return np.array([[j in row for j in range(N)] for row in seen])


def sees_by_power(visible, N_layers):
    return np.linalg.matrix_power(np.asarray(visible, dtype=int), N_layers) > 0


def sees_in_torch(visible, N_layers):
    step = torch.as_tensor(visible).float()
    seen = torch.eye(len(step))
    for _ in range(N_layers):
        seen = (step @ seen > 0).float()
    return seen.bool()


ATTEMPTS = {
    "work": {
        work_in_loops: RIGHT,
        work_factored: RIGHT,
        work_by_shapes: RIGHT,
        edited(work_factored, "6 * n * d**2", "n * d"): "Each of n steps multiplies",
        edited(work_by_shapes, "k * each", "len(X) * each"): "reads k inputs",
        edited(work_factored, "(3 * d + 2 * n)", "n"): "you count one product of n",
        edited(work_factored, "d * (3 * d + 2 * n)", "n * n"): "attention is off: you",
    },
    "sees": {
        sees_by_sets: RIGHT,
        sees_by_power: RIGHT,
        sees_in_torch: RIGHT,
        lambda visible, N_layers: np.ones_like(visible): "but no chain of 2 looks",
        lambda visible, _: np.eye(len(visible)) > 0: "It looks at place",
        lambda visible, N: sees_by_power(visible, max(N, 1)): "without a layer each",
        edited(sees_in_torch, "bool()", "int()"): "holds the numbers 0 and 1, where",
        edited(sees_by_power, "=int", "=np.uint8"): "that output 0 does not see input",
    },
}
