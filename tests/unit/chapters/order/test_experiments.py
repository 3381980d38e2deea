"""What chapter 6's cells measure, on models whose answers are known."""

import pytest
import torch

from attention_book import layers
from attention_book.chapters.order.experiments import (
    apart,
    right_when_filled,
    shuffled,
)
from attention_book.data import PAD
from attention_book.runs import load


def test_what_keeps_its_vectors_is_not_apart_and_what_counts_is():
    X = torch.arange(15.0).reshape(5, 3).sin().double()
    s = torch.tensor([3, 0, 4, 1, 2])
    assert apart(lambda X: 2 * X, X, s) == 0
    assert apart(lambda X: X.cumsum(0), X, s) > 0.1
    # one vector of two is 1 longer: the other way round, two are off by 1
    ones = torch.ones(2, 1)
    count = torch.tensor([[1.0], [0.0]])
    assert apart(lambda X: X + count, ones, torch.tensor([1, 0])) == pytest.approx(
        (2 / 5) ** 0.5
    )


@pytest.mark.parametrize("kind", ["none", "sine", "mask", "relative"])
def test_only_a_reader_that_is_told_nothing_is_equivariant(kind):
    assert (shuffled(kind, N_draws=3) < 1e-12).all() == (kind == "none")


def test_read_at_the_last_word_one_layer_does_not_show_a_mask():
    one, two = (shuffled("mask", N, last=True, N_draws=3) for N in (1, 2))
    assert (one < 1e-12).all()
    assert (two > 1e-3).all()
    assert (shuffled("mask", 1, N_draws=3) > 1e-3).all(), "the other words do"


def test_filling_is_hidden_and_counted_only_by_who_counts_it():
    model = load("order-third-sine").model()
    model.words.weight.data[PAD] = 50.0  # loud, where it is not hidden
    P = layers.sine_positions(torch.zeros(40, 32), 32)

    def from_the_first_word(X, visible, P):
        return X + P[(visible.cumsum(dim=1) - 1).clamp(min=0)]

    def from_the_edge(X, visible, P):
        return X + P[: X.shape[1]]

    assert right_when_filled(model, from_the_first_word, P, [0, 3]) == [1, 1]
    alone, filled = right_when_filled(model, from_the_edge, P, [0, 3])
    assert alone == 1
    assert filled < 0.3
