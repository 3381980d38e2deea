"""The worked solutions of chapter 6."""

import numpy as np
import torch

from attention_book import reference
from attention_book.chapters.order.solutions import (
    RandomStart,
    StartAnywhere,
    add_positions,
    positional_encoding,
)
from attention_book.chapters.order.tasks import Order
from attention_book.runs import Task


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


def test_the_reader_of_a_question_starts_anywhere():
    task = StartAnywhere("third", "learned", N_starts=7)
    assert isinstance(task, Task)
    assert task.model().positions.N_starts == 7
    known, fresh = Order("third", "learned").model(), task.model()
    assert fresh.positions.P.shape == known.positions.P.shape
