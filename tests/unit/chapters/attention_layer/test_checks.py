"""The checks of attention name a mistake in whatever style it was made, and have a law for the rest."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.attention_layer.checks.attention import (
    check_attention,
    check_cross_attention,
    check_self_attention,
)
from attention_book.reference import attention


def torch_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])


def seeing(visible):
    if not visible.any(-1).all():
        raise ValueError("a query may look at nothing")


def thrown_away(Q, K, V, visible):
    E = torch_scores(Q, K)
    E.masked_fill(~visible, float("-inf"))
    A = torch.softmax(E, dim=-1)
    return A @ V, A


def filled_with_a_tiny_number(Q, K, V, visible):
    A = torch_scores(Q, K).masked_fill(~visible, -1e-9).softmax(-1)
    return A @ V, A


def filled_where_visible(Q, K, V, visible):
    A = torch_scores(Q, K).masked_fill(visible, -torch.inf).softmax(-1)
    return A @ V, A


def no_guard(Q, K, V, visible):
    E = torch.einsum("bqd,bkd->bqk", Q, K) / Q.shape[-1] ** 0.5
    A = F.softmax(torch.where(visible, E, -torch.inf), dim=2)
    return torch.einsum("bqk,bkd->bqd", A, V), A


def a_billion_down(Q, K, V, visible):
    A = torch_scores(Q, K).masked_fill(visible == 0, -1e9).softmax(-1)
    return A @ V, A


def as_torch_does(Q, K, V, visible):
    A = torch_scores(Q, K).masked_fill(~visible, -torch.inf).softmax(-1).nan_to_num(0)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=visible), A


def over_the_queries(Q, K, V, visible):
    A = torch.where(visible, torch_scores(Q, K), -torch.inf).softmax(dim=0)
    return A @ V, A


def looping_without_a_root(Q, K, V, visible):
    seeing(visible)
    Y, A = [], []
    for q, may_look in zip(Q, visible, strict=True):
        e = np.array(
            [q @ k if look else -np.inf for k, look in zip(K, may_look, strict=True)]
        )
        A.append(np.exp(e - e.max()) / np.exp(e - e.max()).sum())
        Y.append(A[-1] @ V)
    return Y, A


def scaled_in_place(Q, K, V, visible):
    seeing(visible)
    Q *= K.shape[-1] ** -0.5
    A = (Q @ K.mT).masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ V, A


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (thrown_away, "mask not used"),
        (filled_with_a_tiny_number, "hidden scores are 0"),
        (filled_where_visible, "mask the wrong way round"),
        (no_guard, "a query that may look at nothing gets NaN"),
        (a_billion_down, "a query that may look at nothing looks everywhere"),
        (as_torch_does, "a query that may look at nothing gets zeros"),
        (over_the_queries, "softmax over the query axis"),
        (looping_without_a_root, "sqrt(D_Q) missing"),
        (scaled_in_place, "Q overwritten"),
    ],
)
def test_attention_names_the_mistake_in_another_style(function, diagnosis):
    assert check_attention(function).diagnosis == diagnosis


def kept_after_the_softmax(Q, K, V, visible):
    seeing(visible)
    A = attention(Q, K, V)[1] * visible
    return A @ V, A


def three_down(Q, K, V, visible):
    seeing(visible)
    A = (torch_scores(Q, K) - 3 * ~visible).softmax(-1)
    return A @ V, A


def turned_round_but_guarded(Q, K, V, visible):
    seeing(visible)
    return attention(Q, K, V, ~visible)


def scores_returned(Q, K, V, visible):
    seeing(visible)
    Y, _ = attention(Q, K, V, visible)
    return Y, np.where(visible, Q @ np.swapaxes(K, -1, -2), 0)


def mixed_with_other_weights(Q, K, V, visible):
    Y, A = attention(Q, K, V, visible)
    return Y + V.mean(axis=-2, keepdims=True), A


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (three_down, "to an input that is not visible"),
        (scores_returned, "A weight is never negative: are these scores?"),
        (mixed_with_other_weights, "Y is not A V"),
    ],
)
def test_attention_has_a_law_for_what_nobody_recorded(as_a_reader, function, says):
    verdict = check_attention(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (kept_after_the_softmax, "mask after the softmax"),
        (turned_round_but_guarded, "mask the wrong way round"),
    ],
)
def test_a_known_mistake_is_named_whether_or_not_nothing_visible_is_refused(
    as_a_reader, function, diagnosis
):
    assert check_attention(function).diagnosis == diagnosis


def a_hundred_down(Q, K, V, visible):
    seeing(visible)
    A = torch_scores(Q, K).masked_fill(~visible, -100.0).softmax(-1)
    return A @ V, A


def test_what_is_hidden_by_a_hundred_only_is_found_where_scores_are_lower_still(
    as_a_reader,
):
    verdict = check_attention(a_hundred_down)
    assert verdict.diagnosis == "a law"
    assert "scores far below 0" in verdict.says


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


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (one_matrix_for_both, "keys made by W_Q"),
        (keys_ask, "W_Q and W_K exchanged"),
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


def looks_at_itself(S, X, W_Q, W_K, W_V, visible):
    A = torch_scores(S @ W_Q, S @ W_K).masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ (S @ W_V), A


def the_encoder_asks(S, X, W_Q, W_K, W_V, visible):
    E = np.einsum("bix,xd,bjy,yd->bij", X, W_Q, X, W_K) / np.sqrt(W_Q.shape[1])
    powers = np.where(visible, np.exp(E), 0)
    A = powers / powers.sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def encoder_and_decoder_exchanged(S, X, W_Q, W_K, W_V, visible):
    S, X = X, S
    E = torch.bmm(S @ W_Q, (X @ W_K).transpose(1, 2)) / W_Q.shape[1] ** 0.5
    A = E.masked_fill(visible.logical_not(), -torch.inf).softmax(2)
    return torch.bmm(A, X @ W_V), A


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (looks_at_itself, "keys and values from the decoder"),
        (the_encoder_asks, "queries from the encoder"),
        (encoder_and_decoder_exchanged, "decoder and encoder exchanged"),
        (
            lambda S, X, W_Q, W_K, W_V, visible: attention(S @ W_Q, X @ W_K, X @ W_V),
            "mask not used",
        ),
    ],
)
def test_cross_attention_names_the_mistake_in_another_style(
    as_a_reader, function, diagnosis
):
    assert check_cross_attention(function).diagnosis == diagnosis


def test_a_loop_over_as_many_inputs_as_steps_is_not_right():
    def square(S, X, W_Q, W_K, W_V, visible):
        E = np.array(
            [[s @ W_Q @ (X[j] @ W_K) for j in range(len(S))] for s in S]
        ) / np.sqrt(W_Q.shape[1])
        A = np.exp(E) * visible
        A = A / A.sum(-1, keepdims=True)
        return A @ (X @ W_V), A

    assert check_cross_attention(square).diagnosis == "crash"
