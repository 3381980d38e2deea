"""The checks of several heads name a mistake in whatever style it was made."""

import math

import numpy as np
import pytest
import torch

from attention_book.chapters.masks_and_heads.checks.heads import (
    check_multi_head,
    check_split_heads,
)
from attention_book.reference import multi_head


def with_unpacking(X, N_heads):
    B, N, D = X.shape
    return X.view(B, N_heads, N, D // N_heads)


def with_halves(X, N_heads):
    return torch.stack(torch.as_tensor(X).half().chunk(N_heads, dim=-1), dim=-3)


def without_a_transpose(X, N_heads):
    B, N, D = X.shape
    return X.view(B, N, N_heads, D // N_heads)


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (with_unpacking, "reshaped without moving the axis"),
        (
            lambda X, N_heads: X.reshape(N_heads, len(X), -1),
            "reshaped without moving the axis",
        ),
        (without_a_transpose, "heads behind the positions"),
        (
            lambda X, N_heads: X.reshape(X.shape[0], N_heads, -1),
            "heads behind the positions",
        ),
        (with_halves, "half precision"),
        (
            lambda X, N_heads: torch.stack(X.split(N_heads, dim=-1), dim=-3),
            "shape",
        ),
        (
            lambda X, N_heads: torch.stack([X] * N_heads, dim=-3),
            "shape",
        ),
    ],
)
def test_cutting_names_the_mistake_in_another_style(function, diagnosis):
    assert check_split_heads(function).diagnosis == diagnosis


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


def averaged(X, W_Q, W_K, W_V, W_O, N_heads, visible):
    Y, A = heads_of(cut, join)(
        *map(torch.as_tensor, (X, W_Q, W_K, W_V, W_O)),
        N_heads,
        torch.as_tensor(visible),
    )
    return Y, A.mean(dim=1)


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (heads_of(cut_flat, join), "reshaped without moving the axis"),
        (heads_of(cut_interleaved, join), "interleaved"),
        (heads_of(cut, join_flat), "merged without moving the axis back"),
        (
            heads_of(cut, join, D_of=lambda Q: Q.shape[1] * Q.shape[3]),
            "divided by sqrt(D), not by sqrt(D_head)",
        ),
        (averaged, "shape"),
        (heads_of(cut, join, D_of=lambda Q: 1), "sqrt(D_Q) missing"),
        (heads_of(cut, join, D_of=lambda Q: Q.shape[-1] ** 2), "divided by D_Q itself"),
    ],
)
def test_several_heads_name_the_mistake_in_another_style(function, diagnosis):
    assert check_multi_head(function).diagnosis == diagnosis


@pytest.mark.parametrize(
    ("D_of", "case", "factor"),
    [
        (len, "two heads", 1.15),
        (lambda Q: 2, "two heads", 1.41),
        (lambda Q: Q.shape[2], "three heads", 0.707),
        (lambda Q: 1 / Q.shape[-1], "three heads", 2),
    ],
)
def test_another_divisor_is_found_in_the_weights(D_of, case, factor):
    says = check_multi_head(heads_of(cut, join, D_of=D_of)).says
    assert says.startswith(
        f"On {case}: your mask is right, and your scores are {factor} "
    )
    assert "sqrt(D_head)" in says


def one_sequence(X, N_heads):
    N, _ = X.shape
    return X.reshape(N, N_heads, D_head)


def a_batch(X, N_heads):
    B, N, _ = X.shape
    return X.reshape(B, N, N_heads, D_head)


def all_in_one(X, N_heads):
    B, N, _ = X.shape
    return X.reshape(B, N, N_heads, -1).swapaxes(1, 2).reshape(B * N_heads, N, -1)


def behind_each_other(X, N_heads):
    return np.concatenate(np.split(X, N_heads, axis=-1), axis=-2)


@pytest.mark.parametrize(
    ("function", "says", "evidence"),
    [
        (one_sequence, "raised NameError", "X.reshape(N, N_heads"),
        (a_batch, "raised NameError", "X.reshape(B, N, N_heads"),
        (all_in_one, "shape (6, 4, 2), expected (2, 3, 4, 2) (B, N_heads", "[[[ 0."),
        (behind_each_other, "shape (12, 2), expected (3, 4, 2) (N_heads", "[[ 0."),
    ],
)
def test_the_form_that_was_meant_is_told_of(function, says, evidence):
    verdict = check_split_heads(function)
    assert says in verdict.says
    assert evidence in verdict.evidence


def test_one_wrong_shape_of_a_batch_is_told_of():
    def all_heads_in_one(*inputs):
        Y, A = heads_of(cut, join)(*inputs)
        return Y, A.flatten(0, 1)

    says = check_multi_head(all_heads_in_one).says
    assert "A has shape (6, 4, 4), expected (2, 3, 4, 4) (B, N_heads" in says


@pytest.mark.parametrize(("at", "name"), [(0, "X"), (-1, "visible")])
def test_what_belongs_to_the_first_of_the_batch_is_not_for_all(at, name):
    def multi(X, W_Q, W_K, W_V, W_O, N_heads, visible):
        inputs = [torch.as_tensor(X), W_Q, W_K, W_V, W_O, N_heads, visible]
        inputs[at] = inputs[at][:1].expand_as(inputs[at])
        return heads_of(cut, join)(*inputs)

    assert check_multi_head(multi).says == (
        f"All examples of the batch get what is right with {name} of the first. Each "
        "has its own."
    )


def test_the_same_parts_put_together_rightly_are_right():
    assert check_multi_head(heads_of(cut, join))


def test_heads_of_every_third_entry_are_named():
    def every_third(X, N_heads):
        return [[list(x[k::N_heads]) for x in X] for k in range(N_heads)]

    assert check_split_heads(every_third).diagnosis == "interleaved"


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (
            check_split_heads,
            lambda X, N_heads: np.stack(np.split(X, N_heads, axis=-1)[::-1], axis=-3),
            "head 0 at position 0 must hold entries 0 to 1 of X[0]; yours holds [4.0",
        ),
        (
            check_multi_head,
            heads_of(cut_flat, join_flat),
            "a reshape without swapping axes mixes them",
        ),
        (
            check_multi_head,
            heads_of(cut, join, mask=first_only),
            "to an input that is not visible",
        ),
        (
            check_multi_head,
            lambda X, W_Q, W_K, W_V, W_O, N_heads, visible: multi_head(
                X,
                np.tile(W_Q[:, :2], 3),
                np.tile(W_K[:, :2], 3),
                W_V,
                W_O,
                N_heads,
                visible,
            ),
            "A[0] is right, A[1] is not: does each head take its own block",
        ),
        (
            check_multi_head,
            lambda X, W_Q, W_K, W_V, W_O, N_heads, visible: multi_head(
                X, W_Q, W_K, W_V, W_O[::-1], N_heads, visible
            ),
            "A is right, Y is not",
        ),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(
    as_a_reader, check, function, says
):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says
