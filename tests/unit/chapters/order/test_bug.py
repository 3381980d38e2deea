"""Find the bug, chapter 6: positions that count the filling."""

import pytest
import torch

from attention_book import layers, runs
from attention_book.chapters.order import experiments
from attention_book.chapters.order.bug import HUNT
from attention_book.chapters.order.experiments import right_when_filled
from attention_book.chapters.order.solutions import place

P = layers.sine_positions(torch.zeros(64, 32), 32)
X = torch.randn(2, 5, 32, generator=torch.Generator().manual_seed(0))
VISIBLE = torch.tensor([[True] * 5, [False, False, True, True, True]])


def test_a_filled_sentence_begins_at_position_0():
    added = place(X, VISIBLE, P) - X
    torch.testing.assert_close(added[0], P[:5])
    torch.testing.assert_close(added[1, 2:], P[:3])


def test_the_bug_hides_where_nothing_is_filled():
    whole = VISIBLE[:1].expand(2, -1)
    assert torch.equal(HUNT.broken(X, whole, P), place(X, whole, P))
    moved = (HUNT.broken(X, VISIBLE, P) - place(X, VISIBLE, P)).abs().amax(dim=(1, 2))
    assert moved[0] == 0
    assert moved[1] > 0.5


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(experiments, "N_FILLED", 100)


def test_what_the_folded_answers_say(few):
    """Half are lost at two, nearly all at three; at six hardly any; repaired, none."""
    model = runs.load("order-third-sine").model()
    filled = range(9)
    wrong = right_when_filled(model, HUNT.broken, P, filled)
    assert wrong[0] == 1
    assert wrong[3] < 0.15
    assert wrong[6] > 0.95
    assert max(wrong[1:6] + wrong[7:]) < 0.85
    assert right_when_filled(model, place, P, filled) == pytest.approx([1] * 9)


def test_the_first_hand_alone_is_what_the_reader_goes_by(few):
    model = runs.load("order-third-sine").model()

    def shifted(columns):
        def partly(X, visible, P):
            return place(X, visible, P * ~columns) + (P * columns)[: X.shape[1]]

        return right_when_filled(model, partly, P, range(9))

    hand = torch.arange(32) < 2
    alone, others = shifted(hand), shifted(~hand)
    assert alone[3] < 0.15
    assert alone[6] > 0.95
    assert min(others) > 0.9
