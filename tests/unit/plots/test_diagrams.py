"""Drawings keep to the book's visual language, inside their axes, read on a phone."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book import plots
from attention_book.plots import diagrams

PHONE = 358  # pixels that a page of 390 leaves for a picture


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def words_of(ax):
    """The words of a drawing, row by row from below, each from left to right."""
    rows = {}
    for text in ax.texts:
        if text.get_text() and not text.get_text().startswith("$"):
            x, y = text.get_position()
            rows.setdefault(round(y, 1), []).append((x, text.get_text()))
    return [[word for _, word in sorted(rows[y])] for y in sorted(rows)]


def test_the_diagram_feeds_start_first_and_predicts_stop_last():
    ax = plots.encoder_decoder(["we", "are"], ["estamos"])
    assert words_of(ax) == [
        ["we", "are"],
        ["[START]", "estamos"],
        ["estamos", "[STOP]"],
    ]


def test_what_asks_is_orange_what_is_asked_blue_and_what_comes_out_violet():
    ax = plots.encoder_decoder(["we", "are"], ["estamos"])
    symbols = [text for text in ax.texts if text.get_text()[:1] == "$"]
    colours = {text.get_text()[1]: text.get_color() for text in symbols}
    assert colours["h"] == diagrams.ASKED == plots.PALETTE[0]
    assert colours["s"] == diagrams.ASKS == plots.PALETTE[1]
    assert colours["c"] == diagrams.OUT


def test_a_vector_is_a_column_of_cells_whose_opacity_is_their_weight():
    _, ax = plt.subplots()
    diagrams.column(ax, 1, 2, diagrams.TAKEN, (0.9, 0.1, 0.5), "$v$")
    cells = [patch for patch in ax.patches if patch.get_fill()]
    assert [cell.get_alpha() for cell in cells] == [0.9, 0.1, 0.5]
    heights = [cell.get_y() for cell in cells]
    assert heights == sorted(heights, reverse=True), "the first stands on top"
    assert np.mean(heights) + cells[0].get_height() / 2 == pytest.approx(2)


@pytest.mark.parametrize(
    "draw_it",
    [
        lambda: plots.encoder_decoder(list("abcd"), list("abc")),
        lambda: plots.encoder_decoder(["one"], list("abc")),
        plots.sequence_shapes,
        plots.gru_gates,
    ],
)
def test_a_drawing_keeps_inside_its_axes_and_is_read_on_a_phone(draw_it):
    plots.use_style()
    ax = draw_it()
    ax.figure.draw_without_rendering()
    frame = ax.figure.bbox
    for text in ax.texts:
        place = text.get_window_extent()
        assert frame.x0 <= place.x0 <= place.x1 <= frame.x1, text.get_text()
        assert frame.y0 <= place.y0 <= place.y1 <= frame.y1, text.get_text()
    wide = ax.figure.get_figwidth() * 72  # points
    sizes = [text.get_fontsize() for text in ax.texts if text.get_text()]
    assert min(sizes) * PHONE / wide >= 9
    symbols = {text.get_text() for text in ax.texts if text.get_text()[:1] == "$"}
    assert len(symbols) <= 12


def test_a_diagram_of_nothing_is_refused():
    with pytest.raises(ValueError, match="is empty, expected at least one word"):
        plots.encoder_decoder([], ["pan"])


def test_the_five_shapes_are_named():
    names = [
        text.get_text().split("\n")[0]
        for text in plots.sequence_shapes().texts
        if text.get_text()
    ]
    assert names == [
        "one to one",
        "one to many",
        "many to one",
        "many to many",
        "many to many",
    ]


def test_a_new_state_is_mixed_as_its_gates_say():
    z = (1, 0.25, 0)
    ax = plots.gru_gates(r=(0, 0.5, 1), z=z)
    mixed = [patch for patch in ax.patches if patch.get_fill()][-2 * len(z) :]
    old, new = mixed[::2], mixed[1::2]
    assert [cell.get_alpha() for cell in old] == list(z)
    assert [cell.get_alpha() for cell in new] == [1 - gate for gate in z]
    assert {cell.get_facecolor()[:3] for cell in old} == {
        mpl.colors.to_rgb(diagrams.ASKED)
    }
    assert {cell.get_facecolor()[:3] for cell in new} == {
        mpl.colors.to_rgb(diagrams.TAKEN)
    }


def test_gates_let_through_from_nothing_to_all():
    for r, z in [((0.5,), (0.5, 0.5)), ((0.5,), (1.5,)), ((-0.1,), (0.5,))]:
        with pytest.raises(ValueError, match="expected as many of each, 0 to 1"):
            plots.gru_gates(r, z)
