"""Right ways to write the masks."""

import numpy as np
import torch


def causal_looping(N):
    """Lists of Python's own True and False."""
    return [[j <= i for j in range(N)] for i in range(N)]


def causal_of_numpy(N):
    """The lower triangle of ones."""
    return np.tril(np.ones((N, N), dtype=bool))


def causal_of_torch(N):
    """What is not above the diagonal."""
    return ~torch.triu(torch.ones(N, N), diagonal=1).bool()


def padding_looping(lengths, N_X):
    """One item after the other."""
    return [[True] * int(length) + [False] * (N_X - int(length)) for length in lengths]


def padding_filled(lengths, N_X):
    """Everything hidden, then shown item by item."""
    visible = np.zeros((len(lengths), N_X), dtype=bool)
    for row, length in zip(visible, lengths, strict=True):
        row[:length] = True
    return visible


def padding_of_torch(lengths, N_X):
    """Tensors, compared by broadcasting."""
    return torch.arange(N_X).expand(len(lengths), N_X).lt(lengths.unsqueeze(1))


def both_looping(lengths, N_X):
    """Three loops."""
    visible = np.zeros((len(lengths), N_X, N_X), dtype=bool)
    for b in range(len(lengths)):
        for i in range(N_X):
            for j in range(min(i + 1, lengths[b])):
                visible[b, i, j] = True
    return visible


def both_multiplied(lengths, N_X):
    """Ones and zeros, multiplied."""
    padding = (np.arange(N_X) < lengths[:, None]).astype(int)
    return (
        np.einsum("ij,bj->bij", np.tril(np.ones((N_X, N_X), dtype=int)), padding) == 1
    )


def both_of_torch(lengths, N_X):
    """Tensors that say what is hidden, joined with or, and turned round."""
    hidden = torch.arange(N_X)[None, :] >= lengths[:, None]
    later = torch.ones(N_X, N_X, dtype=torch.bool).triu(1)
    return torch.logical_not(hidden[:, None] | later[None])


STYLES = {
    "causal_mask": (causal_looping, causal_of_numpy, causal_of_torch),
    "padding_mask": (padding_looping, padding_filled, padding_of_torch),
    "causal_padding_mask": (both_looping, both_multiplied, both_of_torch),
}
