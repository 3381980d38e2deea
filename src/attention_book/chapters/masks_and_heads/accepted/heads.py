"""Right ways to cut the width into heads, and to attend with several."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def split_looping(X, N_heads):
    """One example; slices of lists."""
    D_head = len(X[0]) // N_heads
    return [[list(x[k * D_head : (k + 1) * D_head]) for x in X] for k in range(N_heads)]


def split_by_numpy(X, N_heads):
    """Cut into parts, stacked in front."""
    return np.stack(np.split(X, N_heads, axis=-1), axis=-3)


def split_by_view(X, N_heads):
    """A batch of tensors, as in most models."""
    B, N, D = X.shape
    return X.view(B, N, N_heads, D // N_heads).transpose(1, 2)


def heads_looping(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """One example; one head after the other, and its share of W_O added up."""
    Y, A = 0, []
    blocks = (np.split(W, N_heads, axis=1) for W in (W_Q, W_K, W_V))
    for W_q, W_k, W_v, W_o in zip(*blocks, np.split(W_O, N_heads), strict=True):
        E = (X @ W_q) @ (X @ W_k).T / math.sqrt(W_q.shape[1])
        E[~visible] = -np.inf
        powers = np.exp(E - E.max(axis=1, keepdims=True))
        A.append(powers / powers.sum(axis=1, keepdims=True))
        Y = Y + A[-1] @ X @ W_v @ W_o
    return Y, np.array(A)


def heads_with_einsum(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """A batch at once; the weights are cut, not what they make."""
    W_q, W_k, W_v = (W.reshape(len(W), N_heads, -1) for W in (W_Q, W_K, W_V))
    Q, K, V = (np.einsum("bnx,xhd->bhnd", X, W) for W in (W_q, W_k, W_v))
    E = np.einsum("bhid,bhjd->bhij", Q, K) / np.sqrt(Q.shape[-1])
    powers = np.exp(E) * visible[:, None]
    A = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum(
        "bhij,bhjd,hdy->biy", A, V, W_O.reshape(N_heads, V.shape[-1], -1)
    ), A


def heads_in_the_batch(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """The heads become items of a longer batch."""
    B, N, _ = X.shape

    def fold(Z):
        return Z.reshape(B, N, N_heads, -1).permute(0, 2, 1, 3).flatten(0, 1)

    Q, K, V = fold(X @ W_Q), fold(X @ W_K), fold(X @ W_V)
    may_look = visible.repeat_interleave(N_heads, dim=0)
    E = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(Q.shape[-1])
    A = F.softmax(torch.where(may_look, E, float("-inf")), dim=-1)
    found = torch.bmm(A, V).view(B, N_heads, N, -1).permute(0, 2, 1, 3)
    return found.reshape(B, N, -1) @ W_O, A.view(B, N_heads, N, N)


STYLES = {
    "split_heads": (split_looping, split_by_numpy, split_by_view),
    "multi_head": (heads_looping, heads_with_einsum, heads_in_the_batch),
}
