"""Entropy and mass on gold links, against scipy and by hand."""

import numpy as np
import pytest
from scipy.stats import entropy

from attention_book.metrics import attention_entropy, mass_on_gold

A = np.array(
    [[0.5, 0.25, 0.125, 0.125], [0.0, 1.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]]
)


def test_entropy_is_counted_in_bits():
    assert attention_entropy(A).tolist() == [1.75, 0.0, 2.0]
    assert not np.signbit(attention_entropy(A)).any()  # 0 bits are not -0


def test_entropy_agrees_with_scipy():
    weights = np.random.default_rng(0).dirichlet(np.full(5, 0.3), size=7)
    np.testing.assert_allclose(
        attention_entropy(weights), entropy(weights, base=2, axis=1), rtol=1e-12
    )


def test_half_and_single_precision_are_weights_too():
    weights = np.random.default_rng(0).dirichlet(np.ones(30), size=7)
    for dtype in (np.float16, np.float32):
        np.testing.assert_allclose(
            attention_entropy(weights.astype(dtype)),
            attention_entropy(weights),
            rtol=5e-3,
        )


def test_mass_on_gold_sums_over_all_links_of_a_word():
    np.testing.assert_array_equal(
        mass_on_gold(A, {(0, 0), (2, 0), (0, 1)}), [0.625, 0.0, np.nan]
    )


@pytest.mark.parametrize(
    "measure", [attention_entropy, lambda A: mass_on_gold(A, {(0, 0)})]
)
@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (A.T, "row 0 of A sums to 0.750, expected rows that sum to 1: the columns do"),
        (A * 0.9, "row 0 of A sums to 0.900, expected rows that sum to 1$"),
        (A - 0.2, "scores must go through softmax"),
        (A[0], r"A has shape \(4,\)"),
    ],
)
def test_what_is_no_attention_is_named(as_a_reader, measure, weights, says):
    with pytest.raises(ValueError, match=says):
        measure(weights)


@pytest.mark.parametrize("link", [(4, 0), (5, 0), (0, 3), (0, 4), (-1, 0), (0, -1)])
def test_a_gold_link_outside_is_named(as_a_reader, link):
    with pytest.raises(ValueError, match="gold holds the link"):
        mass_on_gold(A, {link})
