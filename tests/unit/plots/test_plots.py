"""Figures take arrays, draw what they were given, and name what they cannot use."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book import plots
from attention_book.plots import heat_maps, style

FIGURES = np.array([[0.9, 0.5, 0.1], [1.0, 0.7, 0.0]])  # 2 seeds, 3 points


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def draw(series, x=("3-6", "7-9", "10-12"), **change):
    return plots.bands(x, series, x_label="words", y_label="exact match", **change)


def test_the_style_and_the_heat_map_have_the_colours_of_the_palette():
    cycle = mpl.rc_params_from_file(style.STYLE)["axes.prop_cycle"]
    assert tuple(each["color"] for each in cycle) == style.PALETTE
    assert mpl.colors.to_hex(heat_maps.WEIGHT(1.0)) == style.PALETTE[0]


def test_a_band_shows_the_mean_and_the_range_of_the_seeds():
    ax = draw({"fixed": FIGURES})
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [0.95, 0.6, 0.05])
    ticks = [tick.get_text() for tick in ax.get_xticklabels()]
    assert ticks == ["3-6", "7-9", "10-12"]
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert heights.min() == 0.0
    assert heights.max() == 1.0


def test_series_differ_by_more_than_colour():
    ax = draw({"one": FIGURES, "two": FIGURES / 2}, x=(5, 10, 60))
    assert list(ax.lines[0].get_xdata()) == [5, 10, 60]
    first, second = ax.lines
    assert first.get_marker() != second.get_marker()
    assert first.get_linestyle() != second.get_linestyle()


@pytest.mark.parametrize("figures", [FIGURES[0], FIGURES[:, :2], FIGURES * np.nan])
@pytest.mark.usefixtures("as_a_reader")
def test_a_series_of_the_wrong_shape_or_without_figures_is_named(figures):
    with pytest.raises(ValueError, match="series 'fixed'"):
        draw({"fixed": figures})


A = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]])
WORDS, INPUTS = ["nous", "mangeons"], ["we", "are", "eating"]


def test_a_map_has_rows_for_what_is_written_and_columns_for_the_inputs():
    ax = plots.attention_map(A, WORDS, INPUTS)
    assert [label.get_text() for label in ax.get_yticklabels()] == WORDS
    assert [label.get_text() for label in ax.get_xticklabels()] == INPUTS
    np.testing.assert_allclose(ax.collections[0].get_array().reshape(A.shape), A)
    assert ax.collections[0].get_clim() == (0, 1)
    assert ax.yaxis_inverted(), "the first word that is written stands on top"


def test_no_grid_runs_through_the_cells_of_a_map():
    with plt.rc_context({"axes.grid": True}):
        ax = plots.attention_map(A, WORDS, INPUTS)
    ax.figure.canvas.draw()
    lines = [*ax.get_xgridlines(), *ax.get_ygridlines()]
    assert lines
    assert not any(line.get_visible() for line in lines)


def test_a_gold_link_is_outlined_at_its_input_and_its_word():
    (outline,) = plots.attention_map(A, WORDS, INPUTS, gold={(2, 1)}).patches
    assert outline.get_center() == pytest.approx((2.5, 1.5))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"A": A.T}, r"A has shape \(3, 2\), but rows × columns is 2 × 3"),
        ({"A": A - 0.5}, "outside"),
        ({"A": A * np.nan}, "outside"),
        ({"gold": {(3, 0)}}, r"gold holds the link \(3, 0\)"),
    ],
)
def test_a_map_that_cannot_be_drawn_is_named(as_a_reader, change, says):
    with pytest.raises(ValueError, match=says):
        plots.attention_map(**({"A": A, "rows": WORDS, "columns": INPUTS} | change))


IMAGE, MASKS = np.arange(16.0).reshape(4, 4) / 16, np.zeros((6, 2, 2))
MASKS[:, 1, 0] = 1


def test_masks_show_the_picture_once_per_word_coloured_where_the_weight_is():
    axes = plots.masks(IMAGE, MASKS, list("abcdef"))
    assert [ax.get_title() for ax in axes] == list("abcdef")
    (picture,) = axes[2].images
    red, _, blue = np.moveaxis(picture.get_array(), -1, 0)
    np.testing.assert_allclose(red[:2], 1 - IMAGE[:2])  # ink on paper
    np.testing.assert_allclose(red[2:, 2:], 1 - IMAGE[2:, 2:])
    np.testing.assert_allclose(blue[:2], 1 - IMAGE[:2])
    assert (blue > 2 * red)[2:, :2].all(), "the cell that has the weight"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"A": MASKS[0]}, r"A has shape \(2, 2\)"),
        ({"words": ["a"]}, "one mask for each of 1 words"),
        ({"words": [], "A": MASKS[:0]}, "0 words"),
        (
            {"image": IMAGE[:3]},
            r"image has shape \(3, 4\), expected a multiple of the cells \(2, 2\)",
        ),
    ],
)
def test_masks_that_cannot_be_drawn_are_named(as_a_reader, change, says):
    with pytest.raises(ValueError, match=says):
        plots.masks(**({"image": IMAGE, "A": MASKS, "words": list("abcdef")} | change))
