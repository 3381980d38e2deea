"""The drawing of one attention step: its labels, its opacities, inside its axes."""

import matplotlib as mpl
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book.plots import attention_step, diagrams

SOURCE, WEIGHTS = ["we", "are", "eating", "bread"], [0.5, 0.3, 0.15, 0.05]


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def drawn(source=SOURCE, weights=WEIGHTS, **change):
    return attention_step(
        source, weights, **{"read": "[START]", "written": "estamos"} | change
    )


def test_it_names_what_asks_what_is_asked_and_what_comes_out_in_their_colours():
    colours = {text.get_text(): text.get_color() for text in drawn().texts}
    assert colours["$s$"] == diagrams.ASKS
    assert colours["$h_1$"] == colours["$h_T$"] == diagrams.ASKED
    assert colours["$c_t$"] == diagrams.OUT
    assert {*SOURCE, "[START]", "estamos", "$e_t$", "$a_t$"} < set(colours)
    assert len([text for text in colours if text]) <= 12


def test_a_weight_is_the_opacity_of_its_line_to_the_context():
    lines = [line for line in drawn().lines if line.get_color() == diagrams.OUT]
    opacities = [line.get_alpha() for line in lines]
    assert opacities == sorted(opacities, reverse=True)
    assert opacities[0] == 1.0
    assert opacities[1] == pytest.approx(0.6)


def test_everything_lies_inside_its_axes():
    ax = drawn()
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for text in ax.texts:
        box = text.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, text.get_text()
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, text.get_text()
    assert all(patch.get_bbox().x1 <= ax.get_xlim()[1] for patch in ax.patches)


def test_it_is_drawn_where_it_is_told():
    _, ax = plt.subplots()
    assert drawn(ax=ax) is ax


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": [], "weights": []}, "is empty, expected at least one word"),
        ({"weights": [0.5, 0.5]}, "weights has 2 numbers, expected 4"),
        ({"weights": [1.0, 0.0, 0.0, 0.0]}, "expected positive numbers that sum to 1"),
        ({"weights": [1.0, 1.0, 1.0, 1.0]}, "expected positive numbers that sum to 1"),
    ],
)
def test_what_cannot_be_drawn_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        drawn(**change)
