"""What chapter 6's cells measure, on models whose answers are known."""

import pytest
import torch

from attention_book.chapters.order.experiments import apart


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
