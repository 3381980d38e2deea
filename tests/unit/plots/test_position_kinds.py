"""The drawing of positions: what is added where, in whose colour, inside its axes."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Arc, Rectangle

from attention_book.plots import INK, diagrams, position_kinds


@pytest.fixture
def ax():
    yield position_kinds()
    plt.close("all")


def cells(ax, colour, panel):
    """Lower left corners and opacities of the cells of one colour in one panel."""
    low, high = 2.55 * panel - 0.7, 2.55 * panel + 1.6
    return [
        (round(each.get_x(), 3), round(each.get_y(), 3), each.get_alpha())
        for each in ax.patches
        if isinstance(each, Rectangle)
        and each.get_alpha()
        and low < each.get_x() < high
        if mpl.colors.to_hex(each.get_fc()) == mpl.colors.to_hex(colour)
    ]


def test_it_names_the_kinds_and_what_is_compared_in_its_colours(ax):
    labels = {text.get_text(): text.get_color() for text in ax.texts}
    assert {"sine, learned", "beside", "relative", "rotary"} < set(labels)
    assert labels["$X$"] == labels["$k_2$"] == diagrams.ASKED
    assert labels["$q_1$"] == diagrams.ASKS
    assert labels["$P$"] == labels["$b$"] == INK
    assert len([name for name in labels if name]) <= 12


def test_positions_stand_under_each_word_and_touch_it_only_beside(ax):
    for panel, gap in ((0, 0.3), (1, 0.0)):
        words, places = (cells(ax, each, panel) for each in (diagrams.ASKED, INK))
        assert len(words) == len(places) == 12
        assert {x for x, *_ in words} == {x for x, *_ in places}
        top = max(y for _, y, _ in places) + 0.2
        assert min(y for _, y, _ in words) - top == pytest.approx(gap, abs=0.01)


def test_the_relative_number_is_that_of_the_distance(ax):
    grid = sorted(cells(ax, INK, 2), key=lambda cell: (-cell[1], cell[0]))
    numbers = np.reshape([alpha for *_, alpha in grid], (3, 3))
    for distance in range(-2, 3):
        assert len({*np.diagonal(numbers, distance)}) == 1
    assert len({*numbers.flat}) == 5


def test_the_later_key_is_turned_further(ax):
    turns = sorted(arc.theta2 - arc.theta1 for arc in ax.patches if type(arc) is Arc)
    assert turns == [50, 100]


def test_everything_lies_inside_its_axes(ax):
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for text in ax.texts:
        box = text.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, text.get_text()
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, text.get_text()


def test_it_is_drawn_where_it_is_told():
    _, given = plt.subplots()
    assert position_kinds(given) is given
    plt.close("all")
