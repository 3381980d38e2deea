"""What the text says of five readers that are asked who calls whom."""

from itertools import permutations

import numpy as np

from attention_book.chapters.order.recipes import ASKED
from attention_book.chapters.order.sentences import NAMES
from attention_book.chapters.order.widgets import EXCHANGED, SENTENCE, who


def chances(sentence):
    """Of each name, for each reader: (5, 8)."""
    widget = who(sentence)
    return widget.panels[0].fields["values"].at(widget.index)


def test_only_a_reader_without_positions_gives_one_answer_for_both_orders():
    first, second = chances(SENTENCE), chances(EXCHANGED)
    assert ASKED[0] == "none"
    np.testing.assert_allclose(first[0], second[0], atol=1e-5)
    assert 0.48 < first[0, :2].min() < first[0, :2].max() < 0.52
    assert (first[1:, NAMES.index("anna")] > 0.99).all()
    assert (second[1:, NAMES.index("ben")] > 0.99).all()


def test_whatever_the_names_it_is_right_in_one_order_of_two():
    """Of 56 pairs, here those of three names with each other and in both orders."""
    pairs = [*permutations(NAMES[:3], 2)]
    said = [chances(f"today {a} often calls {b}").argmax(axis=1) for a, b in pairs]
    right = np.array(said) == [[NAMES.index(a)] for a, _ in pairs]
    assert right.sum(axis=0).tolist() == [3, 6, 6, 6, 6]


def test_in_a_longer_sentence_two_kinds_name_the_second_and_two_the_first():
    best = chances("now " * 14 + "dora helps soon emil").argmax(axis=1)
    said = [NAMES[each] for each in best]
    expected = {"sine": "emil", "learned": "emil", "relative": "dora", "rotary": "dora"}
    assert dict(zip(ASKED[1:], said[1:], strict=True)) == expected
