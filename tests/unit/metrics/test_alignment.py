"""Alignment error rate and its kin, worked by hand and against brute force."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from sklearn.metrics import f1_score

from attention_book import data
from attention_book.data import Pair
from attention_book.metrics import (
    alignment_error_rate,
    alignment_figures,
    alignment_floor,
    gold_weights,
    link_offsets,
    links_above,
    strongest_link,
)

A = np.array(
    [[0.7, 0.2, 0.1, 0.0], [0.1, 0.4, 0.4, 0.1], [0.1, 0.1, 0.2, 0.6]]
)  # N_Y = 3, N_X = 4


def test_the_strongest_link_is_one_for_each_target_word_as_input_and_word():
    assert strongest_link(A) == {(0, 0), (1, 1), (3, 2)}


def test_looking_hardest_after_the_words_is_no_link():
    assert strongest_link(A, length=3) == {
        (0, 0),
        (1, 1),
    }  # and not (2, 2), the strongest among the words
    assert strongest_link(A, length=4) == strongest_link(A)


def test_links_above_a_threshold_are_many_or_none():
    assert links_above(A, 0.3) == {(0, 0), (1, 1), (2, 1), (3, 2)}
    assert links_above(A, 0.4) == {(0, 0), (3, 2)}  # strictly above
    assert links_above(A, 0.3, length=3) == {(0, 0), (1, 1), (2, 1)}
    assert links_above(A, 0.75) == frozenset()


def test_links_are_plain_ints_as_in_the_data():
    assert all(
        type(k) is int
        for links in (strongest_link(A), links_above(A, 0.3))
        for link in links
        for k in link
    )


@pytest.mark.parametrize(
    ("predicted", "gold", "rate"),
    [
        ([{(0, 0), (1, 1)}], [{(0, 0), (1, 1)}], 0.0),
        ([{(0, 1), (1, 0)}], [{(0, 0), (1, 1)}], 1.0),
        ([set()], [{(0, 0)}], 1.0),
        ([{(0, 0), (1, 1)}], [{(0, 0), (2, 1), (3, 1)}], 1 - 2 * 1 / 5),
        # pooled: 2 * (1 + 1) / (4 + 6), not the mean of the two rates
        (
            [{(0, 0), (1, 1)}, {(0, 0), (0, 1), (0, 2)}],
            [{(0, 0), (2, 1), (3, 1)}, {(0, 0), (1, 1), (2, 2)}],
            1 - 4 / 11,
        ),
    ],
)
def test_the_error_rate_is_och_and_neys(predicted, gold, rate):
    assert alignment_error_rate(predicted, gold) == pytest.approx(rate)


def test_the_error_rate_is_one_minus_the_f_measure_of_scikit_learn():
    rng = np.random.default_rng(0)
    said, right = rng.random((2, 5, 4)) < 0.4
    sets = [
        {(int(i), int(j)) for i, j in np.argwhere(links)} for links in (said, right)
    ]
    assert alignment_error_rate(sets[:1], sets[1:]) == pytest.approx(
        1 - f1_score(right.ravel(), said.ravel())
    )


def test_it_does_not_see_what_word_is_called_source():
    predicted, gold = [{(0, 0), (1, 1)}], [{(0, 0), (2, 1), (3, 1)}]
    turned = [[{(j, i) for i, j in links[0]}] for links in (predicted, gold)]
    assert alignment_error_rate(*turned) == alignment_error_rate(predicted, gold)


GOLDS = [
    {(0, 0), (1, 1)},
    {(0, 0), (1, 0), (2, 0), (1, 1)},
    {(2, 0), (1, 2), (0, 2)},  # word 1 has no link
    {(0, 0), (0, 1), (0, 2)},
]


def every_prediction(N_Y, N_X):
    """Each target word links to one source word or to none."""
    for choice in product([None, *range(N_X)], repeat=N_Y):
        yield {(i, j) for j, i in enumerate(choice) if i is not None}


@pytest.mark.parametrize("gold", GOLDS)
def test_the_floor_is_the_least_of_all_predictions(gold):
    rates = [alignment_error_rate([links], [gold]) for links in every_prediction(3, 3)]
    assert alignment_floor([gold]) == pytest.approx(min(rates))


def test_the_floor_is_pooled():
    two = [GOLDS[1], GOLDS[2]]
    rates = [
        alignment_error_rate(links, two)
        for links in product(every_prediction(3, 3), repeat=2)
    ]
    assert alignment_floor(two) == pytest.approx(min(rates))
    assert alignment_floor(two) == pytest.approx(1 - 2 * 4 / (4 + 7))


def test_attention_that_looks_evenly_at_gold_reaches_the_floor():
    attention = gold_weights(GOLDS[2], 3, 4, otherwise=3)
    assert alignment_error_rate(
        [strongest_link(attention, length=3)], [GOLDS[2]]
    ) == alignment_floor([GOLDS[2]])


def test_offsets_count_from_the_nearest_gold_link_to_the_right():
    gold = [{(0, 0), (1, 1), (4, 1)}, {(3, 0)}]
    assert link_offsets([{(1, 0), (3, 1)}, {(3, 0)}], gold) == pytest.approx(
        {-1: 1 / 3, 0: 1 / 3, 1: 1 / 3}
    )


def test_offsets_are_in_order_and_sum_to_1():
    rng = np.random.default_rng(1)
    predicted, gold = (
        [{(int(rng.integers(9)), j) for j in range(7)} for _ in range(5)]
        for _ in range(2)
    )
    offsets = link_offsets(predicted, gold)
    assert list(offsets) == sorted(offsets)
    assert sum(offsets.values()) == pytest.approx(1)


def test_a_link_halfway_counts_half_on_either_side():
    assert link_offsets([{(2, 0)}], [{(1, 0), (3, 0)}]) == {-1: 0.5, 1: 0.5}


def test_words_with_nothing_to_compare_have_no_offset():
    assert link_offsets([{(1, 0), (2, 1)}], [{(1, 0), (5, 2)}]) == {0: 1.0}


def test_attention_slipped_to_the_right_shows_at_offset_1():
    gold = {(j, j) for j in range(6)}
    slipped = gold_weights({(j + 1, j) for j in range(6)}, 6, 7)
    assert link_offsets([strongest_link(slipped)], [gold]) == {1: 1.0}


def test_gold_weights_are_spread_evenly_over_gold_links():
    weights = gold_weights({(0, 0), (2, 0), (1, 2)}, 4, 5, otherwise=4)
    assert weights.tolist() == [
        [0.5, 0, 0.5, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]


def test_links_read_back_from_gold_weights_are_the_gold_links():
    for gold in GOLDS:
        assert links_above(gold_weights(gold, 3, 4, otherwise=3), 0, length=3) == gold


def test_the_floor_of_a_sentence_comes_from_its_words_with_two_links():
    gold = data.classic("bread").alignment("en", "fr")
    linked = Counter(j for _, j in gold)
    assert alignment_floor([gold]) == pytest.approx(
        1 - 2 * len(linked) / (len(linked) + len(gold))
    )
    assert (
        alignment_floor(
            [pair.alignment for pair in data.sequences(lengths=[5], n=3, seed=0)]
        )
        == 0
    )


def test_the_figures_of_many_sentences_are_the_single_measures_together():
    gold = [{(0, 0), (1, 1), (2, 1)}, {(0, 0)}]
    wide = np.array([[0.1, 0.3, 0.6]])  # of one word that looks after its two inputs
    found = alignment_figures([A[:2], wide], gold, [4, 2])
    assert found == {
        "aer": 1 - 2 * 2 / (2 + 4),  # (0, 0), (1, 1); the second has no link
        "aer_many": 1 - 2 * 3 / (4 + 4),  # (2, 1) as well, and the wrong (1, 0)
        "floor": alignment_floor(gold),
        "mass": pytest.approx((0.7 + 0.8 + 0.1) / 3),
        "offsets": {"0": 0.6667, "2": 0.3333},
    }
    with pytest.raises(ValueError, match="argument 2 is longer"):
        alignment_figures([A[:2]], gold[:1], [4, 2])


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: strongest_link(A.T), ValueError, "A looks transposed"),
        (lambda: strongest_link(A * 2), ValueError, "row 0 of A sums to 2.000"),
        (lambda: strongest_link(A - 0.25), ValueError, "negative"),
        (lambda: strongest_link(np.full((2, 2), np.nan)), ValueError, "NaN"),
        (lambda: strongest_link(A[0]), ValueError, r"A has shape \(4,\)"),
        (lambda: strongest_link(A[:0]), ValueError, "not empty"),
        (
            lambda: strongest_link(A, length=5),
            ValueError,
            "length is 5, expected 1 to 4",
        ),
        (lambda: strongest_link(A, length=0), ValueError, "length is 0"),
        (lambda: links_above(A, 1.0), ValueError, "threshold is 1.0"),
        (lambda: links_above(A, -0.1), ValueError, "threshold is -0.1"),
        (
            lambda: alignment_error_rate([{(0, 0)}], []),
            ValueError,
            "1 predicted but 0 gold",
        ),
        (lambda: alignment_error_rate([set()], [set()]), ValueError, "no link at all"),
        (
            lambda: alignment_error_rate([{(0, 0)}], [Pair(("a",), ("b",)).alignment]),
            ValueError,
            "gold holds no link at all.*attention_entropy",
        ),
        (
            lambda: alignment_error_rate({(0, 0)}, [{(0, 0)}]),
            TypeError,
            "predicted must be a sequence",
        ),
        (
            lambda: alignment_error_rate([(0, 0)], [{(0, 0)}]),
            TypeError,
            "predicted must be a sequence",
        ),
        (lambda: alignment_floor({(0, 0)}), TypeError, "gold must be a sequence"),
        (lambda: alignment_floor([]), ValueError, "no link at all"),
        (
            lambda: link_offsets([{(0, 0)}], [{(0, 1)}]),
            ValueError,
            "no target word has both",
        ),
        (lambda: link_offsets([{(0, 0)}], []), ValueError, "1 predicted but 0 gold"),
        (
            lambda: gold_weights({(0, 0)}, 2, 3),
            ValueError,
            "target word 1 has no gold link",
        ),
        (
            lambda: gold_weights({(0, 0)}, 2, 3, otherwise=3),
            ValueError,
            "otherwise is 3",
        ),
        (
            lambda: gold_weights({(3, 0)}, 1, 3),
            ValueError,
            r"gold holds the link \(3, 0\)",
        ),
        (
            lambda: gold_weights({(0, -1)}, 1, 3),
            ValueError,
            r"gold holds the link \(0, -1\)",
        ),
        (lambda: gold_weights(set(), 0, 3), ValueError, "N_Y is 0"),
    ],
)
def test_bad_input_is_named(as_a_reader, call, error, says):
    with pytest.raises(error, match=says):
        call()
