"""The pointing game: on cases worked by hand, and against a loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_book.metrics import (
    cells_inside,
    pointing_chance,
    pointing_elsewhere,
    pointing_game,
)

CENTRES = np.array(
    [(y, x) for y in (2.0, 6.0, 10.0) for x in (2.0, 6.0)]
)  # 3 by 2 cells of 4 pixels
LEFT, RIGHT, LOW = (0, 0, 8, 4), (0, 4, 8, 4), (8, 0, 4, 8)


def looking_at(*cells):
    A = np.full((len(cells), len(CENTRES)), 0.1)
    A[np.arange(len(cells)), cells] = 0.5
    return A


@pytest.mark.parametrize(
    ("cells", "boxes", "margin", "share"),
    [
        ([0, 2], [LEFT, LEFT], 0, 1.0),
        ([1, 3, 4, 0], [LEFT] * 4, 0, 0.25),
        ([0, 0], [LEFT, RIGHT], 0, 0.5),
        ([4, 4, 4], [LEFT, RIGHT, LOW], 0, 1 / 3),
        ([1], [LEFT], 2, 0.0),  # x = 6 is not below 4 + 2
        ([1], [LEFT], 2.5, 1.0),
        ([1], [(0, 8, 4, 4)], 2, 1.0),  # x = 6 is at 8 - 2
        ([4], [LEFT], 2, 0.0),
        ([4], [LEFT], 3, 1.0),
    ],
)
def test_the_share_of_rows_whose_strongest_cell_is_in_the_box(
    cells, boxes, margin, share
):
    assert pointing_game(
        looking_at(*cells), CENTRES, np.array(boxes), margin
    ) == pytest.approx(share)


def test_boxes_grow_only_when_told():
    A, beside = looking_at(1), [(0, 7, 4, 1)]  # x = 6 is at 7 - 1
    assert pointing_game(A, CENTRES, beside) == 0
    assert pointing_chance(CENTRES, beside) == 0
    assert pointing_elsewhere(A, CENTRES, [LOW], [beside]) == 0
    assert not cells_inside(CENTRES, beside).any()


boxes_strategy = st.tuples(
    st.integers(-2, 10), st.integers(-2, 8), st.integers(1, 9), st.integers(1, 9)
)
rows_strategy = st.lists(
    st.tuples(
        st.lists(
            st.integers(0, 4), min_size=6, max_size=6
        ),  # few values, so that cells are often equally strong
        boxes_strategy,
        st.lists(boxes_strategy, max_size=3),
    ),
    min_size=1,
    max_size=5,
)


def holds(box, centre, margin):
    (top, left, height, width), (y, x) = box, centre
    return (
        top - margin <= y < top + height + margin
        and left - margin <= x < left + width + margin
    )


@settings(max_examples=150)
@given(rows_strategy, st.integers(0, 4))
def test_scores_agree_with_a_loop(rows, margin):
    hits, elsewhere, chance = [], [], []
    for weights, box, others in rows:
        strongest = [i for i in range(6) if weights[i] == max(weights)]
        own = [holds(box, centre, margin) for centre in CENTRES]
        other = [
            any(holds(one, centre, margin) for one in others) for centre in CENTRES
        ]
        hits.append(np.mean([own[i] for i in strongest]))
        elsewhere.append(np.mean([other[i] and not own[i] for i in strongest]))
        chance.append(np.mean(own))
    A, boxes = (
        np.array([row[0] for row in rows], dtype=float),
        np.array([row[1] for row in rows]),
    )
    others = [row[2] for row in rows]
    assert pointing_game(A, CENTRES, boxes, margin) == pytest.approx(np.mean(hits))
    assert pointing_elsewhere(A, CENTRES, boxes, others, margin) == pytest.approx(
        np.mean(elsewhere)
    )
    assert pointing_chance(CENTRES, boxes, margin) == pytest.approx(np.mean(chance))
    assert pointing_game(np.ones_like(A), CENTRES, boxes, margin) == pytest.approx(
        np.mean(chance)
    )


A_OK, NAN = looking_at(0, 1), np.full((2, 6), np.nan)


TWO = [LEFT, LEFT]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (lambda: pointing_game(A_OK[:, :5], CENTRES, TWO), r"A has .*= \(N_rows, 6\)"),
        (lambda: pointing_game(A_OK[:0], CENTRES, []), r"shape \(0, 6\), .* not empty"),
        (lambda: pointing_game(NAN, CENTRES, TWO), "A holds NaN"),
        (lambda: pointing_game(A_OK, CENTRES.T, TWO), r"centres has shape \(2, 6\)"),
        (
            lambda: pointing_game(A_OK, CENTRES * np.inf, TWO),
            "centres holds NaN",
        ),
        (
            lambda: pointing_game(A_OK, CENTRES, [LEFT]),
            r"boxes has shape \(1, 4\)",
        ),
        (lambda: pointing_chance(CENTRES, []), r"boxes has shape \(0,\)"),
        (lambda: pointing_chance(CENTRES, [(0, 0, 4, 0)]), "without height or width"),
        (lambda: pointing_chance(CENTRES, [(0, 0, 0, 4)]), "without height or width"),
        (lambda: pointing_game(A_OK, CENTRES, TWO, -1), "margin is -1"),
        (lambda: pointing_chance(CENTRES, [LEFT], np.nan), "margin is nan"),
        (
            lambda: pointing_elsewhere(A_OK, CENTRES, TWO, [[RIGHT]]),
            "rows_of_A is 2 but rows_of_others is 1",
        ),
        (
            lambda: pointing_elsewhere(A_OK, CENTRES, TWO, [[RIGHT], [(0, 0, 1)]]),
            r"others\[1\] has shape",
        ),
    ],
)
def test_bad_input_to_the_pointing_game_is_named(as_a_reader, bad, says):
    with pytest.raises(ValueError, match=says):
        bad()
