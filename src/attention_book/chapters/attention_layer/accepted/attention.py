"""Right ways to write attention, self-attention and cross-attention."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


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
    """A batch at once, by the letters of its axes; hidden scores left out of the largest and of the sum."""
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


def with_masked_fill(Q, K, V, visible):
    """Tensors, written out."""
    assert visible.any(dim=-1).all(), "a query may look at nothing"
    E = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))
    A = E.masked_fill(~visible, float("-inf")).softmax(dim=-1)
    return A @ V, A


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
    Y = F.scaled_dot_product_attention(
        Q[None], K[None], V[None], attn_mask=visible[None]
    )
    A = F.scaled_dot_product_attention(
        Q[None], K[None], torch.eye(len(K))[None], attn_mask=visible[None]
    )
    return Y[0], A[0]


def self_looping(X, W_Q, W_K, W_V, visible):
    """One input after the other, over the visible ones only."""
    Y, A = np.zeros((len(X), W_V.shape[1])), np.zeros((len(X), len(X)))
    for i in range(len(X)):
        seen = [j for j in range(len(X)) if visible[i, j]]
        powers = {
            j: math.exp((X[i] @ W_Q) @ (X[j] @ W_K) / math.sqrt(W_Q.shape[1]))
            for j in seen
        }
        for j in seen:
            A[i, j] = powers[j] / sum(powers.values())
            Y[i] += A[i, j] * (X[j] @ W_V)
    return Y, A


def self_in_one_matrix(X, W_Q, W_K, W_V, visible):
    """W_Q W_K^T as one matrix, and the values projected last."""
    E = X @ (W_Q @ W_K.T) @ X.T / np.sqrt(W_K.shape[-1])
    positive = np.where(visible, np.exp(E), 0)
    A = positive / positive.sum(1, keepdims=True)
    return A @ X @ W_V, A


def self_batched(X, W_Q, W_K, W_V, visible):
    """A batch of tensors, one projection cut in three."""
    D_Q, D_V = W_Q.shape[1], W_V.shape[1]
    Q, K, V = torch.split(X @ torch.cat([W_Q, W_K, W_V], dim=1), [D_Q, D_Q, D_V], dim=2)
    E = torch.einsum("bid,bjd->bij", Q, K) / D_Q**0.5
    A = torch.where(visible, E, torch.tensor(-torch.inf)).softmax(-1)
    return A @ V, A


class Head(nn.Module):
    """A module that is given its weights, as in a model that has learned them."""

    def forward(self, X, W_Q, W_K, W_V, visible):
        Q, K, V = (F.linear(X, W.T) for W in (W_Q, W_K, W_V))
        E = Q.div(Q.shape[-1] ** 0.5) @ K.transpose(-1, -2)
        A = E.masked_fill(visible.logical_not(), -1e9).softmax(-1)
        return A @ V, A


def self_module(X, W_Q, W_K, W_V, visible):
    """An nn.Module."""
    return Head()(X, W_Q, W_K, W_V, visible)


def cross_looping(S, X, W_Q, W_K, W_V, visible):
    """One step of the decoder after the other, as with a recurrent decoder."""
    Y, A = [], []
    for s, may_look in zip(S, visible, strict=True):
        e_t = np.array([s @ W_Q @ W_K.T @ x for x in X]) / np.sqrt(W_Q.shape[1])
        e_t[~may_look] = -np.inf
        a_t = np.exp(e_t - e_t.max()) / np.exp(e_t - e_t.max()).sum()
        A.append(a_t)
        Y.append(a_t @ X @ W_V)
    return np.stack(Y), np.stack(A)


def cross_with_einsum(S, X, W_Q, W_K, W_V, visible):
    """A batch of arrays in two products."""
    E = np.einsum("bts,sq,xq,bix->bti", S, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    positive = np.exp(E) * visible
    A = positive / positive.sum(axis=-1, keepdims=True)
    return np.einsum("bti,bix,xv->btv", A, X, W_V), A


def cross_of_torch(S, X, W_Q, W_K, W_V, visible):
    """A batch of tensors; the weights from log_softmax."""
    Q, K, V = S @ W_Q, X @ W_K, X @ W_V
    E = Q.bmm(K.transpose(1, 2)).mul(W_Q.size(1) ** -0.5)
    A = F.log_softmax(E + visible.float().log(), dim=-1).exp()
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=visible), A


STYLES = {
    "attention": (looping, with_einsum, with_masked_fill, with_an_added_mask, of_torch),
    "self_attention": (self_looping, self_in_one_matrix, self_batched, self_module),
    "cross_attention": (cross_looping, cross_with_einsum, cross_of_torch),
}
