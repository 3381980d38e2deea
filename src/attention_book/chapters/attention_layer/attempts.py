"""Attempts to write softmax and attention."""

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def row_by_row(e):
    weights = []
    for row in e:
        powers = [np.exp(score - max(row)) for score in row]
        weights.append([power / sum(powers) for power in powers])
    return weights


def with_log_sum_exp(e):
    return np.exp(e - np.logaddexp.reduce(e, axis=-1)[..., None])


def torch_by_hand(e):
    positive = torch.exp(e - e.amax(dim=1, keepdim=True))
    return positive / torch.einsum("ij->i", positive).unsqueeze(1)


def looping(Q, K, V, visible):
    Y, A = [], []
    for q, seen in zip(Q, visible, strict=True):
        scores = [sum(q * k) / len(q) ** 0.5 for k in K[seen]]  # max() refuses no score
        powers = np.exp(np.array(scores) - max(scores))
        A.append(np.zeros(len(K)))
        A[-1][seen] = powers / sum(powers)
        Y.append(sum(a * v for a, v in zip(A[-1], V, strict=True)))
    return Y, A


def with_einsum(Q, K, V, visible):
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


def guarding(rows):
    """Only some queries are asked whether they may look at something."""
    return edited(of_torch, "visible.any", f"visible[:, {rows}].any")


ATTEMPTS = {
    "softmax": {
        row_by_row: RIGHT,
        with_log_sum_exp: RIGHT,
        torch_by_hand: RIGHT,
        lambda e: e.softmax(0): "over the queries, each column",
        lambda e: e.flatten().softmax(0).view_as(e): "all of a together sums to 1",
        edited(
            row_by_row, "return weights", "return [*weights[:-1], np.zeros(len(row))]"
        ): "Look at where your loop ends",
    },
    "attention": {
        looping: RIGHT,
        with_einsum: RIGHT,
        of_torch: RIGHT,
        edited(with_einsum, "-0.5", "0.5"): "the scores behind A are 4 times what",
        edited(with_einsum, "visible.sum(axis=-1)", "visible.sum(axis=-2)"): (
            "at right angles to all there is an answer to give"
        ),
        edited(with_einsum, "V), A", "V), E"): "never negative: are these scores?",
        edited(with_einsum, "A, V), A", "A, V + 1), A"): "Y is not A V",
        edited(
            with_einsum,
            "assert (visible.sum(axis=-1) > 0).all()",
            "if not visible.any(axis=-1).all(): return ValueError()",
        ): "You return a ValueError. Raise it",
        edited(
            of_torch, "v, visible", "v, (visible + 1e-9).log()"
        ): "You hide with a finite number, or its logarithm",
        edited(of_torch, "Q, K, v, ", "3 * Q, K, v, ~"): "turn your condition round",
        edited(of_torch, "(Q, K, v,", "(0 * Q, K, v,"): "A is equal for all",
        guarding("1:"): "Wrong on a first query",
        guarding("[0, -1]"): "Wrong on a middle query",
        guarding(":-1"): "Wrong on a last query",
    },
}
