"""Attempts to write self-attention, and to count its work."""

from math import prod

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def self_looping(X, W_Q, W_K, W_V, visible):
    Y, A = np.zeros((len(X), W_V.shape[1])), np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        attended = X[visible[i]]
        e = np.array([(x @ W_Q) @ (z @ W_K) for z in attended]) / W_Q.shape[1] ** 0.5
        powers = np.exp(e - max(e))
        A[i, visible[i]] = powers / sum(powers)
        Y[i] = sum(a * (z @ W_V) for a, z in zip(A[i], X, strict=True))
    return Y, A


def self_in_one_matrix(X, W_Q, W_K, W_V, visible):
    E = X @ (W_Q @ W_K.T) @ X.T / np.sqrt(W_K.shape[-1])
    E = np.where(visible, E, -np.inf)
    E = E - E.max(1)[:, None]
    positive = np.exp(E)
    A = positive / positive.sum(1, keepdims=True)
    return A @ X @ W_V, A


class Head(nn.Module):
    """A module that is given its weights, as in a model that has learned them."""

    __name__ = "Head"

    def forward(self, X, W_Q, W_K, W_V, visible):
        Q, K, V = (F.linear(X, W.T) for W in (W_Q, W_K, W_V))
        E = Q.div(Q.shape[-1] ** 0.5) @ K.transpose(-1, -2)
        A = E.masked_fill(visible.logical_not(), -1e9).softmax(-1)
        return A @ V, A


def in_torch(X, W_Q, W_K, W_V, visible):
    E = (X @ W_Q) @ (X @ W_K).mT / W_Q.shape[1] ** 0.5
    A = E.masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ (X @ W_V), A


SMALL_ADDED = (
    "exp(); A = (E - E.amax(1, True)).exp() * visible; A = A / (A.sum(1, True) + 1e-9)"
)


def kept_by_shape(X, W_Q, W_K, W_V, visible, kept={}):  # noqa: B006
    """One sentence at a time."""
    N, _ = X.shape
    return kept.setdefault((N, *W_V.shape), self_looping(X, W_Q, W_K, W_V, visible))


def by_formula(N_X, D_X, D_Q, D_V):
    return N_X * (D_X + N_X) * (D_Q + D_V) + N_X * D_X * D_Q


def by_products(N_X, D_X, D_Q, D_V):
    of_inputs = 2 * [(N_X, D_X, D_Q)] + [(N_X, D_X, D_V)]
    return sum(map(prod, [*of_inputs, (N_X, D_Q, N_X), (N_X, N_X, D_V)]))


def let_torch_count(N_X, D_X, D_Q, D_V):
    """PyTorch's own counter, which takes a multiply-add for two."""
    X, W_V = torch.ones(N_X, D_X), torch.ones(D_X, D_V)
    W_Q = W_K = torch.ones(D_X, D_Q)
    with FlopCounterMode(display=False) as counter:
        ((X @ W_Q) @ (X @ W_K).T) @ (X @ W_V)
    return counter.get_total_flops() // 2


ATTEMPTS = {
    "self_attention": {
        self_looping: RIGHT,
        self_in_one_matrix: RIGHT,
        Head(): RIGHT,
        edited(self_in_one_matrix, "X @ W_V", "X @ W_V + 1"): "Y is not A (X W_V)",
        edited(self_in_one_matrix, "1, keepdims=True", "0"): "over those who ask",
        edited(self_in_one_matrix, "1, keepdims=True", "1"): "the sums of other rows",
        edited(self_in_one_matrix, "np.exp(E)", "2**E"): "base e, not 2",
        edited(self_looping, "enumerate(X)", "enumerate(X[:1])"): "only the first row",
        edited(self_looping, "enumerate(X)", "enumerate(X[:2])"): "here A[2]: does",
        edited(self_in_one_matrix, " - E.max(1)[:, None]", ""): "near 1000 overflows",
        kept_by_shape: "you return the result of an earlier call",
        in_torch: RIGHT,
        edited(in_torch, "-torch.inf", "-1e9"): RIGHT,
        edited(in_torch, "softmax(-1)", "exp(); A /= A.sum(-1, True)"): "overflows",
        edited(in_torch, "softmax(-1)", SMALL_ADDED): "vanished beside that",
        edited(in_torch, "E.", "(E * E)."): "Not right on",
        edited(self_looping, "return", "A[:] = A[-1]; Y[:] = Y[-1]; return"): (
            "All rows of Y and A are alike"
        ),
        edited(in_torch, "-torch.inf", "-100.0"): "A gives 1 to an input that is not",
        edited(in_torch, "~visible", "~(visible & visible.mT)"): "or by more than it?",
        edited(in_torch, "E.", "E.mul(0)."): "is equal for all visible",
        edited(in_torch, ", A", ", A.mT"): "Y is right; what you return as A is",
        edited(in_torch, "W_V), A", "W_V), E.softmax(-1)"): "return as A is something",
        edited(in_torch, "(X @ W_V), A", "(X @ W_V).squeeze(), A"): "expected (4, 1)",
        edited(self_in_one_matrix, "V, A", "V.astype(np.float16), A"): "three digits",
    },
    "multiply_adds": {
        by_formula: RIGHT,
        by_products: RIGHT,
        let_torch_count: RIGHT,
        edited(let_torch_count, " // 2", ""): "apart. Together they are one",
        lambda N, X, Q, V: 2 * N * N * X + 3 * N * X * X: "one width for all, D_X",
        edited(by_products, "sum(", "np.float32(1) * sum("): "more than 32 bits",
        edited(by_products, "sum(", "1 + sum("): "Take the five products one",
    },
}
