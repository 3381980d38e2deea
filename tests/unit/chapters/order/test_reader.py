"""The reader: what it can know of order, kind by kind."""

import pytest
import torch

from attention_book import layers
from attention_book.chapters.order.reader import KINDS, Reader, ReaderConfig
from attention_book.training import seeded

WORDS = torch.tensor([[3, 9, 4, 9, 6], [8, 5, 7, 3, 6]])
TOLD = [kind for kind in KINDS if kind != "none"]


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


def test_told_nothing_it_reads_a_set():
    torch.testing.assert_close(reader("none")(turned(WORDS)), reader("none")(WORDS))


@pytest.mark.parametrize("kind", TOLD)
def test_told_anything_it_does_not(kind):
    moved = reader(kind)(turned(WORDS)) - reader(kind)(WORDS)
    assert moved.abs().max() > 1e-3


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


def test_positions_beside_words_take_width_from_them():
    beside, added = reader("beside"), reader("sine")
    assert beside.words.embedding_dim == 4
    assert added.words.embedding_dim == 8
    assert beside.states(WORDS).shape == added.states(WORDS).shape == (2, 5, 8)


def test_kinds_differ_in_what_they_say_and_in_nothing_else():
    assert isinstance(reader("sine").positions, layers.SinePositions)
    assert isinstance(reader("learned").positions, layers.LearnedPositions)
    for kind, attention in (
        ("relative", layers.RelativeSelfAttention),
        ("rotary", layers.RotarySelfAttention),
        ("mask", layers.SelfAttention),
    ):
        blocks = reader(kind).blocks
        assert [type(block.attend) for block in blocks] == [attention] * 2


def test_numbers_up_to_16_tell_distances_apart_that_clipping_at_8_does_not():
    counts = {k: len(reader(k).blocks[0].attend.b) for k in ("relative", "relative-16")}
    assert counts == {"relative": 2 * 8 + 1, "relative-16": 2 * 16 + 1}


def test_it_says_one_word():
    assert reader("sine")(WORDS).shape == (2, 1, 12)


def test_an_unknown_kind_is_named():
    with pytest.raises(ValueError, match="positions is 'cosine', expected one of"):
        ReaderConfig(12, "cosine")
