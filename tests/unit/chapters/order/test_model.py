"""The reader: what it can know of order, kind by kind."""

import pytest
import torch

from attention_book.chapters.order.model import KINDS, Reader, ReaderConfig
from attention_book.training import seeded

WORDS = torch.tensor([[3, 9, 4, 9, 6], [8, 5, 7, 3, 6]])


def reader(kind, N_layers=2):
    with seeded(0):
        made = Reader(ReaderConfig(12, kind, N_layers, D=8, N_max=6)).double().eval()
        for block in made.blocks:
            if "relative" in kind:  # it starts from zeros
                torch.nn.init.normal_(block.attend.b)
    return made


def turned(words):
    """All but the last word in the reverse order."""
    return torch.cat([words[:, :-1].flip(1), words[:, -1:]], dim=1)


@pytest.mark.parametrize("kind", KINDS)
def test_only_who_is_told_nothing_reads_a_set(kind):
    moved = (reader(kind)(turned(WORDS)) - reader(kind)(WORDS)).abs().max()
    assert moved < 1e-12 if kind == "none" else moved > 1e-3


def test_one_layer_with_a_mask_reads_a_set_at_the_last_word():
    one = reader("mask", N_layers=1)
    torch.testing.assert_close(one(turned(WORDS)), one(WORDS))


@pytest.mark.parametrize("visible", [None, torch.ones(2, 5, dtype=torch.bool)])
def test_with_a_mask_no_word_sees_a_later_one(visible):
    other = WORDS.clone()
    other[:, 3] = 10
    was, now = (reader("mask").states(words, visible) for words in (WORDS, other))
    torch.testing.assert_close(now[:, :3], was[:, :3])
    assert (now[:, 3:] - was[:, 3:]).abs().min() > 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_hidden_changes_nothing(kind):
    visible = torch.tensor([[True] * 5, [True, True, False, True, True]])
    other = WORDS.clone()
    other[1, 2] = 11
    f = reader(kind)
    torch.testing.assert_close(f(other, visible), f(WORDS, visible))
    assert (f(other) - f(WORDS))[1].abs().max() > 1e-6


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mask"])
def test_only_kinds_that_say_places_notice_where_a_sentence_begins(kind):
    later = torch.cat([torch.tensor([[7], [9]]), WORDS], dim=1)
    visible = torch.arange(6) > 0
    f = reader(kind)
    moved = f(later, visible.expand(2, -1)) - f(WORDS)
    assert (moved.abs().max() > 1e-4) == (kind in ("sine", "learned", "beside"))


def test_an_unknown_kind_is_named():
    with pytest.raises(ValueError, match="positions is 'cosine', expected one of"):
        ReaderConfig(12, "cosine")
