"""Right ways to let a decoder look at an encoder."""

import numpy as np
import torch.nn.functional as F


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


STYLES = {"cross_attention": (cross_looping, cross_with_einsum, cross_of_torch)}
