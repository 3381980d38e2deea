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
    (
        lambda N: [[j < i + 2 for j in range(N)] for i in range(N)],
        "looks one step too far",
    ),
    (lambda N: torch.triu(torch.ones(N, N), diagonal=1) == 1, "True where hidden"),
    (lambda N: np.triu(np.ones((N, N), dtype=bool)), "looks at the future"),
    (torch.nn.Transformer.generate_square_subsequent_mask, "numbers to be added"),
    (lambda N: (1 - np.tril(np.ones((N, N)))) * -np.inf, "0 times infinity"),
]
PADDING = [
    (
        lambda lengths, N_X: [[j <= n for j in range(N_X)] for n in lengths],
        "one too many",
    ),
    (
        lambda lengths, N_X: [[j + 1 < n for j in range(N_X)] for n in lengths],
        "one too few",
    ),
    (lambda lengths, N_X: ~real(lengths, N_X), "True where hidden"),
    (lambda lengths, N_X: real(lengths, N_X).flip(1), "padding in front"),
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
            real(lengths, N_X)[:, None] | torch.ones(N_X, N_X).tril().bool()
        ),
        "or instead of and",
    ),
    (
        lambda lengths, N_X: [
            [[j < n for j in range(N_X)] for _ in range(N_X)] for n in lengths
        ],
        "the future is visible",
    ),
    (
        lambda lengths, N_X: (
            torch.ones(N_X, N_X).tril().bool().expand(len(lengths), -1, -1)
        ),
        "padding is visible",
    ),
    (
        lambda lengths, N_X: [
            [[j < min(i, n) for j in range(N_X)] for i in range(N_X)] for n in lengths
        ],
        "does not see itself",
    ),
    (
        lambda lengths, N_X: [
            [[i <= j < n for j in range(N_X)] for i in range(N_X)] for n in lengths
        ],
        "looks at the future",
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
            "your mask holds 0 and -1e+09: numbers to be added",
        ),
        (
            check_causal_mask,
            lambda N: np.tril(np.ones((N, N))) / np.arange(1, N + 1)[:, None],
            "yours holds 0.5",
        ),
        (
            check_causal_mask,
            lambda N: np.eye(N, dtype=bool),
            "visible[1, 0] is False: position 1 may look at 0",
        ),
        (
            check_causal_mask,
            lambda N: np.ones((N, N), dtype=bool),
            "visible[0, 1] is True: position 0 looks at 1, which comes later",
        ),
        (
            check_padding_mask,
            lambda lengths, N_X: np.ones((len(lengths), N_X), dtype=bool),
            "input 2 of item 0 is padding",
        ),
        (
            check_causal_padding_mask,
            lambda lengths, N_X: np.ones((len(lengths), N_X, N_X), dtype=bool),
            "visible[0, 0, 1] is True: in item 0, input 1 is padding, or comes later "
            "than 0",
        ),
    ],
)
def test_a_mistake_that_nobody_recorded_is_located(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says
