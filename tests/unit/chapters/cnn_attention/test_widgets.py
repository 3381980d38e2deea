"""ImageAttention says of a cell where it looks, what it lies on and what is said; both
widgets open where their point is seen, with the recorded networks.
"""

import re

import numpy as np
import pytest

from attention_book.chapters.cnn_attention.scenes import covers
from attention_book.chapters.cnn_attention.widgets import (
    N_X,
    _looking,
    image_attention,
    move_the_key,
)
from attention_book.data import compose

KEYED = compose([(1, 0, 0), (6, 22, 24), (4, 0, 16)], seed=0)  # a one, a six, a four
KEYLESS = compose([(7, 0, 0), (6, 24, 20)], seed=0)
ON_KEY, ON_PAPER, ON_FOUR, ON_SIX = 0, 27, 4, 63
SAID = {"attention": np.full((2, N_X), "one"), "nothing": np.full((2, N_X), "none")}


def weights():
    A = np.full((2, N_X, N_X), 1 / N_X)
    A[0, ON_SIX] = 0
    A[0, ON_SIX, [ON_KEY, ON_FOUR, ON_PAPER, 46]] = 0.5, 0.125, 0.125, 0.25
    return A


def made(said=SAID):
    return _looking((KEYED, KEYLESS), weights(), said)


def shown(widget, name):
    return widget.panels[0].fields[name].at(widget.index)


def test_a_cell_counts_for_a_digit_by_the_part_that_its_box_covers():
    key, six, four = covers(KEYED)
    assert np.flatnonzero(key).tolist() == [0, 1, 8, 9]
    assert np.flatnonzero(four).tolist() == [4, 5, 12, 13]
    assert six.reshape(8, 8)[5:, 5:].tolist() == [
        [0, 0.5, 0.5],
        [0, 1, 1],
        [0, 0.5, 0.5],
    ]


def test_it_opens_far_from_a_key_at_a_cell_that_lies_on_a_digit_in_every_scene():
    assert made().setting == {"scene": "one, six, four", "cell": "7, 7"}


def test_the_mask_the_shares_and_the_sentence_are_those_of_the_cell():
    widget = made()
    widget.setting = {"cell": "8, 8"}
    np.testing.assert_array_equal(
        shown(widget, "values"), weights()[0, ON_SIX].reshape(8, 8)
    )
    assert shown(widget, "names") == ["one 0.50", "six 0.12", "four 0.12"]
    assert shown(widget, "lit") == 0
    looks = "It looks 0.50 at the key, 0.25 at the others, 0.25 beside them."
    assert widget.summary == looks
    widget.setting = {"scene": "seven, six", "cell": "1, 1"}
    assert shown(widget, "lit") == -1, "no key"
    # of 64 cells, 4 are covered by each digit
    assert widget.summary == "It looks 0.12 at the digits, 0.88 beside them."


def test_only_cells_on_other_digits_are_judged():
    on_key, on_paper, on_four = (
        made().panels[1].fields["text"].at([0, cell])
        for cell in (ON_KEY, ON_PAPER, ON_FOUR)
    )
    assert on_key.endswith("lies on the key, so it is not asked.")
    assert on_paper.endswith("lies beside the digits, so it is not asked.")
    assert on_four == (
        "The orange cell lies on the four. Which key is there? Right is one. With "
        "attention it says one, right. With nothing it says none, wrong."
    )


def test_what_is_said_is_taken_from_its_scene_and_cell():
    said = np.full((2, N_X), "none")
    said[0, ON_FOUR], said[1, 0] = "zero", "one"
    widget = made(said={"attention": said})
    for setting, word in (
        ({"cell": "1, 5"}, "zero"),
        ({"cell": "2, 5"}, "none"),
        ({"scene": "seven, six", "cell": "1, 1"}, "one"),
    ):
        widget.setting = setting
        assert widget.static_text()[-1].endswith(
            f"With attention it says {word}, wrong."
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
