"""Where looks go wrong, by the solutions of chapter 2 that no check covers."""

import numpy as np
import pytest

from attention_book.chapters.attention.solutions import (
    right_by_sureness,
    sure_and_right,
    wrong_by_word,
    wrong_links,
)
from attention_book.data import Pair
from attention_book.runs import SentenceAttention


def test_how_sure_a_look_is_and_whether_it_is_right():
    A = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.8, 0.1]])
    gold = {(0, 0), (1, 0), (0, 1)}  # the third word has none
    sure, right = sure_and_right(A, gold)
    assert sure.tolist() == [0.6, 0.5]
    assert right.tolist() == [True, False]


def at(*inputs, N_X=4):
    """Weights of which row j is at one input."""
    return np.eye(N_X)[list(inputs)]


def test_who_looks_elsewhere_is_named_with_what_it_looks_at():
    A = at(1, 2, 4, 0, N_X=5)  # only "chat" looks where it should
    look = SentenceAttention(
        source=("the", "big", "cat", "sleeps", "[STOP]"),
        target=("le", "chat", "dort", "[STOP]"),
        alignment=frozenset({(0, 0), (2, 1), (3, 2)}),
        e=A,
        A=A,
        h=A.T,
        said=(),
    )
    assert wrong_links(look) == [("le", "big"), ("dort", "[STOP]")]


def test_looks_are_sorted_by_their_largest_weight_an_edge_to_the_sort_above():
    sure = np.array([0.3, 0.7, 0.89, 0.95, 0.99, 1.0, 1.0 + 1e-7])
    right = np.array([False, True, False, True, True, True, False])
    assert right_by_sureness(sure, right) == {
        "0.00-0.70": {"words": 1, "right": 0},
        "0.70-0.90": {"words": 2, "right": 0.5},
        "0.90-0.99": {"words": 1, "right": 1},
        "0.99-1.00": {"words": 3, "right": pytest.approx(2 / 3)},
    }
    # a sort without looks is left out
    alone = right_by_sureness(sure[:1], right[:1], edges=(0, 0.5, 1))
    assert alone == {"0.00-0.50": {"words": 1, "right": 0}}


def test_the_words_looked_up_wrong_most_come_first():
    parce_que = frozenset({(1, 0), (1, 1), (2, 3)})  # no link for the third word
    pair = Pair(tuple("abc"), ("parce", "que", "il", "va"), parce_que)
    read = [at(1, 2, 0, 2), at(1, 0, 0, 2), at(0, 2, 0, 2)]
    assert wrong_by_word(read, [pair] * 3) == {
        "que": {"wrong": 3, "of": 3, "one word too far": 2},
        "parce": {"wrong": 1, "of": 3, "one word too far": 0},
        "va": {"wrong": 0, "of": 3, "one word too far": 0},
    }
    assert list(wrong_by_word(read, [pair] * 3, N_words=1)) == ["que"]


def test_the_next_word_is_too_far_only_beyond_the_last_gold_one():
    pair = Pair(tuple("abc"), ("x", "x"), frozenset({(0, 0), (1, 0), (0, 1), (2, 1)}))
    x = wrong_by_word([at(1, 1)], [pair])["x"]  # the second stands between its links
    assert x == {"wrong": 1, "of": 2, "one word too far": 0}
