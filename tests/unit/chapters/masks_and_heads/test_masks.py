"""The checks of the masks name a mistake in whatever style it was made."""

import numpy as np
import pytest
import torch

from attention_book.chapters.masks_and_heads.checks.masks import (
    check_causal_mask,
    check_causal_padding_mask,
    check_padding_mask,
)


def from_behind(lengths, N_X):
    """Hide the last ones: from -0 on, if there are none."""
    visible = np.tri(N_X, dtype=bool)[None].repeat(len(lengths), axis=0)
    for b, length in enumerate(lengths):
        visible[b, :, -(N_X - length) :] = False
    return visible


def real(lengths, N_X):
    return torch.arange(N_X)[None, :] < lengths[:, None]


CAUSAL = [
    (lambda N: torch.tril(torch.ones(N, N), diagonal=-1).bool(), "does not see itself"),
    (lambda N: torch.triu(torch.ones(N, N), diagonal=1) == 1, "True where hidden"),
    (torch.nn.Transformer.generate_square_subsequent_mask, "numbers to be added"),
    (lambda N: (1 - np.tril(np.ones((N, N)))) * -np.inf, "0 times infinity"),
]
PADDING = [
    (lambda lengths, N_X: ~real(lengths, N_X), "True where hidden"),
    (
        lambda lengths, N_X: torch.zeros(len(lengths), N_X).masked_fill(
            ~real(lengths, N_X), -torch.inf
        ),
        "numbers to be added",
    ),
]
BOTH = [
    (
        lambda lengths, N_X: (
            real(lengths, N_X)[:, :, None] & torch.ones(N_X, N_X).tril().bool()
        ),
        "rows hidden instead of columns",
    ),
    (
        lambda lengths, N_X: (
            torch.ones(N_X, N_X).tril().bool().expand(len(lengths), -1, -1)
        ),
        "padding is visible",
    ),
    (from_behind, "without padding all is hidden"),
    (
        lambda lengths, N_X: from_behind(N_X - lengths, N_X) ^ np.tri(N_X, dtype=bool),
        "padding in front",
    ),
    (
        lambda lengths, N_X: np.triu(real(lengths, N_X)[:, None].expand(-1, N_X, -1)),
        "the other triangle",
    ),
    (
        lambda lengths, N_X: real(lengths, N_X)[:, None].expand(-1, N_X, -1),
        "only padding is hidden",
    ),
]


@pytest.mark.parametrize(
    ("check", "function", "diagnosis"),
    [
        (c, *pair)
        for c, pairs in (
            (check_causal_mask, CAUSAL),
            (check_padding_mask, PADDING),
            (check_causal_padding_mask, BOTH),
        )
        for pair in pairs
    ],
)
def test_a_mistake_is_named_in_another_style(check, function, diagnosis):
    assert check(function).diagnosis == diagnosis


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (
            check_causal_mask,
            lambda N: (torch.ones(N, N).tril() - 1) * 1e9,
            "a mask holds True and False; yours holds -1e+09",
        ),
        (
            check_causal_mask,
            lambda N: np.tril(np.ones((N, N))) / np.arange(1, N + 1)[:, None],
            "yours holds 0.5",
        ),
        (
            check_causal_mask,
            lambda N: np.eye(N, dtype=bool),
            "visible[1, 0] is False. Row 1 may look at column 0 only if 0 <= 1",
        ),
        (
            check_causal_mask,
            lambda N: np.triu(np.ones((N, N), dtype=bool)),
            "visible[0, 1] is True. Row 0 may look at column 1 only if 1 <= 0",
        ),
        (
            check_padding_mask,
            lambda lengths, N_X: [[j <= n for j in range(N_X)] for n in lengths],
            "visible[0, 2] is True. Input 2 is real only if 2 < lengths[0]",
        ),
        (
            check_padding_mask,
            lambda lengths, N_X: real(lengths - 1, N_X),
            "visible[0, 1] is False. Input 1 is real only if 1 < lengths[0]",
        ),
        (
            check_causal_padding_mask,
            lambda lengths, N_X: (
                ~(torch.ones(N_X, N_X).triu(1).int() | ~real(lengths, N_X)[:, None])
            ),
            "yours holds -1. (~ of a number is not *not*.)",
        ),
        (
            check_causal_padding_mask,
            lambda lengths, N_X: (
                real(lengths, N_X)[:, None] | torch.ones(N_X, N_X).tril().bool()
            ),
            "visible[0, 0, 1] is True. Both masks must allow it (&): 1 <= 0 and",
        ),
    ],
)
def test_a_mistake_that_nobody_recorded_is_located(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says
