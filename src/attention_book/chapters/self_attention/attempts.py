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
        looked_at = X[visible[i]]
        powers = [
            np.exp((x @ W_Q) @ (z @ W_K) / W_Q.shape[1] ** 0.5) for z in looked_at
        ]
        A[i, visible[i]] = powers / sum(powers)
        Y[i] = sum(a * (z @ W_V) for a, z in zip(A[i], X, strict=True))
    return Y, A


def self_in_one_matrix(X, W_Q, W_K, W_V, visible):
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
        edited(self_in_one_matrix, "W_Q @ W_K.T", "W_K @ W_Q.T"): "are transposed",
        edited(self_in_one_matrix, "(W_Q @ W_K.T)", "W_K.T"): "Your code raised",
        edited(self_in_one_matrix, "X @ W_V", "X @ W_V + 1"): "Y is not A (X W_V)",
        edited(self_in_one_matrix, "1, keepdims=True", "0"): "over those who ask",
        edited(
            self_in_one_matrix, "exp(E)", "exp(E.astype(np.float16)).astype(float)"
        ): "to two or three digits",
    },
    "multiply_adds": {
        by_formula: RIGHT,
        by_products: RIGHT,
        let_torch_count: RIGHT,
        edited(let_torch_count, " // 2", ""): "apart. Together they are one",
        edited(by_formula, "X * D_Q", "X * D_V"): "W_Q or W_K D_V columns",
        edited(by_products, "sum(", "1 + sum("): "Take the five products one",
    },
}
