"""Attempts to let cells look at each other, and to count the numbers of that."""

import numpy as np
import torch
from torch import nn

from attention_book.chapters.cnn_attention.solutions import grid_self_attention
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT
from attention_book.layers import GridSelfAttention


def attend_in_loops(grid, W_Q, W_K, W_V, W_O, gate):
    _, N_rows, N_columns = grid.shape
    places = [(r, c) for r in range(N_rows) for c in range(N_columns)]
    out, A = grid.astype(float).copy(), np.zeros((len(places), len(places)))
    for i, (r, c) in enumerate(places):
        q = grid[:, r, c] @ W_Q
        e = np.array([q @ (grid[:, r, c] @ W_K) for r, c in places])
        A[i] = np.exp(e / np.sqrt(len(q)))
        A[i] /= A[i].sum()
        y = sum(a * grid[:, r, c] for a, (r, c) in zip(A[i], places, strict=True))
        out[:, r, c] += gate * (y @ W_V @ W_O)
    return out, A


def attend_by_einsum(grid, W_Q, W_K, W_V, W_O, gate):
    Q, K, V = (np.einsum("bdrc,de->berc", grid, W) for W in (W_Q, W_K, W_V))
    E = np.einsum("berc,best->brcst", Q, K) / W_Q.shape[1] ** 0.5
    powers = np.exp(E - E.max(axis=(-2, -1), keepdims=True))
    A = powers / powers.sum(axis=(-2, -1), keepdims=True)
    found = np.einsum("brcst,best,ed->bdrc", A, V, W_O)
    N_X = grid.shape[2] * grid.shape[3]
    return grid + gate * found, A.reshape(len(grid), N_X, N_X)


def attend_by_convolutions(grid, W_Q, W_K, W_V, W_O, gate):
    """A batch of tensors, as papers write it, with keys on the left of the product."""

    def convolved(W, grid):
        return nn.functional.conv2d(grid, W.T[:, :, None, None])

    f, g, h = (convolved(W, grid).flatten(2) for W in (W_K, W_Q, W_V))
    beta = (f.mT @ g / f.shape[1] ** 0.5).softmax(dim=1)  # (B, looked at, asks)
    o = convolved(W_O, (h @ beta).view(len(grid), -1, *grid.shape[2:]))
    return gate * o + grid, beta.mT


def count_by_formula(N_rows, N_columns, D, D_Q, D_V):
    N_X = N_rows * N_columns
    return 2 * D * (D_Q + D_V) + 1, N_X * N_X


def count_the_module(N_rows, N_columns, D, D_Q, D_V):
    layer = GridSelfAttention(D, D_Q, D_V)
    _, A = layer(torch.zeros(1, D, N_rows, N_columns))
    return sum(p.numel() for p in layer.parameters()), A.numel()


def count_with_numpy(N_rows, N_columns, D, D_Q, D_V):
    matrices = np.array([(D, D_Q), (D, D_Q), (D, D_V), (D_V, D)])
    return np.array([1 + matrices.prod(axis=1).sum(), (N_rows * N_columns) ** 2])


def the_first_picture_for_all(grid, *others):
    out, A = attend_by_einsum(grid[:1].repeat(len(grid), axis=0), *others)
    return out, A


def changed(change):
    return lambda *inputs: change(*grid_self_attention(*inputs))


ATTEMPTS = {
    "grid_self_attention": {
        attend_in_loops: RIGHT,
        attend_by_einsum: RIGHT,
        attend_by_convolutions: RIGHT,
        changed(lambda out, A: (out, np.roll(A, 1, axis=-2))): "rows of A are right",
        changed(lambda out, A: (out, A - 0.5)): "A weight is never negative",
        changed(lambda out, A: (out, A / 2)): "sums to 0.500",
        changed(lambda out, A: (out + 1, np.roll(A, 1, axis=-1))): "first in row 0",
        the_first_picture_for_all: "with grid of the first",
        edited(attend_by_einsum, "** 0.5", "** 0.5 * 1.5"): "behind A are 1.5 times",
        edited(attend_by_einsum, "grid + gate", "grid + abs(gate)"): "A is right",
    },
    "count_numbers": {
        count_by_formula: RIGHT,
        count_the_module: RIGHT,
        count_with_numpy: RIGHT,
        edited(count_by_formula, "+ 1,", "+ 8,"): "and the gate",
        edited(count_by_formula, "N_X * N_X", "N_X + 5"): "a column for each cell",
        edited(count_with_numpy, "** 2])", "** 2])[::-1]"): "in another order:",
    },
}
