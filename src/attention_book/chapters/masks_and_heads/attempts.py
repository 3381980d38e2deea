"""Right ways to write masks, to attend in a padded batch, and with several heads."""

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from attention_book.exercises.verdict import RIGHT


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
    return [[j < length for j in range(N_X)] for length in lengths]


def padding_of_numpy(lengths, N_X):
    """Every length compared with every place."""
    return np.greater.outer(lengths, np.arange(N_X))


def padding_of_torch(lengths, N_X):
    """Tensors, compared by broadcasting."""
    return torch.arange(N_X).expand(len(lengths), N_X).lt(lengths.unsqueeze(1))


def both_looping(lengths, N_X):
    """The columns that each row sees: up to itself, or to the last word."""
    rows = [[min(i + 1, length) for i in range(N_X)] for length in lengths]
    return [[[j < n for j in range(N_X)] for n in item] for item in rows]


def both_multiplied(lengths, N_X):
    """Ones and zeros, multiplied."""
    padding = (np.arange(N_X) < lengths[:, None]).astype(int)
    return np.einsum("ij,bj->bij", np.tri(N_X, dtype=int), padding) == 1


def both_of_torch(lengths, N_X):
    """Tensors that say what is hidden, joined with or, and turned round."""
    hidden = torch.arange(N_X) >= lengths[:, None]
    later = torch.ones(N_X, N_X, dtype=torch.bool).triu(1)
    return torch.logical_not(hidden[:, None] | later[None])


def sentence_by_sentence(s, h, lengths):
    """A loop; the weights of padding stay 0."""
    a = np.zeros(h.shape[:2])
    for b, n in enumerate(lengths):
        e = h[b, :n] @ s[b]
        a[b, :n] = np.exp(e - np.logaddexp.reduce(e))
    return np.einsum("bn,bnd->bd", a, h), a


def with_masked_fill(s, h, lengths):
    """Tensors; a mask from a comparison."""
    hidden = torch.arange(h.size(1)) >= torch.tensor(lengths)[:, None]
    a = (h @ s.unsqueeze(-1)).squeeze(-1).masked_fill(hidden, -torch.inf).softmax(-1)
    return (a.unsqueeze(1) @ h).squeeze(1), a


def padded_again(s, h, lengths):
    """Tensors: weights made of the words alone, then filled up with zeros."""
    rows = [(h[b, :n] @ s[b]).softmax(0) for b, n in enumerate(lengths)]
    a = pad_sequence([*rows, torch.zeros(h.shape[1])], batch_first=True)[:-1]
    return torch.einsum("bn,bnd->bd", a, h), a


def split_looping(X, N_heads):
    """One example; slices of lists."""
    D_head = len(X[0]) // N_heads
    return [[x[k * D_head : (k + 1) * D_head] for x in X] for k in range(N_heads)]


def split_by_numpy(X, N_heads):
    """Cut into parts, stacked in front."""
    return np.stack(np.split(X, N_heads, axis=-1), axis=-3)


def split_by_view(X, N_heads):
    """A batch of tensors, as in most models."""
    return X.view(*X.shape[:2], N_heads, -1).transpose(1, 2)


def heads_looping(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """One example; one head after the other, and its share of W_O added up."""
    Y, A = 0, []
    blocks = (np.split(W, N_heads, axis=1) for W in (W_Q, W_K, W_V))
    for W_q, W_k, W_v, W_o in zip(*blocks, np.split(W_O, N_heads), strict=True):
        E = (X @ W_q) @ (X @ W_k).T / np.sqrt(W_q.shape[1])
        powers = np.exp(E) * visible
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
    W_o = W_O.reshape(N_heads, V.shape[-1], -1)
    return np.einsum("bhij,bhjd,hdy->biy", A, V, W_o), A


def heads_of_torch(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    """A batch of tensors; the heads are an axis in front of the positions."""
    parts = ((X @ W).unflatten(-1, (N_heads, -1)) for W in (W_Q, W_K, W_V))
    Q, K, V = (part.transpose(1, 2) for part in parts)
    E = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~visible[:, None], -torch.inf)
    A = E.softmax(-1)
    return (A @ V).transpose(1, 2).flatten(2) @ W_O, A


ATTEMPTS = {
    "causal_mask": {
        causal_looping: RIGHT,
        causal_of_numpy: RIGHT,
        causal_of_torch: RIGHT,
    },
    "padding_mask": {
        padding_looping: RIGHT,
        padding_of_numpy: RIGHT,
        padding_of_torch: RIGHT,
    },
    "causal_padding_mask": {
        both_looping: RIGHT,
        both_multiplied: RIGHT,
        both_of_torch: RIGHT,
    },
    "contexts": {
        sentence_by_sentence: RIGHT,
        with_masked_fill: RIGHT,
        padded_again: RIGHT,
    },
    "split_heads": {
        split_looping: RIGHT,
        split_by_numpy: RIGHT,
        split_by_view: RIGHT,
    },
    "multi_head": {
        heads_looping: RIGHT,
        heads_with_einsum: RIGHT,
        heads_of_torch: RIGHT,
    },
}
