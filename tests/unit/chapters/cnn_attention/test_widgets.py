"""The chapter's widget opens where its point is seen, with the recorded networks."""

import re

import numpy as np

from attention_book.chapters.cnn_attention.widgets import image_attention


def test_it_opens_far_from_a_key_that_attention_finds_and_the_convolution_does_not():
    widget = image_attention()
    assert len(widget.controls[0].values) == 6
    said = widget.still()[-1]
    assert re.search(r"With attention it says (\w+), right", said)
    assert said.endswith("wrong.")
    mask = widget.panels[0].fields
    shares = [float(name.split()[-1]) for name in mask["names"].at(widget.index)]
    assert shares[int(mask["lit"].at(widget.index))] > 0.5
    row, column = np.array(widget.setting["cell"].split(", "), dtype=int)
    top, left, height, width = mask["boxes"].at(widget.index)[
        int(mask["lit"].at(widget.index))
    ]
    away = np.abs([4 * row - 2 - top - height / 2, 4 * column - 2 - left - width / 2])
    assert away.max() > 13, "beyond what a cell sees without attention"


def test_whoever_changes_the_scene_finds_the_cell_on_a_digit_again():
    widget = image_attention()
    for scene in widget.controls[0].values:
        widget.setting = widget.setting | {"scene": scene}
        assert "The orange cell lies on the" in widget.still()[-1]
