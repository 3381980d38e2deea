"""The worked solutions of chapter 6."""

import numpy as np
import pytest
import torch

from attention_book import reference
from attention_book.chapters.order import sentences
from attention_book.chapters.order.solutions import (
    RandomStart,
    add_positions,
    positional_encoding,
    right_with_starts,
)


def test_positions_are_those_of_the_reference():
    P = reference.positional_encoding(9, 6)
    np.testing.assert_allclose(positional_encoding(9, 6), P, rtol=1e-12)
    X = np.random.default_rng(0).normal(size=(2, 5, 6))
    np.testing.assert_array_equal(add_positions(X, P), reference.add_positions(X, P))


def starts_of(positions, X):
    """Where each of 200 batches began."""
    P, found = positions.P.detach(), set()
    for _ in range(200):
        added = (positions(X) - X).detach()
        found |= {t for t in range(9) if torch.equal(added[1], P[t : t + 3])}
    return found


def test_training_starts_anywhere_and_reading_at_the_first_position():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        positions = RandomStart(N_max=12, D=4, N_starts=5)
        X = torch.zeros(2, 3, 4)
        assert starts_of(positions, X) == {0, 1, 2, 3, 4}
        assert starts_of(positions.eval(), X) == {0}
        assert torch.equal(positions(X)[0], positions.P[:3])


def test_answers_are_counted_by_length(monkeypatch):
    seen = []

    def right(model, batches):
        assert not model.training
        assert model.positions.N_starts == 7
        seen.append(batches[0].source.shape[1] - 1)
        return seen[-1] / 100

    monkeypatch.setattr(sentences, "right", right)
    shares = right_with_starts("third", N_starts=7, steps=2)
    assert shares == pytest.approx([0.05, 0.24, 0.32])
