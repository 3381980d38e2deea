"""The chapter's widget opens where its point is seen, with the recorded networks."""

import re

import numpy as np
import pytest

from attention_book.chapters.cnn_attention.widgets import (
    image_attention,
    move_the_key,
)


def test_it_opens_far_from_a_key_that_attention_finds_and_the_convolution_does_not():
    widget = image_attention()
    assert len(widget.controls[0].values) == 6
    said = widget.static_text()[-1]
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
        assert "The orange cell lies on the" in widget.static_text()[-1]


@pytest.mark.parametrize(
    ("key", "attention", "convolution"),
    [
        ("_1.2.22", "one", "none"),
        ("_1.2.18", "one", "none"),
        ("_1.2.17", "one", "one"),
        ("_0.2.22", "zero", "none"),
        ("", "none", "none"),
        ("_-10.100.38.100", "one", "none"),
        ("_1.2.22_0.22.3", "one", "none"),
    ],
)
def test_the_answer_comes_from_the_key_with_attention_and_nearby_with_a_convolution(
    key, attention, convolution
):
    widget = move_the_key(f"5.2.3_8.22.21{key}")
    bars = widget.panels[1].fields
    chances = np.reshape(bars["values"].at(widget.index), (2, 3))
    labels = np.reshape(bars["labels"].at(widget.index), (2, 3))
    said = [
        row[k].split(": ")[1] for row, k in zip(labels, chances.argmax(1), strict=True)
    ]
    assert said == [attention, convolution]
