"""The check of self-attention names a mistake in whatever style it was made."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.self_attention.checks import (
    check_multiply_adds,
    check_self_attention,
)
from attention_book.chapters.self_attention.solutions import multiply_adds
from attention_book.reference import attention


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


def raw_inputs(X, W_Q, W_K, W_V, visible):
    A = torch.softmax(torch_scores(X, X).masked_fill(~visible, -torch.inf), -1)
    return A.matmul(X @ W_V), A


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


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (one_matrix_for_both, "keys made by W_Q"),
        (keys_ask, "W_Q and W_K exchanged"),
        (hidden_by_the_number, "visible scores of 0 are hidden"),
        (raw_inputs, "queries and keys not projected"),
        (the_width_of_the_inputs, "divided by the root of D_X"),
        (
            lambda X, W_Q, W_K, W_V, visible: attention(X @ W_Q, X @ W_K, X, visible),
            "values are X itself",
        ),
        (
            lambda X, W_Q, W_K, W_V, visible: attention(X @ W_Q, X @ W_K, X @ W_V),
            "mask not used",
        ),
    ],
)
def test_self_attention_names_the_mistake_in_another_style(
    as_a_reader, function, diagnosis
):
    assert check_self_attention(function).diagnosis == diagnosis


def test_a_query_that_is_not_projected_ends_in_the_readers_own_line():
    def queries_not_projected(X, W_Q, W_K, W_V, visible):
        A = torch.softmax(X @ (X @ W_K).mT, -1)
        return A @ (X @ W_V), A

    verdict = check_self_attention(queries_not_projected)
    assert verdict.diagnosis == "crash"
    assert "A = torch.softmax(X @ (X @ W_K).mT, -1)" in verdict.evidence


@pytest.mark.parametrize(
    ("off", "says"),
    [
        (multiply_adds, "apart. Together they are one"),
        (lambda N, X, Q, V: N * V * X, "twice, or a sixth product of its size"),
        (lambda N, X, Q, V: N * N * (Q + V), "You count each pair of inputs twice."),
        (lambda N, X, Q, V: N * X * (V - Q), "You give W_Q or W_K D_V columns."),
        (lambda N, X, Q, V: N * N * Q, "You count Q K^T twice."),
        (lambda N, X, Q, V: N * N * V, "You count A V twice."),
    ],
)
def test_what_is_counted_twice_is_named_alone(off, says):
    verdict = check_multiply_adds(lambda *widths: multiply_adds(*widths) + off(*widths))
    assert verdict.says.startswith("On widths that all differ: You")
    assert says in verdict.says
    assert "leave out" not in verdict.says
