"""Positions: against torch's complex numbers, and what they let a model do."""

import numpy as np
import pytest
import torch
from parity import agree

from attention_book.reference import add_positions, attention, positional_encoding

rng = np.random.default_rng(0)


@pytest.mark.parametrize(("N", "D"), [(1, 2), (7, 6), (50, 16)])
def test_each_pair_is_a_clock_hand_that_torch_turns(N, D):
    frequency = (
        torch.logspace(0, -(D - 2) / D, D // 2, base=10000, dtype=torch.float64)
        if D > 2
        else torch.ones(1)
    )
    hands = torch.polar(
        torch.ones(N, D // 2, dtype=torch.float64),
        torch.arange(N)[:, None] * frequency.double(),
    )
    wanted = torch.stack([hands.imag, hands.real], dim=-1).flatten(1)
    agree(positional_encoding(N, D), wanted.numpy())


def test_how_alike_two_positions_are_depends_on_their_distance_alone():
    P = positional_encoding(30, 8)
    np.testing.assert_allclose((P[:-4] * P[4:]).sum(axis=1), P[0] @ P[4], atol=1e-12)


def test_every_item_of_a_batch_gets_the_same_positions():
    X, P = rng.normal(size=(2, 3, 4)), positional_encoding(9, 4)
    before = X.copy()
    Y = add_positions(X, P)
    np.testing.assert_array_equal(X, before)
    for b in range(2):
        for t in range(3):
            np.testing.assert_array_equal(Y[b, t], X[b, t] + P[t])


def test_with_positions_attention_notices_the_order():
    X, P = rng.normal(size=(1, 5, 4)), positional_encoding(5, 4)

    def first_query(X):
        return attention(X[:, :1], X, X)[0]

    X_swapped = X[:, [0, 2, 1, 3, 4]]
    np.testing.assert_allclose(first_query(X_swapped), first_query(X), atol=1e-12)
    assert (
        np.abs(
            first_query(add_positions(X_swapped, P)) - first_query(add_positions(X, P))
        ).max()
        > 1e-3
    )


@pytest.mark.parametrize(("N", "D"), [(0, 4), (3, 5), (3, 0)])
def test_what_has_no_encoding_is_named(N, D):
    with pytest.raises(ValueError, match=f"N is {N} and D is {D}"):
        positional_encoding(N, D)


def test_what_cannot_be_added_is_named(as_a_reader):
    X, P = np.zeros((2, 3, 4)), np.zeros((5, 4))
    with pytest.raises(ValueError, match="P has 2 positions, expected at least N = 3"):
        add_positions(X, P[:2])
    with pytest.raises(
        ValueError, match=r"P has shape \(5, 3\), expected .*, D as in X"
    ):
        add_positions(X, P[:, 1:])
    with pytest.raises(ValueError, match=r"X has shape \(3, 4\)"):
        add_positions(X[0], P)
