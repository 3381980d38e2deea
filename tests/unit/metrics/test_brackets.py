"""Labelled brackets, beside nltk's precision and recall."""

from random import Random

import pytest
from nltk.metrics import f_measure, precision, recall

from attention_book.metrics import bracket_scores

GOLD = [("NP", 0, 1), ("NP", 2, 4), ("VP", 1, 4), ("S", 0, 4)]


def test_they_are_those_of_sets_over_all_sentences(as_a_reader):
    """nltk knows sets: the sentence's number is in each phrase."""
    rng = Random(3)

    def phrases(N):
        return {(rng.choice("AB"), rng.randrange(2), 3 + k) for k in range(N)}

    said, gold = ([phrases(rng.randint(1, 9)) for _ in range(60)] for _ in range(2))
    ours = bracket_scores(said, gold)
    both = [
        {(i, *p) for i, some in enumerate(each) for p in some} for each in (gold, said)
    ]
    assert 0.1 < ours["f1"] < 0.9
    assert ours["precision"] == pytest.approx(precision(*both))
    assert ours["recall"] == pytest.approx(recall(*both))
    assert ours["f1"] == pytest.approx(f_measure(*both))


def test_a_phrase_said_twice_is_right_once():
    scores = bracket_scores([[*GOLD, GOLD[0]]], [GOLD])
    assert scores == {"precision": 0.8, "recall": 1.0, "f1": pytest.approx(8 / 9)}


def test_what_is_no_tree_says_nothing_and_stays_in_the_count():
    scores = bracket_scores([GOLD, None], [GOLD, GOLD])
    assert scores == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)}
    none = bracket_scores([None], [GOLD])
    assert none == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


@pytest.mark.parametrize(
    ("said", "gold", "says"),
    [
        ([], [], "gold is empty"),
        ([GOLD], [GOLD, GOLD], "said is 1"),
        ([GOLD], [[]], r"gold\[0\] is empty"),
    ],
)
def test_bad_input_is_named(as_a_reader, said, gold, says):
    with pytest.raises(ValueError, match=says):
        bracket_scores(said, gold)
