"""The checks of the masks name a mistake in whatever style it was made."""

import numpy as np
import pytest
import torch

from attention_book.chapters.masks_and_heads.checks.masks import (
    check_causal_mask,
    check_causal_padding_mask,
    check_padding_mask,
)


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
            lambda lengths, N_X: real(lengths, N_X).flip(1),
            "visible[0, 0] is False. Input 0 is real only if 0 < lengths[0]",
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
