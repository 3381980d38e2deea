"""Right ways to write attention: loops, einsum, masked_fill, an additive mask, torch's own."""

import math

import numpy as np
import torch
from torch.nn import functional as F


def by_loops(Q, K, V, visible):
    """One number after the other, in Python."""
    Y, A = [], []
    for q, seen in zip(Q.tolist(), visible.tolist(), strict=True):
        if not any(seen):
            raise ValueError("nothing to look at")
        e = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K.tolist()]
        top = max(score for score, may in zip(e, seen, strict=True) if may)
        powers = [math.exp(score - top) if may else 0.0 for score, may in zip(e, seen, strict=True)]
        A.append([power / sum(powers) for power in powers])
        Y.append([sum(a * v for a, v in zip(A[-1], column, strict=True)) for column in V.T.tolist()])
    return Y, A


def with_einsum(Q, K, V, visible):
    """NumPy and einsum, with any axes in front."""
    if not visible.any(axis=-1).all():
        raise ValueError("a row of visible is False everywhere")
    E = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    E = E + np.where(visible, 0.0, -np.inf)
    A = np.exp(E - E.max(-1, keepdims=True))
    A /= A.sum(-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", A, V), A


def with_masked_fill(Q, K, V, visible):
    """Tensors; the library's softmax."""
    if (~visible).all(-1).any():
        raise ValueError("a row of visible is False everywhere")
    E = (Q @ K.mT / math.sqrt(K.size(-1))).masked_fill(~visible, -math.inf)
    A = F.softmax(E, dim=-1)
    return A @ V, A


def with_the_library(Q, K, V, visible):
    """torch's scaled_dot_product_attention, asked for the weights with the identity as values."""
    assert visible.any(-1).all(), "nothing to look at"
    eye = torch.eye(K.shape[-2]).expand(*K.shape[:-1], -1)
    attend = F.scaled_dot_product_attention
    return attend(Q, K, V, attn_mask=visible), attend(Q, K, eye, attn_mask=visible)


def one_query_at_a_time(Q, K, V, visible):
    """A loop over queries that leaves hidden inputs out altogether."""
    Y, A = np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        at = np.flatnonzero(visible[i])
        if at.size == 0:
            raise ValueError(f"query {i} may look at nothing")
        e = K[at] @ q / np.sqrt(q.size)
        A[i, at] = np.exp(e - np.logaddexp.reduce(e))
        Y[i] = A[i, at] @ V[at]
    return Y, A


def self_by_loop(X, W_Q, W_K, W_V, visible):
    """Projections row by row, then a loop over queries."""
    Q, K, V = (np.stack([x @ W for x in X]) for W in (W_Q, W_K, W_V))
    return one_query_at_a_time(Q, K, V, visible)


def self_with_einsum(X, W_Q, W_K, W_V, visible):
    """NumPy, with any axes in front."""
    Q, K, V = (np.einsum("...nd,dk->...nk", X, W) for W in (W_Q, W_K, W_V))
    return with_einsum(Q, K, V, visible)


def self_with_linear(X, W_Q, W_K, W_V, visible):
    """Tensors, with linear layers whose weights lie the other way round."""
    Q, K, V = (F.linear(X, W.T) for W in (W_Q, W_K, W_V))
    return with_masked_fill(Q, K, V, visible)


def self_in_one_product(X, W_Q, W_K, W_V, visible):
    """All three projections at once, then torch's own attention."""
    D_Q = W_Q.shape[1]
    Q, K, V = (X @ torch.cat([W_Q, W_K, W_V], dim=1)).split([D_Q, D_Q, W_V.shape[1]], dim=-1)
    return with_the_library(Q, K, V, visible)


def cross_by_loop(S, X, W_Q, W_K, W_V, visible):
    """NumPy, one step of the decoder at a time."""
    return one_query_at_a_time(S @ W_Q, X @ W_K, X @ W_V, visible)


def cross_with_einsum(S, X, W_Q, W_K, W_V, visible):
    """NumPy, with any axes in front; the two matrices of the scores joined into one."""
    E = np.einsum("...qs,sd,xd,...kx->...qk", S, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    E = np.where(visible, E, -np.inf)
    A = np.exp(E - E.max(-1, keepdims=True))
    A = A / A.sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def cross_with_tensors(S, X, W_Q, W_K, W_V, visible):
    """Tensors."""
    return with_masked_fill(S @ W_Q, X @ W_K, X @ W_V, visible)


STYLES = {
    "attention": (by_loops, with_einsum, with_masked_fill, with_the_library, one_query_at_a_time),
    "self_attention": (self_by_loop, self_with_einsum, self_with_linear, self_in_one_product),
    "cross_attention": (cross_by_loop, cross_with_einsum, cross_with_tensors),
}
