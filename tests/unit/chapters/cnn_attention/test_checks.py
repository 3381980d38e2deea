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
        (
            lambda out, A: (out + 1, np.roll(A, 1, axis=-1)),
            "A is off, first in row 0, that of the cell at row 0, column 0.",
        ),
        (
            lambda out, A: (out[:1].repeat(2, axis=0), A[:1].repeat(2, axis=0)),
            "All examples of the batch get what is right with grid of the first.",
        ),
        (
            lambda out, A: (out, A.mean(axis=0)),
            "A has shape (6, 6), expected (2, 6, 6) (B, N_X, N_X).",
        ),
    ],
)
def test_what_is_off_is_named(change, says):
    def wrong(grid, W_Q, W_K, W_V, W_O, gate):
        return change(*grid_self_attention(grid, W_Q, W_K, W_V, W_O, gate))

    assert says in told(check_grid_self_attention, wrong)


def with_weights(change_Q=1.0, change_gate=float):
    return lambda grid, W_Q, W_K, W_V, W_O, gate: grid_self_attention(
        grid, W_Q * change_Q, W_K, W_V, W_O, change_gate(gate)
    )


def test_what_is_wrong_in_one_case_is_told_of_that_case():
    says = told(check_grid_self_attention, with_weights(change_gate=abs))
    assert says.startswith(
        "On as many numbers in a cell as there are cells: A is right"
    )


def test_another_divisor_is_found_in_the_weights():
    says = told(check_grid_self_attention, with_weights(change_Q=1.5))
    assert "rows: your scores are 1.5 times what they should be: divide" in says


def test_an_error_is_that_of_the_form_that_was_meant():
    def one_picture(grid, W_Q, W_K, W_V, W_O, gate):
        D, N_rows, N_columns = grid.shape
        return grid.reshape(D, N_rows) * N_columns

    assert "cannot reshape array of size 30" in told(
        check_grid_self_attention, one_picture
    )


def test_two_numbers_have_an_order():
    says = told(check_count_numbers, lambda *sizes: count_numbers(*sizes)[::-1])
    assert "you return them in another order: expected learned, weights." in says


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
        (lambda r, c, D, Q, V: ((r * c) ** 2, 0), "You count A. It is computed anew"),
        (lambda r, c, D, Q, V: (D * Q - D * V, 0), "W_V leads to D_V"),
        (lambda r, c, D, Q, V: (0, r * c**2 - (r * c) ** 2), "Brackets are missing"),
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
