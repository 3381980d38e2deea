"""Masks, drawn: hatched where nothing may be seen."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book.plots import visible_squares

CAUSAL = np.tri(3, dtype=bool)
WIDE = np.array([[True, False, True, True], [False, True, True, True]])


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def test_a_square_is_hatched_where_the_mask_is_false():
    ax = visible_squares({"causal": CAUSAL})
    hatched = {
        (round(-p.get_y() - 0.45), round(p.get_x() + 0.45))
        for p in ax.patches
        if p.get_hatch()
    }
    assert hatched == {(0, 1), (0, 2), (1, 2)}
    assert sum(p.get_alpha() is not None for p in ax.patches) == 6


def test_masks_stand_side_by_side_under_their_names():
    ax = visible_squares({"causal": CAUSAL, "wide": WIDE})
    places = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert places["causal"] < 2.6 < places["wide"]
    assert len([p for p in ax.patches if p.get_hatch()]) == 3 + 2


@pytest.mark.parametrize(
    ("masks", "message"),
    [
        ({}, "masks"),
        ({"soft": CAUSAL.astype(float)}, "mask 'soft' has shape .* and type float64"),
        ({"row": CAUSAL[0]}, "mask 'row' has shape"),
    ],
)
def test_bad_input_is_named(as_a_reader, masks, message):
    with pytest.raises(ValueError, match=message):
        visible_squares(masks)
