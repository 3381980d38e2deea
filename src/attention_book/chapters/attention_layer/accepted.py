"""Right ways to write softmax and attention."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def row_by_row(e):
    """Lists of Python numbers."""
    weights = []
    for row in e:
        powers = [math.exp(score - max(row)) for score in row]
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
    """Lists of Python numbers, one query after the other."""
    if not all(any(row) for row in visible):
        raise ValueError("a query may look at nothing")
    Y, A = [], []
    for q, may_look in zip(Q, visible, strict=True):
        scores = [
            sum(q * k) / math.sqrt(len(q)) if look else -math.inf
            for k, look in zip(K, may_look, strict=True)
        ]
        powers = [math.exp(score - max(scores)) for score in scores]
        A.append([power / sum(powers) for power in powers])
        Y.append(
            [
                sum(a * v[d] for a, v in zip(A[-1], V, strict=True))
                for d in range(len(V[0]))
            ]
        )
    return Y, A


def with_einsum(Q, K, V, visible):
    """A batch at once, by the letters of its axes; what is hidden is left out."""
    E = np.einsum("bqd,bkd->bqk", Q, K) * Q.shape[-1] ** -0.5
    if (visible.sum(axis=-1) == 0).any():
        raise ValueError("a query may look at nothing")
    positive = np.exp(
        E - np.max(E, axis=-1, keepdims=True, where=visible, initial=-np.inf),
        where=visible,
        out=0 * E,
    )
    A = positive / np.einsum("bqk->bq", positive)[:, :, None]
    return np.einsum("bqk,bkd->bqd", A, V), A


def with_an_added_mask(Q, K, V, visible):
    """A batch of tensors; 0 or -inf is added to the scores."""
    if not visible.any(-1).all():
        raise ValueError("a query may look at nothing")
    added = torch.zeros(visible.shape).masked_fill_(visible.logical_not(), -torch.inf)
    E = torch.baddbmm(added, Q, K.mT, alpha=K.shape[2] ** -0.5)
    A = F.softmax(E, dim=2)
    return torch.bmm(A, V), A


def of_torch(Q, K, V, visible):
    """Torch's own; values that are 1 in one place each give the weights back."""
    if (~visible).all(dim=-1).any():
        raise ValueError("a query may look at nothing")
    Y, A = (
        F.scaled_dot_product_attention(Q[None], K[None], values, visible[None])[0]
        for values in (V[None], torch.eye(len(K))[None])
    )
    return Y, A


STYLES = {
    "softmax": (row_by_row, with_log_sum_exp, torch_by_hand),
    "attention": (looping, with_einsum, with_an_added_mask, of_torch),
}
