"""Attempts to write masks, to attend in a padded batch, and with several heads."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from attention_book.exercises.verdict import RIGHT
from attention_book.reference import multi_head


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


def from_behind(lengths, N_X):
    """Hide the last ones: from -0 on, if there are none."""
    visible = np.tri(N_X, dtype=bool)[None].repeat(len(lengths), axis=0)
    for b, length in enumerate(lengths):
        visible[b, :, -(N_X - length) :] = False
    return visible


def real(lengths, N_X):
    return torch.arange(N_X)[None, :] < lengths[:, None]


def attend(s, h, hide):
    """One step for a batch, after `hide` has changed the scores."""
    a = hide((h @ s.unsqueeze(-1)).squeeze(-1)).softmax(-1)
    return (a.unsqueeze(1) @ h).squeeze(1), a


def nothing_hidden(s, h, lengths):
    return attend(s, h, lambda e: e)


def hidden_too_late(s, h, lengths):
    inside = torch.arange(h.size(1)) < torch.tensor(lengths)[:, None]
    a = attend(s, h, lambda e: e)[1] * inside
    return (a.unsqueeze(1) @ h).squeeze(1), a


def as_long_as_the_longest(s, h, lengths):
    inside = torch.arange(h.size(1)) < max(lengths)
    return attend(s, h, lambda e: e.masked_fill(~inside, -torch.inf))


def zeroed(s, h, lengths):
    inside = torch.arange(h.size(1)) < torch.tensor(lengths)[:, None]
    return attend(s, h, lambda e: e * inside)


def without_the_last_word(s, h, lengths):
    n = torch.tensor(lengths).sub(1).clamp(min=1)[:, None]
    outside = torch.arange(h.size(1)) >= n
    return attend(s, h, lambda e: e.masked_fill(outside, -torch.inf))


def hidden_where_h_is_0(s, h, lengths):
    return attend(s, h, lambda e: e.masked_fill((h == 0).all(-1), -torch.inf))


def one_largest_for_the_batch(s, h, lengths):
    a = np.zeros(h.shape[:2])
    e = np.einsum("bd,bnd->bn", s, h)
    for b, n in enumerate(lengths):
        p = np.exp(e[b, :n] - e.max())
        a[b, :n] = p / p.sum()
    return np.einsum("bn,bnd->bd", a, h), a


def with_unpacking(X, N_heads):
    B, N, D = X.shape
    return X.view(B, N_heads, N, D // N_heads)


def without_a_transpose(X, N_heads):
    B, N, D = X.shape
    return X.view(B, N, N_heads, D // N_heads)


def heads_of(
    split, merge, D_of=lambda Q: Q.shape[-1], mask=lambda visible, h: visible[:, None]
):
    """Make several heads whose cutting, joining, scale and mask can be wrong."""

    def multi(X, W_Q, W_K, W_V, W_O, N_heads, visible):
        Q, K, V = (split(X @ W, N_heads) for W in (W_Q, W_K, W_V))
        E = torch.einsum("bhid,bhjd->bhij", Q, K) / math.sqrt(D_of(Q))
        A = E.masked_fill(~mask(visible, N_heads), -torch.inf).softmax(-1)
        return merge(torch.einsum("bhij,bhjd->bhid", A, V)) @ W_O, A

    return multi


def cut(X, N_heads):
    return X.unflatten(-1, (N_heads, -1)).transpose(1, 2)


def cut_flat(X, N_heads):
    return X.view(len(X), N_heads, X.shape[1], -1)


def cut_interleaved(X, N_heads):
    return X.unflatten(-1, (-1, N_heads)).movedim(-1, 1)


def join(found):
    return found.transpose(1, 2).flatten(2)


def join_flat(found):
    return found.reshape(len(found), found.shape[2], -1)


def first_only(visible, N_heads):
    everything = torch.ones_like(visible)
    return torch.stack([visible] + [everything] * (N_heads - 1), dim=1)


def all_in_one(X, N_heads):
    B, N, _ = X.shape
    return X.reshape(B, N, N_heads, -1).swapaxes(1, 2).reshape(B * N_heads, N, -1)


def behind_each_other(X, N_heads):
    return np.concatenate(np.split(X, N_heads, axis=-1), axis=-2)


def to_be_added(lengths, N_X):
    zeros = torch.zeros(len(lengths), N_X)
    return zeros.masked_fill(~real(lengths, N_X), -torch.inf)


def triangle(N):
    return torch.ones(N, N).tril().bool()


def rows_hidden(lengths, N_X):
    return real(lengths, N_X)[:, :, None] & triangle(N_X)


def no_padding(lengths, N_X):
    return triangle(N_X).expand(len(lengths), -1, -1)


def in_front(lengths, N_X):
    return from_behind(N_X - lengths, N_X) ^ np.tri(N_X, dtype=bool)


def only_padding(lengths, N_X):
    return real(lengths, N_X)[:, None].expand(-1, N_X, -1)


def the_other_triangle(lengths, N_X):
    return np.triu(only_padding(lengths, N_X))


def not_of_a_number(lengths, N_X):
    return ~(torch.ones(N_X, N_X).triu(1).int() | ~real(lengths, N_X)[:, None])


def either(lengths, N_X):
    return only_padding(lengths, N_X) | triangle(N_X)


def hidden_by_a_number(s, h, lengths):
    outside = torch.arange(h.size(1)) >= torch.tensor(lengths)[:, None]
    return attend(s, h, lambda e: e.masked_fill(outside, -1e9))


def every_third(X, N_heads):
    return [[list(x[k::N_heads]) for x in X] for k in range(N_heads)]


def in_half_precision(X, N_heads):
    return torch.stack(torch.as_tensor(X).half().chunk(N_heads, dim=-1), dim=-3)


def for_one_sequence(X, N_heads):
    N, _ = X.shape
    return X.reshape(N, N_heads, D_head)


def the_last_head_first(X, N_heads):
    return np.stack(np.split(X, N_heads, axis=-1)[::-1], axis=-3)


def cut_in_half_precision(X, N_heads):
    return cut(X.half().float(), N_heads)


def averaged(*inputs):
    Y, A = heads_of(cut, join)(*inputs)
    return Y, A.mean(dim=1)


def all_heads_in_one(*inputs):
    Y, A = heads_of(cut, join)(*inputs)
    return Y, A.flatten(0, 1)


def the_first_of_the_batch(at):
    """One of the inputs is that of the first example for all."""

    def multi(X, W_Q, W_K, W_V, W_O, N_heads, visible):
        inputs = [torch.as_tensor(X), W_Q, W_K, W_V, W_O, N_heads, visible]
        inputs[at] = inputs[at][:1].expand_as(inputs[at])
        return heads_of(cut, join)(*inputs)

    return multi


def one_block_for_all(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    W_Q, W_K = (np.tile(W[:, :2], 3) for W in (W_Q, W_K))
    return multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)


def W_O_upside_down(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    return multi_head(X, W_Q, W_K, W_V, W_O[::-1], N_heads, visible)


ATTEMPTS = {
    "causal_mask": {
        causal_looping: RIGHT,
        causal_of_numpy: RIGHT,
        causal_of_torch: RIGHT,
        lambda N: torch.ones(N, N).tril(-1).bool(): "with the diagonal",
        lambda N: torch.ones(N, N).triu(1) == 1: "where a query may not look",
        nn.Transformer.generate_square_subsequent_mask: "to be added to the scores",
        lambda N: (1 - np.tril(np.ones((N, N)))) * -np.inf: "0 times -inf is NaN",
        lambda N: np.tril(np.ones((N, N))): "numbers 0 and 1",
        lambda N: (torch.ones(N, N).tril() - 1) * 1e9: "yours holds -1e+09",
        lambda N: np.eye(N, dtype=bool): "Row 1 may look at column 0 only if 0 <= 1",
        lambda N: ~np.tri(N, k=-1, dtype=bool): "only if 1 <= 0",
    },
    "padding_mask": {
        padding_looping: RIGHT,
        padding_of_numpy: RIGHT,
        padding_of_torch: RIGHT,
        lambda lengths, N_X: ~real(lengths, N_X): "where a query may not look",
        to_be_added: "numbers to be added to the scores",
        lambda lengths, N_X: [
            [j <= n for j in range(N_X)] for n in lengths
        ]: "[0, 2] is True",
        lambda lengths, N_X: real(lengths - 1, N_X): "only if 1 < lengths[0]",
        lambda lengths, N_X: real(lengths, N_X).int(): "holds the numbers 0 and 1",
    },
    "causal_padding_mask": {
        both_looping: RIGHT,
        both_multiplied: RIGHT,
        both_of_torch: RIGHT,
        rows_hidden: "You hide the rows of padding",
        no_padding: "Only the future is hidden",
        from_behind: "A slice from -0",
        in_front: "It stands behind",
        the_other_triangle: "Your triangle is the other one",
        only_padding: "Only padding is hidden",
        not_of_a_number: "yours holds -1. (~ of a number is not *not*.)",
        either: "Both masks must allow it (&): 1 <= 0 and",
    },
    "contexts": {
        sentence_by_sentence: RIGHT,
        with_masked_fill: RIGHT,
        padded_again: RIGHT,
        nothing_hidden: "depends on how much padding its batch got",
        zeroed: "its score must be -inf, not 0",
        as_long_as_the_longest: "a[0] gives weight to padding",
        hidden_by_a_number: "gives weight to padding",
        hidden_too_late: "a[0] sums to 0.679, not 1: hide scores, not weights",
        without_the_last_word: "a[0] gives no weight to number 2",
        hidden_where_h_is_0: "sentence 0 has 3 words, numbers 0 to 2, and a[0] gives",
        one_largest_for_the_batch: "On one sentence with large scores: c holds NaN",
    },
    "split_heads": {
        split_looping: RIGHT,
        split_by_numpy: RIGHT,
        split_by_view: RIGHT,
        with_unpacking: "some positions instead of part",
        without_a_transpose: "do not stand in front",
        every_third: "every N_heads-th entry",
        in_half_precision: "in half precision",
        lambda X, N_heads: torch.stack(X.split(N_heads, dim=-1), dim=-3): "has shape",
        lambda X, N_heads: torch.stack([X] * N_heads, dim=-3): "has shape",
        for_one_sequence: "Your code raised NameError",
        all_in_one: "shape (6, 4, 2), expected (2, 3, 4, 2) (B, N_heads",
        behind_each_other: "shape (12, 2), expected (3, 4, 2) (N_heads",
        the_last_head_first: "head 0 at position 0 must hold entries 0 to 1 of X[0]",
    },
    "multi_head": {
        heads_looping: RIGHT,
        heads_with_einsum: RIGHT,
        heads_of_torch: RIGHT,
        heads_of(cut, join): RIGHT,
        heads_of(cut_flat, join): "some positions instead of part",
        heads_of(cut_interleaved, join): "every N_heads-th entry",
        heads_of(cut, join_flat): "First swap back",
        heads_of(cut_flat, join_flat): "a reshape without swapping axes mixes them",
        heads_of(cut, join, D_of=len): "your mask is right, and your scores are 1.15",
        heads_of(cut, join, D_of=lambda Q: Q.shape[2]): "sqrt(D_head)",
        heads_of(cut, join, mask=first_only): "to an input that is not visible",
        heads_of(cut_in_half_precision, join): "to two or three digits",
        averaged: "A has shape",
        all_heads_in_one: "A has shape (6, 4, 4), expected (2, 3, 4, 4) (B, N_heads",
        the_first_of_the_batch(0): "get what is right with X of the first",
        the_first_of_the_batch(-1): "get what is right with visible of the first",
        one_block_for_all: "A[0] is right, A[1] is not: does each head",
        W_O_upside_down: "A is right, Y is not",
    },
}
