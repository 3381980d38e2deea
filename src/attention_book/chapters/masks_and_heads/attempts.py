"""Attempts to write masks, to attend in a padded batch, and with several heads."""

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT
from attention_book.reference import multi_head


def causal_looping(N):
    return [[j <= i for j in range(N)] for i in range(N)]


def causal_of_numpy(N):
    return np.tril(np.ones((N, N), dtype=bool))


def causal_of_torch(N):
    return ~torch.triu(torch.ones(N, N), diagonal=1).bool()


def padding_looping(lengths, N_X):
    return [[j < length for j in range(N_X)] for length in lengths]


def padding_of_numpy(lengths, N_X):
    return np.greater.outer(lengths, np.arange(N_X))


def padding_of_torch(lengths, N_X):
    return torch.arange(N_X).expand(len(lengths), N_X).lt(lengths.unsqueeze(1))


def both_looping(lengths, N_X):
    rows = [[min(i + 1, length) for i in range(N_X)] for length in lengths]
    return [[[j < n for j in range(N_X)] for n in item] for item in rows]


def both_multiplied(lengths, N_X):
    padding = (np.arange(N_X) < lengths[:, None]).astype(int)
    return np.einsum("ij,bj->bij", np.tri(N_X, dtype=int), padding) == 1


def both_of_torch(lengths, N_X):
    hidden = torch.arange(N_X) >= lengths[:, None]
    later = torch.ones(N_X, N_X, dtype=torch.bool).triu(1)
    return torch.logical_not(hidden[:, None] | later[None])


def sentence_by_sentence(s, h, lengths):
    a = np.zeros(h.shape[:2])
    for b, n in enumerate(lengths):
        e = h[b, :n] @ s[b]
        a[b, :n] = np.exp(e - np.logaddexp.reduce(e))
    return np.einsum("bn,bnd->bd", a, h), a


def with_masked_fill(s, h, lengths):
    hidden = torch.arange(h.size(1)) >= torch.tensor(lengths)[:, None]
    a = (h @ s.unsqueeze(-1)).squeeze(-1).masked_fill(hidden, -torch.inf).softmax(-1)
    return (a.unsqueeze(1) @ h).squeeze(1), a


def padded_again(s, h, lengths):
    """Tensors: weights made of the words alone, then filled up with zeros."""
    rows = [(h[b, :n] @ s[b]).softmax(0) for b, n in enumerate(lengths)]
    a = pad_sequence([*rows, torch.zeros(h.shape[1])], batch_first=True)[:-1]
    return torch.einsum("bn,bnd->bd", a, h), a


def split_looping(X, N_heads):
    D_head = len(X[0]) // N_heads
    return [[x[k * D_head : (k + 1) * D_head] for x in X] for k in range(N_heads)]


def split_by_numpy(X, N_heads):
    return np.stack(np.split(X, N_heads, axis=-1), axis=-3)


def split_by_view(X, N_heads):
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
    W_q, W_k, W_v = (W.reshape(len(W), N_heads, -1) for W in (W_Q, W_K, W_V))
    Q, K, V = (np.einsum("bnx,xhd->bhnd", X, W) for W in (W_q, W_k, W_v))
    E = np.einsum("bhid,bhjd->bhij", Q, K) / np.sqrt(Q.shape[-1])
    powers = np.exp(E) * visible[:, None]
    A = powers / powers.sum(axis=-1, keepdims=True)
    W_o = W_O.reshape(N_heads, V.shape[-1], -1)
    return np.einsum("bhij,bhjd,hdy->biy", A, V, W_o), A


def heads_of_torch(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    parts = ((X @ W).unflatten(-1, (N_heads, -1)) for W in (W_Q, W_K, W_V))
    Q, K, V = (part.transpose(1, 2) for part in parts)
    E = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~visible[:, None], -torch.inf)
    A = E.softmax(-1)
    return (A @ V).transpose(1, 2).flatten(2) @ W_O, A


def behind_each_other(X, N_heads):
    return np.concatenate(np.split(X, N_heads, axis=-1), axis=-2)


def one_block_for_all(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    W_Q, W_K = (np.tile(W[:, :2], 3) for W in (W_Q, W_K))
    return multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)


