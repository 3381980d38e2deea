"""The drawing from a picture to a word: its labels, and what is outlined."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from attention_book import plots
from attention_book.plots.picture_to_words import drawn

IMAGE = np.random.default_rng(0).random((32, 32))
WEIGHTS = np.full((8, 8), 0.5 / 63)
WEIGHTS[4, 2] = 0.5  # cell 34 of 64, from 0


def made(**rest):
    return plots.picture_to_words(IMAGE, WEIGHTS, read="a", written="three", **rest)


def test_it_names_the_vectors_of_its_cells_and_both_words():
    labels = [text.get_text() for text in made().texts if text.get_text().strip("…")]
    names = ["CNN", "$h_{1}$", "$h_{35}$", "$h_{64}$", "$a_t$", "$c_t$"]
    assert labels == [*names, "$s_{t-1}$", "$s_t$", "a", "three"]


def test_nothing_lies_outside_the_axes():
    ax = made()
    ax.figure.canvas.draw()
    frame = ax.get_window_extent()
    for text in ax.texts:
        box = text.get_window_extent()
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1 + 1
        assert frame.y0 <= box.y0
        assert box.y1 <= frame.y1 + 1


def test_the_cell_that_is_looked_at_most_is_outlined_in_picture_grid_and_row():
    gold = [
        patch
        for patch in made().patches
        if plt.matplotlib.colors.to_hex(patch.get_edgecolor()) == plots.PALETTE[4]
    ]
    assert len(gold) == 3
    tops = [patch.get_y() + patch.get_height() for patch in gold[:2]]
    assert tops == pytest.approx([2.3 * 4 / 8] * 2), "row 4 of 8, from above"


def test_a_weight_is_the_opacity_of_its_square():
    alphas = [p.get_alpha() for p in made().patches if p.get_height() == 0.4]
    assert alphas.count(1.0) == 1


@pytest.mark.parametrize("strongest", [0, 1, 4, 30, 62, 63])
def test_the_strongest_cell_has_a_column_wherever_it_lies(strongest):
    cells = drawn(64, strongest)
    assert strongest in cells
    assert cells[0] == 0
    assert cells[-1] == 63
    assert len(cells) == len(set(cells)) == 9


@pytest.mark.parametrize(
    ("image", "weights", "says"),
    [
        (IMAGE[0], WEIGHTS, "image has shape"),
        (IMAGE, WEIGHTS * 2, "the sum 2.000"),
        (IMAGE, np.full((2, 2), 0.25), "weights has 4 cells"),
    ],
)
@pytest.mark.usefixtures("as_a_reader")
def test_what_cannot_be_drawn_is_named(image, weights, says):
    with pytest.raises(ValueError, match=says):
        plots.picture_to_words(image, weights, read="a", written="three")
