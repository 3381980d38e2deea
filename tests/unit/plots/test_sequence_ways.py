"""The drawing of four ways: who is made from whom, and what is hatched."""

import matplotlib as mpl
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from attention_book.plots import sequence_ways
from attention_book.plots.diagrams import ASKED, OUT
from attention_book.plots.sequence_ways import ACROSS, DOWN, HIGH, REACH, STEP, N


@pytest.fixture
def ax():
    yield sequence_ways()
    plt.close("all")


def corner(way):
    place = list(REACH).index(way)
    return ACROSS * (place % 2), -DOWN * (place // 2)


def edges(ax, way):
    """(from, to, dark) as places 0 to N - 1; of edges inside a layer and between."""
    left, low = corner(way)
    found = {"up": set(), "along": set()}
    for each in ax.texts:
        if not hasattr(each, "arrow_patch"):
            continue
        (x, y), (to_x, to_y) = each.xyann, each.xy
        if not (left - 0.6 < x < left + N * STEP and low - 0.1 < y < low + HIGH + 0.1):
            continue
        kind = "along" if y == to_y else "up"
        ends = [round((at - left) / STEP) for at in (x, to_x)]
        found[kind].add((*ends, each.arrow_patch.get_alpha() == 1))
    return found


@pytest.mark.parametrize(
    ("way", "reach"),
    [("convolution, k = 3", 1), ("self-attention", N), ("restricted, r = 3", 2)],
)
def test_an_output_is_made_from_what_its_layer_reaches(ax, way, reach):
    found = edges(ax, way)
    assert not found["along"]
    assert found["up"] == {
        (j, i, i == N - 1) for i in range(N) for j in range(N) if abs(i - j) <= reach
    }


def test_a_recurrent_output_is_made_from_its_input_and_the_state_before(ax):
    found = edges(ax, "recurrent")
    assert found["up"] == {(i, i, True) for i in range(N)}
    assert found["along"] == {(i - 1, i, True) for i in range(1, N)}


@pytest.mark.parametrize(
    ("way", "hidden"),
    [
        ("recurrent", 0),
        ("convolution, k = 3", 3),
        ("self-attention", 0),
        ("restricted, r = 3", 2),
    ],
)
def test_inputs_that_the_last_output_does_not_see_are_hatched(ax, way, hidden):
    left, low = corner(way)
    hatched = [
        round((each.get_x() + 0.13 - left) / STEP)
        for each in ax.patches
        if isinstance(each, Rectangle) and each.get_hatch()
        if left - 0.2 < each.get_x() < left + N * STEP and abs(each.get_y() - low) < 0.4
    ]
    assert hatched == list(range(hidden))


def test_it_is_labelled_in_the_books_colours_inside_its_axes(ax):
    labels = [text for text in ax.texts if text.get_text()]
    assert len(labels) <= 12
    colours = {text.get_text(): text.get_color() for text in labels}
    assert {"$X$": ASKED, "$Y$": OUT}.items() <= colours.items()
    assert set(REACH) < set(colours)
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for text in labels:
        box = text.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, text.get_text()
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, text.get_text()


def test_it_is_drawn_where_it_is_told():
    _, given = plt.subplots()
    assert sequence_ways(given) is given
    plt.close("all")