def of_first(name):
    """One of the inputs is that of the first example for all."""
    line = "parts = ((X @ W)"
    return edited(
        heads_of_torch, line, f"{name} = {name}[:1].expand_as({name}); {line}"
    )


zeros_hidden = edited(with_masked_fill, "a = (h", "hidden = (h == 0).all(-1); a = (h")

ATTEMPTS = {
    "causal_mask": {
        causal_looping: RIGHT,
        causal_of_numpy: RIGHT,
        causal_of_torch: RIGHT,
        nn.Transformer.generate_square_subsequent_mask: "to be added to the scores",
        edited(causal_of_numpy, ", dtype=bool", ""): "numbers 0 and 1",
        lambda N: (torch.ones(N, N).tril() - 1) * 1e9: "yours holds -1e+09",
        lambda N: np.eye(N, dtype=bool): "Row 1 may look at column 0 only if 0 <= 1",
    },
    "padding_mask": {
        padding_looping: RIGHT,
        padding_of_numpy: RIGHT,
        padding_of_torch: RIGHT,
        edited(padding_of_torch, "lt(", "ge("): "where a query may not look",
        edited(padding_looping, "j < length", "j <= length"): "[0, 2] is True",
        edited(padding_of_torch, "lengths.u", "(lengths - 1).u"): "only if 1 < lengths",
    },
    "causal_padding_mask": {
        both_looping: RIGHT,
        both_multiplied: RIGHT,
        both_of_torch: RIGHT,
        edited(both_of_torch, "[:, None] |", "[:, :, None] |"): "You hide the rows of",
        edited(both_of_torch, "logical_not(", "bitwise_not(0 + "): "yours holds -1. (~",
        edited(both_of_torch, "hidden[:, None] |", "hidden[:, None] &"): "must allow",
    },
    "contexts": {
        sentence_by_sentence: RIGHT,
        with_masked_fill: RIGHT,
        padded_again: RIGHT,
        edited(
            with_masked_fill, "hidden, -torch.inf", "~hidden, -1e9"
        ): "turn your cond",
        edited(with_masked_fill, "-torch.inf", "0"): "its score must be -inf, not 0",
        zeros_hidden: "sentence 0 has 3 words, numbers 0 to 2, and a[0] gives",
        edited(sentence_by_sentence, "reduce(e)", "reduce(h[b] @ s[b])"): "sums to 0.",
        edited(padded_again, "h[b, :n]", "h[b, : max(n - 1, 1)]"): "no weight to",
        edited(sentence_by_sentence, "e - np", "e) / np.exp(np"): "c holds NaN",
    },
    "split_heads": {
        split_looping: RIGHT,
        split_by_numpy: RIGHT,
        split_by_view: RIGHT,
        edited(split_by_view, "X.view", "X.half().view"): "in half precision",
        edited(split_by_view, "(1, 2)", "(1, 2).flatten(0, 1)"): "(B, N_heads",
        behind_each_other: "shape (12, 2), expected (3, 4, 2) (N_heads",
        edited(split_by_numpy, "=-1)", "=-1)[::-1]"): "must hold entries 0 to 1 of",
    },
    "multi_head": {
        heads_looping: RIGHT,
        heads_with_einsum: RIGHT,
        heads_of_torch: RIGHT,
        edited(heads_of_torch, "(X @ W).", "(X @ W).flip(-1)."): "A[0] is off. Head 0",
        edited(heads_of_torch, "Q.shape[-1]", "len(Q)"): "your mask is right, and the",
        edited(heads_of_torch, "Q @", "Q.half().float() @"): "to two or three digits",
        edited(heads_of_torch, "W_O, A", "W_O, A.flatten(0, 1)"): "(6, 4, 4), expected",
        edited(heads_of_torch, "-torch.inf", "-20.0"): "which is hidden: use -inf",
        edited(
            heads_of_torch, "parts =", "assert visible.any(-2).all(); parts ="
        ): "on two heads there is an answer to give",
        of_first("X"): "get what is right with X of the first",
        of_first("visible"): "get what is right with visible of the first",
        one_block_for_all: "A[0] is right, A[1] is not: does each head",
        edited(heads_of_torch, "@ W_O", "@ W_O.flip(0)"): "A is right, Y is not",
    },
}
