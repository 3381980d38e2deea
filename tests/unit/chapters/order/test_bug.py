"""Find the bug, chapter 6: positions that count the filling."""

import torch

from attention_book import layers
from attention_book.chapters.order.bug import BUG_HUNT
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
    assert torch.equal(BUG_HUNT.broken(X, whole, P), place(X, whole, P))
    moved = (
        (BUG_HUNT.broken(X, VISIBLE, P) - place(X, VISIBLE, P)).abs().amax(dim=(1, 2))
    )
    assert moved[0] == 0
    assert moved[1] > 0.5
