"""The checks of positions name a mistake in whatever style it was made."""

import math

import numpy as np
import pytest
import torch

from attention_book.chapters.order.checks import (
    check_add_positions,
    check_positional_encoding,
)
from attention_book.reference import positional_encoding


def halves(N, D):
    angle = torch.arange(N)[:, None] * torch.exp(
        torch.arange(0, D, 2) * (-math.log(10000) / D)
    )
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def entry_by_entry(exponent, *, base=10000, start=0, waves=(math.sin, math.cos)):
    """Make an encoding by two loops, with something to get wrong."""

    def encode(N, D):
        return [
            [waves[c % 2]((t + start) / base ** (exponent(c) / D)) for c in range(D)]
            for t in range(N)
        ]

    return encode


def own_column(c):
    return c


def even_column(c):
    return c - c % 2


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (halves, "All sines stand first"),
        (entry_by_entry(own_column), "A cosine has the angle of the sine beside it"),
        (entry_by_entry(lambda c: even_column(c) // 2), "Your exponent is i / D"),
        (
            entry_by_entry(lambda c: 2 * even_column(c)),
            "Your exponent is twice the column",
        ),
        (entry_by_entry(lambda c: -even_column(c)), "You multiply by 10000^(2i / D)"),
        (entry_by_entry(even_column, base=1000), "P[1, 2] is 0.09983, expected sin"),
        (entry_by_entry(even_column, start=1), "Positions count from 0"),
        (
            entry_by_entry(even_column, waves=(math.cos, math.sin)),
            "The sine comes first",
        ),
        (entry_by_entry(even_column, waves=(math.sin, math.sin)), "odd ones cosines"),
    ],
)
def test_an_encoding_names_the_mistake_in_another_style(function, mistake):
    assert mistake in repr(check_positional_encoding(function))


@pytest.mark.parametrize("exponent", [lambda i, N: i / 3, lambda i, N: 2 * i / (N + 1)])
def test_a_width_that_fits_some_sizes_only_is_found(exponent):
    def encode(N, D):
        angle = np.arange(N)[:, None] / 10000 ** exponent(np.arange(D // 2), N)
        return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(N, D)

    assert "expected sin(1 / 10000^(2 / 10))" in check_positional_encoding(encode).says


def test_a_single_position_keeps_its_axis():
    verdict = check_positional_encoding(
        lambda N, D: np.squeeze(positional_encoding(N, D))
    )
    assert "P has shape (4,), expected (1, 4) (N, D)" in verdict.says


def written_over(X, P):
    for item in X:
        for t in range(len(item)):
            item[t] += P[t]
    return X


def along_the_batch(X, P):
    return torch.stack([item + P[b] for b, item in enumerate(X)])


def counted_on(X, P):
    B, N, D = X.shape
    return (X.view(B * N, D) + P[torch.arange(B * N)]).view(B, N, D)


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (along_the_batch, "you count along the batch"),
        (written_over, "Your function writes into X"),
        (lambda X, P: X.add_(P[: X.size(1)]), "writes into X"),
        (
            lambda X, P: torch.cat([X, P[: X.size(1)].expand_as(X)], dim=2),
            "You put the position beside the input",
        ),
        (
            lambda X, P: (X + P[: X.size(1)]).mT.permute(2, 0, 1),
            "Y has shape (3, 2, 4), expected (2, 3, 4) (B, N, D)",
        ),
        (counted_on, "You count on from one sequence"),
        (
            lambda X, P: np.array([item + P[0] for item in X]),
            "Every input gets P[0]",
        ),
        (lambda X, P: X + P.roll(-1, 0)[: X.size(1)], "Your first input gets P[1]"),
    ],
)
def test_adding_names_the_mistake_in_another_style(function, mistake):
    assert mistake in repr(check_add_positions(function))


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (
            check_positional_encoding,
            lambda N, D: np.ones((N, D)),
            "P[0, 0] is 1, expected sin(0 / 10000^(0 / 6)) = 0",
        ),
        (
            check_positional_encoding,
            entry_by_entry(lambda c: 2 * c),
            "odd ones cosines of the same angle",
        ),
        (
            check_add_positions,
            lambda X, P: X + P[: X.shape[1]][::-1],
            "to the input at position 0 you add",
        ),
        (check_add_positions, lambda X, P: X - P[: X.shape[1]], "not P[0]"),
        (
            check_add_positions,
            lambda X, P: np.stack([x + P[b : b + len(x)] for b, x in enumerate(X)]),
            "to the input at position 0 you add P[1], not P[0]",
        ),
        (
            check_add_positions,
            lambda X, P: X + P.roll(-2, 0)[: X.shape[1]],
            "position 0 you add P[2], not P[0]",
        ),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says
