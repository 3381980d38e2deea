"""Attempts to let cells look at each other, and to count the numbers of that."""

import numpy as np
import torch
from torch import nn

from attention_book.chapters.cnn_attention.solutions import (
    count_numbers,
    grid_self_attention,
)
from attention_book.exercises.verdict import RIGHT
from attention_book.layers import GridSelfAttention


def attend_in_loops(grid, W_Q, W_K, W_V, W_O, gate):
    """One picture; one cell after the other, by row and column."""
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
    """A batch; no reshape but for A: rows and columns are two axes throughout."""
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


class AsModule:
    """Our own module, with these weights."""

    __name__ = "AsModule"

    def __call__(self, grid, W_Q, W_K, W_V, W_O, gate):
        layer = GridSelfAttention(*W_Q.shape, W_V.shape[1])
        layer.attend.W_Q.data, layer.attend.W_K.data = W_Q, W_K
        layer.attend.W_V.data, layer.W_O.data = W_V, W_O
        layer.gate.data.fill_(gate)
        with torch.no_grad():
            return layer(grid)


def count_by_formula(N_rows, N_columns, D, D_Q, D_V):
    """Two matrices of each width."""
    N_X = N_rows * N_columns
    return 2 * D * (D_Q + D_V) + 1, N_X * N_X


def count_the_module(N_rows, N_columns, D, D_Q, D_V):
    """Build it, let it look, and count."""
    layer = GridSelfAttention(D, D_Q, D_V)
    _, A = layer(torch.zeros(1, D, N_rows, N_columns))
    return sum(p.numel() for p in layer.parameters()), A.numel()


def count_in_a_loop(N_rows, N_columns, D, D_Q, D_V):
    """Each convolution without a bias."""
    learned = 1
    for before, after in ((D, D_Q), (D, D_Q), (D, D_V), (D_V, D)):
        learned += nn.Conv2d(before, after, 1, bias=False).weight.numel()
    return learned, sum(N_rows * N_columns for _ in range(N_rows * N_columns))


def count_with_numpy(N_rows, N_columns, D, D_Q, D_V):
    """Both in an array."""
    matrices = np.array([(D, D_Q), (D, D_Q), (D, D_V), (D_V, D)])
    return np.array([1 + matrices.prod(axis=1).sum(), (N_rows * N_columns) ** 2])


def count_with_torch(N_rows, N_columns, D, D_Q, D_V):
    """Both in a tensor."""
    X = torch.zeros(N_rows, N_columns, D).flatten(0, 1)
    learned = torch.zeros(2 * D_Q + 2 * D_V, D).numel() + 1
    return torch.tensor([learned, (X @ X.T).numel()])


def with_weights(change_Q=1.0, change_gate=float):
    return lambda grid, W_Q, W_K, W_V, W_O, gate: grid_self_attention(
        grid, W_Q * change_Q, W_K, W_V, W_O, change_gate(gate)
    )


def changing(change):
    def wrong(*inputs):
        return change(*grid_self_attention(*inputs))

    return wrong


def the_first_picture_for_all(grid, *others):
    out, A = grid_self_attention(grid[:1].repeat(len(grid), axis=0), *others)
    return out, A


def one_picture(grid, W_Q, W_K, W_V, W_O, gate):
    D, N_rows, N_columns = grid.shape
    return grid.reshape(D, N_rows) * N_columns


def turned_round(*sizes):
    return count_numbers(*sizes)[::-1]


def with_more(extra):
    def wrong(*sizes):
        pairs = zip(count_numbers(*sizes), extra(*sizes), strict=True)
        return tuple(right + more for right, more in pairs)

    return wrong


ATTEMPTS = {
    "grid_self_attention": {
        attend_in_loops: RIGHT,
        attend_by_einsum: RIGHT,
        attend_by_convolutions: RIGHT,
        AsModule(): RIGHT,
        changing(lambda out, A: (out, np.roll(A, 1, axis=-2))): "rows of A are right",
        changing(lambda out, A: (np.roll(out, 1, axis=-1), A)): "out is not",
        changing(lambda out, A: (out, A - 0.5)): "A weight is never negative",
        changing(lambda out, A: (out, A / 2)): "as A is something else",
        changing(lambda out, A: (out + 1, np.roll(A, 1, axis=-1))): "first in row 0",
        the_first_picture_for_all: "with grid of the first",
        changing(lambda out, A: (out, A.mean(axis=0))): "has shape (6, 6)",
        with_weights(change_gate=abs): "cell as there are cells: A is right",
        with_weights(change_Q=1.5): "scores are 1.5 times",
        one_picture: "cannot reshape array of size 30",
    },
    "count_numbers": {
        count_by_formula: RIGHT,
        count_the_module: RIGHT,
        count_in_a_loop: RIGHT,
        count_with_numpy: RIGHT,
        count_with_torch: RIGHT,
        with_more(lambda r, c, D, Q, V: (-1, 0)): "gate is learned, too",
        with_more(lambda r, c, D, Q, V: (2 * Q + V + D, 0)): "You count biases",
        with_more(lambda r, c, D, Q, V: (D * D - D * V, 0)): "D times D_V",
        with_more(lambda r, c, D, Q, V: (7, 0)): "and the gate",
        with_more(
            lambda r, c, D, Q, V: (0, r * c**2 - (r * c) ** 2)
        ): "Brackets are missing",
        with_more(lambda r, c, D, Q, V: (0, 5)): "a column for each cell",
        turned_round: "in another order: expected learned, weights.",
    },
}
