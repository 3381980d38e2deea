"""Attempts to write self-attention, and to count its work."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from attention_book.chapters.self_attention.solutions import multiply_adds
from attention_book.exercises.verdict import RIGHT
from attention_book.reference import attention


def self_looping(X, W_Q, W_K, W_V, visible):
    """One input after the other, over the visible ones only."""
    Y, A = np.zeros((len(X), W_V.shape[1])), np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        looked_at = X[visible[i]]
        powers = [
            np.exp((x @ W_Q) @ (z @ W_K) / W_Q.shape[1] ** 0.5) for z in looked_at
        ]
        A[i, visible[i]] = powers / sum(powers)
        Y[i] = sum(a * (z @ W_V) for a, z in zip(A[i], X, strict=True))
    return Y, A


def self_in_one_matrix(X, W_Q, W_K, W_V, visible):
    """W_Q W_K^T as one matrix, and the values projected last."""
    E = X @ (W_Q @ W_K.T) @ X.T / np.sqrt(W_K.shape[-1])
    positive = np.where(visible, np.exp(E), 0)
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


def by_formula(N_X, D_X, D_Q, D_V):
    """What all inputs need, and what all pairs need."""
    return N_X * (D_X + N_X) * (D_Q + D_V) + N_X * D_X * D_Q


def by_products(N_X, D_X, D_Q, D_V):
    """Rows, terms and columns of each product, in a loop."""
    work = 0
    for rows, terms, columns in (
        (N_X, D_X, D_Q),
        (N_X, D_X, D_Q),
        (N_X, D_X, D_V),
        (N_X, D_Q, N_X),
        (N_X, N_X, D_V),
    ):
        work += rows * terms * columns
    return work


def let_torch_count(N_X, D_X, D_Q, D_V):
    """PyTorch's own counter, which takes a multiply-add for two."""
    X, W_V = torch.ones(N_X, D_X), torch.ones(D_X, D_V)
    W_Q = W_K = torch.ones(D_X, D_Q)
    with FlopCounterMode(display=False) as counter:
        ((X @ W_Q) @ (X @ W_K).T) @ (X @ W_V)
    return counter.get_total_flops() // 2


def torch_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])


def one_matrix_for_both(X, W_Q, W_K, W_V, visible):
    Q, K, V = F.linear(X, W_Q.T), F.linear(X, W_Q.T), F.linear(X, W_V.T)
    A = torch_scores(Q, K).masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ V, A


def keys_ask(X, W_Q, W_K, W_V, visible):
    E = np.einsum("bjx,xd,yd,biy->bij", X, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    A = np.exp(E) * visible
    A = A / A.sum(-1, keepdims=True)
    return np.einsum("bij,bjx,xv->biv", A, X, W_V), A


def the_width_of_the_inputs(X, W_Q, W_K, W_V, visible):
    D = X.shape[-1]
    A = (
        (X @ W_Q @ (X @ W_K).mT / math.sqrt(D))
        .masked_fill(~visible, -torch.inf)
        .softmax(-1)
    )
    return A @ (X @ W_V), A


def hidden_by_the_number(X, W_Q, W_K, W_V, visible):
    E = torch_scores(X @ W_Q, X @ W_K) * visible
    A = E.masked_fill(E == 0, -torch.inf).softmax(-1)
    return A @ (X @ W_V), A


def values_are_X(X, W_Q, W_K, W_V, visible):
    return attention(X @ W_Q, X @ W_K, X, visible)


def no_mask(X, W_Q, W_K, W_V, visible):
    return attention(X @ W_Q, X @ W_K, X @ W_V)


def queries_not_projected(X, W_Q, W_K, W_V, visible):
    A = torch.softmax(X @ (X @ W_K).mT, -1)
    return A @ (X @ W_V), A


def in_half_precision(X, W_Q, W_K, W_V, visible):
    A = torch_scores(X @ W_Q, X @ W_K).half().float()
    A = A.masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ (X @ W_V).half().float(), A


def with_more(off):
    return lambda *widths: multiply_adds(*widths) + off(*widths)


ATTEMPTS = {
    "self_attention": {
        self_looping: RIGHT,
        self_in_one_matrix: RIGHT,
        Head(): RIGHT,
        one_matrix_for_both: "keys are made by W_Q",
        keys_ask: "scores are transposed",
        hidden_by_the_number: "not by the number",
        the_width_of_the_inputs: "root of the width of the inputs",
        values_are_X: "mix the inputs themselves",
        no_mask: "does not depend on the mask",
        queries_not_projected: "Your code raised",
        in_half_precision: "to two or three digits",
    },
    "multiply_adds": {
        by_formula: RIGHT,
        by_products: RIGHT,
        let_torch_count: RIGHT,
        with_more(multiply_adds): "apart. Together they are one",
        with_more(lambda N, X, Q, V: N * V * X): "a sixth product",
        with_more(lambda N, X, Q, V: N * N * (Q + V)): "each pair of inputs twice",
        with_more(lambda N, X, Q, V: N * X * (V - Q)): "W_Q or W_K D_V columns",
        with_more(lambda N, X, Q, V: N * N * Q): "You count Q K^T twice.",
        with_more(lambda N, X, Q, V: 1): "Take the five products one by one",
    },
}
