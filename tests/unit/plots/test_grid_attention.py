"""The drawing of attention in a grid: its labels, its weights, its way around."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from attention_book.plots import diagrams, grid_attention

WEIGHTS = np.array([[0.05, 0.5, 0.15], [0.1, 0.08, 0.12]])
ASKS = (1, 2)


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture
def ax():
    return grid_attention(WEIGHTS, ASKS)


def test_every_symbol_has_the_colour_of_its_part(ax):
    named = {text.get_text(): text.get_color() for text in ax.texts if text.get_text()}
    assert named["$q_i$"] == named["$W_Q$"] == diagrams.ASKS
    assert {named[name] for name in ("$K$", "$W_K$", "$A_i$")} == {diagrams.ASKED}
    assert named["$V$"] == named["$W_V$"] == diagrams.TAKEN
    assert named["$y_i$"] == named["$W_O$, gate"] == diagrams.OUT
    assert len(named) <= 12


def test_a_weight_is_the_opacity_of_its_cell(ax):
    cells = [p for p in ax.patches if getattr(p, "get_fill", bool)() and cell(p)]
    mixed = [p.get_alpha() for p in cells if 3.2 < p.get_x() < 4.8 and p.get_y() > 2]
    assert mixed == pytest.approx((WEIGHTS / 0.5).ravel())


def cell(patch):
    return getattr(patch, "get_height", float)() == pytest.approx(1.5 / 2)


def test_the_cell_that_asks_is_outlined_in_the_grid_and_among_the_weights(ax):
    outlined = [p for p in ax.patches if p.get_linewidth() == 2]
    assert [(p.get_x(), p.get_y()) for p in outlined] == [
        pytest.approx((3.25 + 2 * 0.5, y)) for y in (0, 2.5)
    ]


def test_the_way_around_is_marked_and_ends_at_the_plus(ax):
    (pen,) = [line for line in ax.lines if line.get_linewidth() > 10]
    (plus,) = [text for text in ax.texts if text.get_text() == "+"]
    assert pen.get_ydata()[-1] == plus.get_position()[1]


def test_nothing_lies_outside_the_axes(ax):
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for part in [*ax.texts, *ax.patches, *ax.lines]:
        box = part.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, part
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, part


def test_it_is_drawn_where_it_is_told():
    _, ax = plt.subplots()
    assert grid_attention(WEIGHTS, ASKS, ax) is ax


@pytest.mark.parametrize(
    ("weights", "asks", "says"),
    [
        (WEIGHTS[0], (0, 0), "N_rows, N_columns"),
        (2 * WEIGHTS, ASKS, "sum 2.000"),
        (-WEIGHTS, ASKS, "at least 0"),
        (np.where(WEIGHTS < 0.06, np.nan, WEIGHTS), ASKS, "at least 0"),
        (WEIGHTS, (2, 0), r"asks is \(2, 0\)"),
        (WEIGHTS, (1, 2, 0), r"asks is \(1, 2, 0\), expected a cell of \(2, 3\)"),
    ],
)
def test_what_cannot_be_drawn_is_named(as_a_reader, weights, asks, says):
    with pytest.raises(ValueError, match=says):
        grid_attention(weights, asks)
