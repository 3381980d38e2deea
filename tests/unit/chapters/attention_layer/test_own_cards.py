"""What the text says of the cards that a reader lays, through both networks."""

import numpy as np
import pytest

from attention_book.chapters.attention_layer.cards import COLOURS
from attention_book.chapters.attention_layer.widgets import TABLE, own_cards


def answered(table, asked):
    """Weights and chances of both networks: K = V, and K, V."""
    widget = own_cards(table, asked)
    shown = (panel.fields["values"].at(widget.index) for panel in widget.panels)
    A, P = shown
    np.testing.assert_allclose([A.sum(axis=1), P.sum(axis=1)], 1, atol=1e-5)
    return A, P, [COLOURS[best] for best in P.argmax(axis=1)]


def test_one_matrix_names_four_of_the_five_cards_and_is_sure_of_none():
    cards = [card.split("-") for card in TABLE.split()]
    said = {kind: answered(TABLE, kind) for _, kind in cards}
    one, two = zip(*(names for _, _, names in said.values()), strict=True)
    assert list(two) == [colour for colour, _ in cards]
    assert [a == b for a, b in zip(one, two, strict=True)] == [1, 0, 1, 1, 1]
    assert max(P[0].max() for _, P, _ in said.values()) < 0.7
    A, _, names = said["dog"]
    assert names == ["pink", "blue"]
    assert (A[0, 2] > 2 * A[0, 1], A[1, 1] > 0.9) == (True, True)


def test_two_owls_share_the_weight_and_the_colours():
    A, P, _ = answered("pink-owl red-owl", "owl")
    assert A[1] == pytest.approx([0.5, 0.5], abs=0.02)
    pink, red = (P[1, COLOURS.index(each)] for each in ("pink", "red"))
    assert pink == pytest.approx(red, abs=0.03)
    A, _, names = answered(TABLE.replace("grey-cow", "grey-owl"), "owl")
    assert A[1, [2, 4]] == pytest.approx(0.43, abs=0.02)
    assert names[1] == "blue", "the colour of neither"


def test_a_table_without_an_owl_has_an_answer_too():
    A, _, names = answered("red-cat", "owl")
    assert (A.tolist(), names) == ([[1], [1]], ["red", "red"])
    A, _, names = answered(TABLE.replace("pink-owl", "pink-pig"), "owl")
    assert (A[:, 1] > 0.5).all()
    assert names == ["blue", "blue"]
