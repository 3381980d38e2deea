"""Wrong functions that no recorded mistake covers are still told what is wrong."""

import numpy as np
import pytest

from attention_book.chapters.cnn_attention.checks import (
    check_count_numbers,
    check_grid_self_attention,
)
from attention_book.chapters.cnn_attention.solutions import (
    count_numbers,
    grid_self_attention,
)


def told(check, function):
    verdict = check(function)
    assert verdict.state == "wrong"
    return verdict.says


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda out, A: (out, np.roll(A, 1, axis=-2)), "out is right, A is not"),
        (lambda out, A: (np.roll(out, 1, axis=-1), A), "A is right, out is not"),
        (lambda out, A: (out, A - 0.5), "A weight is never negative"),
        (lambda out, A: (out, A / 2), "sums to 0.500"),
    ],
)
def test_what_is_off_is_named(change, says):
    def wrong(grid, W_Q, W_K, W_V, W_O, gate):
        return change(*grid_self_attention(grid, W_Q, W_K, W_V, W_O, gate))

    assert says in told(check_grid_self_attention, wrong)


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (lambda r, c, D, Q, V: (-1, 0), "The gate is learned, too"),
        (lambda r, c, D, Q, V: (-D * Q, 0), "Each has its own"),
        (lambda r, c, D, Q, V: (-D * V, 0), "There are both"),
        (lambda r, c, D, Q, V: (2 * Q + V + D, 0), "biases"),
        (lambda r, c, D, Q, V: (D - 1, 0), "one gate for all channels"),
        (lambda r, c, D, Q, V: (r * c * D, 0), "learned positions"),
        (
            lambda r, c, D, Q, V: ((2 * D * Q + 2 * D * V) * (r * c - 1), 0),
            "once for each cell",
        ),
        (lambda r, c, D, Q, V: (D * D - D * V, 0), "D times D_V numbers each"),
        (lambda r, c, D, Q, V: (2 * Q * Q - 2 * D * Q, 0), "have D rows"),
        (lambda r, c, D, Q, V: (7, 0), "rows times columns, and the gate"),
        (lambda r, c, D, Q, V: (0, r * c - (r * c) ** 2), "Each cell has a row"),
        (
            lambda r, c, D, Q, V: (0, r * r + c * c - (r * c) ** 2),
            "along rows and along columns",
        ),
        (lambda r, c, D, Q, V: (0, -r * c), "look at itself, too"),
        (lambda r, c, D, Q, V: (0, (D - 1) * (r * c) ** 2), "for a whole vector"),
        (lambda r, c, D, Q, V: (0, 5), "a column for each cell"),
    ],
)
def test_each_wrong_count_is_told_what_it_counts(extra, says):
    def wrong(N_rows, N_columns, D, D_Q, D_V):
        sizes = N_rows, N_columns, D, D_Q, D_V
        pairs = zip(count_numbers(*sizes), extra(*sizes), strict=True)
        return tuple(right + more for right, more in pairs)

    assert says in told(check_count_numbers, wrong)
