"""Alignment error rate and its kin, worked by hand and against brute force."""

from itertools import product

import numpy as np
import pytest
from sklearn.metrics import f1_score

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


def test_the_strongest_link_of_a_word_is_none_if_it_is_after_the_words():
    assert strongest_link(A) == strongest_link(A, length=4) == {(0, 0), (1, 1), (3, 2)}
    assert strongest_link(A, length=3) == {(0, 0), (1, 1)}  # and not (2, 2)


def test_links_above_a_threshold_are_many_or_none():
    assert links_above(A, 0.3) == {(0, 0), (1, 1), (2, 1), (3, 2)}
    assert links_above(A, 0.4) == {(0, 0), (3, 2)}  # strictly above
    assert links_above(A, 0.3, length=3) == {(0, 0), (1, 1), (2, 1)}
    assert links_above(A, 0.75) == frozenset()


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


SOME = {(0, 0)}
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


@pytest.mark.parametrize(
    ("predicted", "gold", "offsets"),
    [
        (
            [{(1, 0), (3, 1)}, {(3, 0)}],
            [{(0, 0), (1, 1), (4, 1)}, {(3, 0)}],
            {-1: 1 / 3, 0: 1 / 3, 1: 1 / 3},
        ),
        (
            [{(2, 0), (0, 1)}],
            [{(1, 0), (3, 0), (0, 1)}],  # word 0 looks halfway
            {-1: 0.25, 0: 0.5, 1: 0.25},
        ),
        ([{(1, 0), (2, 1)}], [{(1, 0), (5, 2)}], {0: 1.0}),  # word 1 has no gold link
    ],
)
def test_offsets_count_from_the_nearest_gold_link(predicted, gold, offsets):
    found = link_offsets(predicted, gold)
    assert found == pytest.approx(offsets)
    assert list(found) == sorted(found)


def test_gold_weights_are_spread_evenly_over_gold_links():
    weights = gold_weights({(0, 0), (2, 0), (1, 2)}, 4, 5, otherwise=4)
    assert weights.tolist() == [
        [0.5, 0, 0.5, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 0, 1],
    ]


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
        (lambda: strongest_link(A, length=5), ValueError, "is 5, expected 1 to 4"),
        (lambda: links_above(A, 1.0), ValueError, "threshold is 1.0"),
        (
            lambda: alignment_error_rate([SOME], []),
            ValueError,
            "1 predicted but 0 gold",
        ),
        (lambda: alignment_error_rate([SOME], [set()]), ValueError, "no link at all"),
        (lambda: alignment_error_rate(SOME, [SOME]), TypeError, "must be a sequence"),
        (lambda: alignment_floor(SOME), TypeError, "gold must be a sequence"),
        (lambda: alignment_floor([]), ValueError, "no link at all"),
        (
            lambda: link_offsets([SOME], [{(0, 1)}]),
            ValueError,
            "no target word has both",
        ),
        (lambda: gold_weights(SOME, 2, 3), ValueError, "word 1 has no gold link"),
        (lambda: gold_weights(SOME, 2, 3, otherwise=3), ValueError, "otherwise is 3"),
        (lambda: gold_weights(SOME, 2, 3, otherwise=-1), ValueError, "otherwise is -1"),
        (lambda: gold_weights({(3, 0)}, 1, 3), ValueError, r"holds the link \(3, 0\)"),
        (lambda: gold_weights({(0, -1)}, 1, 3), ValueError, r"the link \(0, -1\)"),
        (lambda: gold_weights(set(), 0, 3), ValueError, "N_Y is 0"),
    ],
)
def test_bad_input_is_named(as_a_reader, call, error, says):
    with pytest.raises(error, match=says):
        call()
