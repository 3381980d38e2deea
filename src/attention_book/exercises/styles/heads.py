"""Right ways to write several heads: slices, einsum, tensors, one head after the other."""

import math

import numpy as np
import torch
from torch.nn import functional as F


def split_by_slices(X, N_heads):
    """NumPy's split of the columns."""
    return np.stack(np.split(X, N_heads, axis=-1))


def split_with_view(X, N_heads):
    """Tensors: view, then transpose, with or without a batch."""
    return X.view(*X.shape[:-1], N_heads, -1).transpose(-2, -3)


def split_with_unflatten(X, N_heads):
    """Tensors: the width unflattened, the axes permuted, in batches only."""
    D_head = X.shape[2] // N_heads
    return X.unflatten(2, (N_heads, D_head)).permute(0, 2, 1, 3)


def split_by_loops(X, N_heads):
    """Lists of lists."""
    D_head = X.shape[1] // N_heads
    return [[row[k * D_head : (k + 1) * D_head] for row in X.tolist()] for k in range(N_heads)]


def one_head_at_a_time(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """NumPy: a loop over the heads, each with its slices of the matrices."""
    D_head = X.shape[1] // N_heads
    outputs, maps = [], []
    for k in range(N_heads):
        columns = slice(k * D_head, (k + 1) * D_head)
        E = (X @ W_Q[:, columns]) @ (X @ W_K[:, columns]).T / math.sqrt(D_head)
        E[~visible] = -np.inf
        A = np.exp(E - E.max(axis=1, keepdims=True))
        maps.append(A / A.sum(axis=1, keepdims=True))
        outputs.append(maps[-1] @ (X @ W_V[:, columns]))
    return np.concatenate(outputs, axis=1) @ W_O, np.stack(maps)


def with_einsum(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """NumPy and einsum, with any axes in front."""
    D = X.shape[-1]
    Q, K, V = (np.einsum("...nd,dhk->...hnk", X, W.reshape(D, N_heads, -1)) for W in (W_Q, W_K, W_V))
    E = np.einsum("...hqk,...hxk->...hqx", Q, K) / np.sqrt(D // N_heads)
    E = np.where(visible[..., None, :, :], E, -np.inf)
    A = np.exp(E - E.max(axis=-1, keepdims=True))
    A = A / A.sum(axis=-1, keepdims=True)
    return np.einsum("...hqx,...hxk,hkd->...qd", A, V, W_O.reshape(N_heads, -1, D)), A


def with_tensors(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """Tensors in batches; masked_fill and the library's softmax."""
    B, N, D = X.shape
    Q, K, V = ((X @ W).view(B, N, N_heads, -1).transpose(1, 2) for W in (W_Q, W_K, W_V))
    E = (Q @ K.mT / (D // N_heads) ** 0.5).masked_fill(~visible[:, None], -torch.inf)
    A = F.softmax(E, dim=-1)
    return (A @ V).transpose(1, 2).reshape(B, N, D) @ W_O, A


def with_the_library(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """torch's nn.MultiheadAttention, whose mask means the opposite."""
    layer = torch.nn.MultiheadAttention(X.shape[-1], N_heads, bias=False, batch_first=True)
    layer.in_proj_weight.data = torch.cat([W_Q.T, W_K.T, W_V.T])
    layer.out_proj.weight.data = W_O.T
    hidden = ~visible.repeat_interleave(N_heads, dim=0)
    return layer(X, X, X, attn_mask=hidden, average_attn_weights=False)


STYLES = {
    "split_heads": (split_by_slices, split_with_view, split_with_unflatten, split_by_loops),
    "multi_head": (one_head_at_a_time, with_einsum, with_tensors, with_the_library),
}
