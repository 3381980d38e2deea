"""The check of attention names a mistake in whatever style it was made."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.attention_layer.checks import (
    check_attention,
    check_softmax,
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


def over_everything(Q, K, V, visible):
    E = torch.where(visible, torch_scores(Q, K), -torch.inf)
    A = E.flatten().softmax(0).reshape(E.shape)
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


def viewed(Q, K, V, visible):
    seeing(visible)
    E = Q @ K.reshape(*K.shape[:-2], K.shape[-1], -1) / math.sqrt(K.shape[-1])
    A = E.masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ V, A


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (viewed, "K put into the shape of its transpose"),
        (thrown_away, "mask not used"),
        (filled_with_a_tiny_number, "hidden scores are 0"),
        (filled_where_visible, "mask the wrong way round"),
        (no_guard, "NaN where nothing is visible"),
        (a_billion_down, "uniform weights where nothing is visible"),
        (as_torch_does, "zeros where nothing is visible"),
        (looping_without_a_root, "sqrt(D_Q) missing"),
        (scaled_in_place, "overwrites its input"),
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


def multiplied_by_the_root(Q, K, V, visible):
    return attention(Q * Q.shape[-1], K, V, visible)


def mixed_with_other_weights(Q, K, V, visible):
    Y, A = attention(Q, K, V, visible)
    return Y + V.mean(axis=-2, keepdims=True), A


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (multiplied_by_the_root, "your scores are 4 times what they should be"),
        (three_down, "to an input that is not visible"),
        (scores_returned, "A weight is never negative: are these scores?"),
        (mixed_with_other_weights, "Y is not A V"),
        (over_the_queries, "A sums to 1 over the queries, each column"),
        (over_everything, "all of A together sums to 1"),
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
    assert verdict.diagnosis == "a finite number in place of minus infinity"


def hidden_by_the_number(Q, K, V, visible):
    seeing(visible)
    E = torch_scores(Q, K) * visible
    A = E.masked_fill(E == 0, -torch.inf).softmax(-1)
    return A @ V, A


def nothing_subtracted(Q, K, V, visible):
    seeing(visible)
    A = torch.exp(torch_scores(Q, K)) * visible
    A = A / A.sum(-1, keepdim=True)
    return A @ V, A


def an_error_returned(Q, K, V, visible):
    if not visible.any(-1).all():
        return ValueError("a query may look at nothing")
    return attention(Q, K, V, visible)


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (hidden_by_the_number, "visible scores of 0 are hidden"),
        (nothing_subtracted, "no largest score subtracted, hidden after exp"),
        (an_error_returned, "error returned"),
    ],
)
def test_attention_tells_what_only_a_telling_case_shows(function, diagnosis):
    assert check_attention(function).diagnosis == diagnosis


@pytest.mark.parametrize(
    ("rows", "missed"),
    [
        (slice(1, None), "first"),
        ([0, -1], "middle"),
        (slice(-1), "last"),
    ],
)
def test_every_query_is_to_be_guarded(rows, missed):
    def guarded(Q, K, V, visible):
        seeing(visible[rows])
        A = torch_scores(Q, K).masked_fill(~visible, -torch.inf).softmax(-1)
        return A @ V, A

    assert f"Wrong on a {missed} query" in check_attention(guarded).says


def log_of_a_small_number(Q, K, V, visible):
    seeing(visible)
    A = (torch_scores(Q, K) + torch.log(visible + 1e-9)).softmax(-1)
    return A @ V, A


def turned_round_and_scaled(Q, K, V, visible):
    seeing(visible)
    A = (3 * torch_scores(Q, K)).masked_fill(visible, -torch.inf).softmax(-1)
    return A @ V, A


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (log_of_a_small_number, "You hide with a finite number, or its logarithm"),
        (turned_round_and_scaled, "turn your condition round"),
    ],
)
def test_a_condition_is_turned_round_only_if_every_mask_says_so(function, says):
    assert says in check_attention(function).says


def over_the_columns(e):
    return F.softmax(e, dim=0)


def shares(e):
    return [row / row.sum() for row in e]


def in_logarithms(e):
    return F.log_softmax(e, dim=-1)


def naive(e):
    positive = torch.exp(e)
    return positive / positive.sum(-1, keepdim=True)


def shifted_only_near_a_thousand(e):
    return naive(e - e.amax(-1, keepdim=True) if e.max() > 700 else e)


def shifted_by_the_largest_size(e):
    finite = e.masked_fill(e.isinf(), 0)
    return naive(e - finite.abs().amax(-1, keepdim=True))


def without_the_last(e):
    return [*naive(e - e.amax(-1, keepdim=True))[:-1], torch.zeros(e.shape[1])]


def one_largest_for_all(e):
    return F.softmax(torch.exp(e - e.max()).log(), dim=-1)


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (over_the_columns, "a law"),
        (shares, "scores divided by their sum"),
        (in_logarithms, "logarithms of the weights"),
        (naive, "no largest score subtracted"),
        (shifted_only_near_a_thousand, "NaN"),
        (shifted_by_the_largest_size, "largest score subtracted only if positive"),
        (one_largest_for_all, "largest score of the whole array subtracted"),
    ],
)
def test_softmax_names_the_mistake_in_another_style(function, diagnosis):
    assert check_softmax(function).diagnosis == diagnosis


def test_a_last_row_of_zeros_was_not_filled():
    assert "Look at where your loop ends" in check_softmax(without_the_last).says


def test_even_weights_are_not_called_scores_off_by_a_factor():
    def even(Q, K, V, visible):
        seeing(visible)
        A = visible / visible.sum(-1, keepdim=True)
        return A @ V, A

    assert check_attention(even).diagnosis == "numbers"
