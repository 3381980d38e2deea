"""Right ways to write masks: triangles, comparisons, loops."""

import numpy as np
import torch


def causal_triangle(N):
    """NumPy's lower triangle."""
    return np.tri(N, dtype=bool)


def causal_with_torch(N):
    """The complement of torch's upper triangle."""
    return ~torch.ones(N, N, dtype=torch.bool).triu(1)


def causal_by_loops(N):
    """Lists of Python's True and False."""
    return [[j <= i for j in range(N)] for i in range(N)]


def causal_by_sums(N):
    """Zeros and ones, counted up: 1 means True."""
    return np.cumsum(np.eye(N, dtype=int), axis=1).T


def padding_by_loops(lengths, N_X):
    """Lists of Python's True and False."""
    return [[True] * length + [False] * (N_X - length) for length in lengths]


def padding_by_filling(lengths, N_X):
    """NumPy, row by row."""
    visible = np.zeros((len(lengths), N_X), dtype=bool)
    for row, length in zip(visible, lengths, strict=True):
        row[:length] = True
    return visible


def padding_with_torch(lengths, N_X):
    """A comparison of two tensors."""
    return torch.arange(N_X) < torch.tensor(lengths).unsqueeze(1)


def decoder_by_loops(lengths, N):
    """Three loops, one condition."""
    return [[[j <= i and j < length for j in range(N)] for i in range(N)] for length in lengths]


def decoder_with_torch(lengths, N):
    """Two triangles of tensors, multiplied."""
    words = torch.arange(N)[None, None, :].lt(torch.tensor(lengths)[:, None, None])
    return torch.ones(N, N).tril().bool().logical_and(words)


def decoder_with_minimum(lengths, N):
    """NumPy: how far a query may see is the smaller of two limits."""
    limit = np.minimum(np.arange(1, N + 1)[None, :], np.array(lengths)[:, None])
    return np.arange(N) < limit[:, :, None]


STYLES = {
    "causal_mask": (causal_triangle, causal_with_torch, causal_by_loops, causal_by_sums),
    "padding_mask": (padding_by_loops, padding_by_filling, padding_with_torch),
    "decoder_mask": (decoder_by_loops, decoder_with_torch, decoder_with_minimum),
}
