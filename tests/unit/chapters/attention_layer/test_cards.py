"""The cards: what is dealt, what is asked, and what somebody may type."""

import pytest
import torch

from attention_book.chapters.attention_layer import cards
from attention_book.chapters.attention_layer.cards import COLOURS, KINDS


@pytest.fixture(scope="module")
def dealt():
    return cards.deal(50, torch.Generator().manual_seed(0))


def test_a_card_is_a_kind_and_a_colour(dealt):
    assert dealt.X.shape == (cards.N_SEEDS, 50, cards.N_CARDS, len(KINDS + COLOURS))
    kinds, colours = dealt.X.split([len(KINDS), len(COLOURS)], dim=-1)
    assert (kinds.sum(dim=-1) == 1).all()
    assert (colours.sum(dim=-1) == 1).all()
    assert kinds.sum(dim=-2).max() == 1, "the kinds on a table differ"


def test_the_answer_is_the_colour_of_the_card_that_is_asked_for(dealt):
    assert {*dealt.asked.flatten().tolist()} == {*range(cards.N_CARDS)}
    for seed in range(cards.N_SEEDS):
        for table in range(50):
            card = dealt.X[seed, table, dealt.asked[seed, table]]
            assert card.nonzero().flatten().tolist() == [
                dealt.kind[seed, table],
                len(KINDS) + dealt.colour[seed, table],
            ]


@pytest.mark.parametrize("typed", ["", "red", "cat red", "red cat, owl", "red cat,"])
def test_what_is_no_card_is_named(typed):
    with pytest.raises(ValueError, match="is no card: expected one such as 'red cat'"):
        cards.lay(typed)
