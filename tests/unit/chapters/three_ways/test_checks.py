"""The checks of work and of who sees whom name a mistake in whatever style."""

import numpy as np
import pytest

from attention_book.chapters.three_ways.checks import check_sees, check_work
from attention_book.chapters.three_ways.solutions import sees, work


def with_another(way, count):
    return lambda n, d, k: work(n, d, k) | {way: count(n, d, k)}


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            with_another("gru", lambda n, d, k: 3 * n * d * d),
            "you count three matrices",
        ),
        (with_another("gru", lambda n, d, k: 6 * d * d), "you count one step"),
        (
            with_another("gru", lambda n, d, k: 6 * n * d * d + 3 * n * d),
            "the gates' products, entry by entry",
        ),
        (
            with_another("convolution", lambda n, d, k: n * d * d),
            "you count one input for an output",
        ),
        (
            with_another("convolution", lambda n, d, k: (n - k + 1) * k * d * d),
            "you count the outputs whose k inputs are all there",
        ),
        (
            with_another("attention", lambda n, d, k: 2 * n * n * d),
            "you leave out X W_Q, X W_K and X W_V",
        ),
        (
            with_another("attention", lambda n, d, k: 4 * n * d * d + 2 * n * n * d),
            "There is no W_O",
        ),
        (
            with_another("attention", lambda n, d, k: 3 * n * d * d + n * n * d),
            "you count one product of n * n * d",
        ),
        (with_another("attention", lambda n, d, k: n**3), "attention is off: you get"),
        (
            with_another("convolution", lambda n, d, k: n * n * d),
            "convolution is off: you get 245. Each of n outputs reads k inputs",
        ),
        (with_another("gru", lambda n, d, k: n * d), "Each of n steps multiplies x_t"),
        (
            with_another("gru", lambda n, d, k: 6 * (n - 1) * d * d),
            "The first word takes a step, too.",
        ),
        (
            with_another("attention", lambda n, d, k: 3 * n * d * d + n * (n + 1) * d),
            "the lower half of the scores only",
        ),
        (
            with_another(
                "convolution",
                lambda n, d, k: (
                    d
                    * d
                    * sum(0 <= i + j - k // 2 < n for i in range(n) for j in range(k))
                ),
            ),
            "the products with the zeros at the ends",
        ),
        *(
            (
                with_another(way, lambda n, d, k, way=way: 2 * work(n, d, k)[way]),
                f"{name} you count products twice. Are half of them additions?",
            )
            for way, name in {
                "gru": ": In the GRU",
                "convolution": ": In the convolution",
                "attention": ": In self-attention",
            }.items()
        ),
    ],
)
def test_a_wrong_count_is_told_what_it_leaves_out(function, says):
    assert says in check_work(function).says


def powers(visible, N_layers):
    """Right, but for the sum over fewer layers."""
    return sum(
        np.linalg.matrix_power(visible.astype(int), L) for L in range(N_layers + 1)
    ).astype(bool)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda visible, N_layers: visible, "You give back the mask"),
        (lambda visible, N_layers: sees(visible.T, N_layers), "wrong way round"),
        (powers, "You let each place see what it has seen below"),
        (
            lambda visible, N_layers: np.ones_like(visible),
            "you say that output 0 sees input 1, but no chain of 2 looks",
        ),
        (
            lambda visible, N_layers: np.eye(len(visible), dtype=bool),
            "does not see input 0. It looks at place",
        ),
        (
            lambda visible, N_layers: sees(visible, N_layers) & (N_layers > 0),
            "without a layer each output is its own input",
        ),
        (
            lambda visible, N_layers: sees(visible, max(N_layers, 1)),
            "the identity matrix. Start from it, and loop N_layers times.",
        ),
        (
            lambda visible, N_layers: sees(visible, N_layers).astype(int),
            "seen holds the numbers 0 and 1, where True and False are due",
        ),
    ],
)
def test_a_wrong_field_of_view_is_told_where(function, says):
    verdict = check_sees(function)
    assert verdict.state == "wrong"
    assert says in verdict.says


def test_ways_that_are_counted_in_small_integers_are_lost():
    def counted(visible, N_layers):
        return np.linalg.matrix_power(visible.astype(np.uint8), N_layers) > 0

    verdict = check_sees(counted)
    assert not verdict
    assert "you say that output 0 does not see input 0" in verdict.says
