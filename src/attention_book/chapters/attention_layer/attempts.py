"""Right ways to write softmax and attention."""

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.verdict import RIGHT


def row_by_row(e):
    """Lists of Python numbers."""
    weights = []
    for row in e:
        powers = [np.exp(score - max(row)) for score in row]
        weights.append([power / sum(powers) for power in powers])
    return weights


def with_log_sum_exp(e):
    """The logarithm of the sum subtracted, then one exp."""
    return np.exp(e - np.logaddexp.reduce(e, axis=-1)[..., None])


def torch_by_hand(e):
    """Tensors, written out."""
    positive = torch.exp(e - e.amax(dim=1, keepdim=True))
    return positive / torch.einsum("ij->i", positive).unsqueeze(1)


def looping(Q, K, V, visible):
    """One query after the other, over the visible inputs only."""
    Y, A = [], []
    for q, seen in zip(Q, visible, strict=True):
        scores = [sum(q * k) / len(q) ** 0.5 for k in K[seen]]  # max() refuses no score
        powers = np.exp(np.array(scores) - max(scores))
        A.append(np.zeros(len(K)))
        A[-1][seen] = powers / sum(powers)
        Y.append(sum(a * v for a, v in zip(A[-1], V, strict=True)))
    return Y, A


def with_einsum(Q, K, V, visible):
    """A batch at once, by the letters of its axes."""
    E = np.einsum("bqd,bkd->bqk", Q, K) * Q.shape[-1] ** -0.5
    assert (visible.sum(axis=-1) > 0).all()
    largest = np.max(E, axis=-1, keepdims=True, where=visible, initial=-np.inf)
    positive = np.exp(E - largest, where=visible, out=0 * E)
    A = positive / np.einsum("bqk->bq", positive)[:, :, None]
    return np.einsum("bqk,bkd->bqd", A, V), A


def of_torch(Q, K, V, visible):
    """Torch's own; values that are 1 in one place each give the weights back."""
    assert visible.any(dim=-1).all()
    ones = torch.eye(K.shape[1]).expand(len(K), -1, -1)
    Y, A = (F.scaled_dot_product_attention(Q, K, v, visible) for v in (V, ones))
    return Y, A


ATTEMPTS = {
    "softmax": {
        row_by_row: RIGHT,
        with_log_sum_exp: RIGHT,
        torch_by_hand: RIGHT,
    },
    "attention": {
        looping: RIGHT,
        with_einsum: RIGHT,
        of_torch: RIGHT,
    },
}
