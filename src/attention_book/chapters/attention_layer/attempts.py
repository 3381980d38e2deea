"""Attempts to write softmax and attention."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.verdict import RIGHT
from attention_book.reference import attention


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


def torch_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])


def seeing(visible):
    if not visible.any(-1).all():
        raise ValueError("a query may look at nothing")


def no_guard(Q, K, V, visible):
    E = torch.einsum("bqd,bkd->bqk", Q, K) / Q.shape[-1] ** 0.5
    A = F.softmax(torch.where(visible, E, -torch.inf), dim=2)
    return torch.einsum("bqk,bkd->bqd", A, V), A


def a_billion_down(Q, K, V, visible):
    A = torch_scores(Q, K).masked_fill(visible == 0, -1e9).softmax(-1)
    return A @ V, A


def over_the_queries(Q, K, V, visible):
    A = torch.where(visible, torch_scores(Q, K), -torch.inf).softmax(dim=0)
    return A @ V, A


def over_everything(Q, K, V, visible):
    E = torch.where(visible, torch_scores(Q, K), -torch.inf)
    A = E.flatten().softmax(0).reshape(E.shape)
    return A @ V, A


def scaled_in_place(Q, K, V, visible):
    seeing(visible)
    Q *= K.shape[-1] ** -0.5
    A = (Q @ K.mT).masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ V, A


def viewed(Q, K, V, visible):
    seeing(visible)
    E = Q @ K.reshape(*K.shape[:-2], K.shape[-1], -1) / math.sqrt(K.shape[-1])
    A = E.masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ V, A


def scores_returned(Q, K, V, visible):
    seeing(visible)
    Y, _ = attention(Q, K, V, visible)
    return Y, np.where(visible, Q @ np.swapaxes(K, -1, -2), 0)


def multiplied_by_the_root(Q, K, V, visible):
    return attention(Q * Q.shape[-1], K, V, visible)


def mixed_with_other_weights(Q, K, V, visible):
    Y, A = attention(Q, K, V, visible)
    return Y + V.mean(axis=-2, keepdims=True), A


def an_error_returned(Q, K, V, visible):
    if not visible.any(-1).all():
        return ValueError("a query may look at nothing")
    return attention(Q, K, V, visible)


def log_of_a_small_number(Q, K, V, visible):
    seeing(visible)
    A = (torch_scores(Q, K) + torch.log(visible + 1e-9)).softmax(-1)
    return A @ V, A


def turned_round_and_scaled(Q, K, V, visible):
    seeing(visible)
    A = (3 * torch_scores(Q, K)).masked_fill(visible, -torch.inf).softmax(-1)
    return A @ V, A


def over_the_columns(e):
    return F.softmax(e, dim=0)


def shares(e):
    return [row / row.sum() for row in e]


def in_logarithms(e):
    return F.log_softmax(e, dim=-1)


def naive(e):
    positive = torch.exp(e)
    return positive / positive.sum(-1, keepdim=True)


def shifted_by_the_largest_size(e):
    finite = e.masked_fill(e.isinf(), 0)
    return naive(e - finite.abs().amax(-1, keepdim=True))


def without_the_last(e):
    return [*naive(e - e.amax(-1, keepdim=True))[:-1], torch.zeros(e.shape[1])]


def one_largest_for_all(e):
    return F.softmax(torch.exp(e - e.max()).log(), dim=-1)


def guarding(rows):
    """Only some queries are asked whether they may look at something."""

    def guarded(Q, K, V, visible):
        seeing(visible[rows])
        A = torch_scores(Q, K).masked_fill(~visible, -torch.inf).softmax(-1)
        return A @ V, A

    return guarded


def hides_the_visible_with_a_number(Q, K, V, visible):
    seeing(visible)
    A = torch_scores(Q, K).masked_fill(visible, -1e9).softmax(-1)
    return A @ V, A


def even(Q, K, V, visible):
    seeing(visible)
    A = visible / visible.sum(-1, keepdim=True)
    return A @ V, A


ATTEMPTS = {
    "softmax": {
        row_by_row: RIGHT,
        with_log_sum_exp: RIGHT,
        torch_by_hand: RIGHT,
        over_the_columns: "over the queries, each column",
        shares: "divide the scores by their sum",
        in_logarithms: "return the logarithms of the weights",
        naive: "exp of a score near 1000 overflows",
        shifted_by_the_largest_size: "the largest score itself, whatever its sign",
        one_largest_for_all: "perhaps the largest of all",
        without_the_last: "Look at where your loop ends",
    },
    "attention": {
        looping: RIGHT,
        with_einsum: RIGHT,
        of_torch: RIGHT,
        viewed: "lays its numbers there row by row",
        no_guard: "you return NaN, which spreads",
        a_billion_down: "weight all hidden inputs alike",
        over_the_queries: "A sums to 1 over the queries, each column",
        over_everything: "all of A together sums to 1",
        multiplied_by_the_root: "your scores are 4 times what they should be",
        scaled_in_place: "Your function writes into Q",
        scores_returned: "A weight is never negative: are these scores?",
        mixed_with_other_weights: "Y is not A V",
        log_of_a_small_number: "You hide with a finite number, or its logarithm",
        turned_round_and_scaled: "turn your condition round",
        hides_the_visible_with_a_number: "turn your condition round",
        an_error_returned: "You return a ValueError. Raise it",
        guarding(slice(1, None)): "Wrong on a first query",
        guarding([0, -1]): "Wrong on a middle query",
        guarding(slice(-1)): "Wrong on a last query",
        even: "Not right on masks that differ from query to query",
    },
}
