"""A picture may stand alone, without weights, and halves share a line of a phone."""

import numpy as np
import pytest

from attention_book.widgets import Widget, arcs, picture
from attention_book.widgets.pictures import KEY

IMAGE = np.linspace(0, 1, 64).reshape(8, 8)


def made(panel):
    return Widget("Pictures", panels=[panel])


def test_a_picture_without_weights_says_what_it_shows_and_has_no_key():
    alone, weighted = (
        made(picture(IMAGE, values, "A slope.")) for values in (None, [[0.2]])
    )
    assert alone.static_text()[-1].endswith("A slope.")
    assert weighted.static_text()[-1].endswith(
        "0.20 to row 1, column 1, the most of all."
    )
    heights = (each.panels[0].heights() for each in (weighted, alone))
    assert np.subtract(*heights).tolist() == [KEY, KEY]


@pytest.mark.parametrize(
    ("half", "pair"), [(False, False), (True, False), ("always", True)]
)
def test_halves_are_a_pair_on_a_phone_if_they_always_are(half, pair):
    widget = made(arcs(["a"], ["b"], [[0.5]], axes=("one", "other"), half=half))
    assert widget.panels[0].pair is pair
    assert widget.spec["panels"][0]["pair"] is pair
