"""ImageAttention says of each cell where it looks, what it lies on and what is said."""

import numpy as np

from attention_book.chapters.cnn_attention.image_attention import (
    N_X,
    covers,
    furthest_from_key,
    image_attention,
    verdict,
    where,
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
    return image_attention((KEYED, KEYLESS), weights(), said)


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


def test_it_opens_at_a_cell_that_lies_on_a_digit_in_every_scene_if_there_is_one():
    assert furthest_from_key((KEYLESS, KEYED)) == (1, 54)
    assert made().setting == {"scene": "one, six, four", "cell": "7, 7"}
    elsewhere = compose([(7, 11, 10)], seed=0)
    assert furthest_from_key((elsewhere, KEYED)) == (1, 47)


def test_the_mask_the_shares_and_the_sentence_are_those_of_the_cell():
    widget = made()
    widget.setting = {"cell": "8, 8"}
    np.testing.assert_array_equal(
        shown(widget, "values"), weights()[0, ON_SIX].reshape(8, 8)
    )
    assert shown(widget, "names") == ["one 0.50", "six 0.12", "four 0.12"]
    assert shown(widget, "lit") == 0
    said = "It looks 0.50 at the key, 0.25 at the others, 0.25 beside them."
    at = widget.index[0] * N_X + ON_SIX
    assert widget.spec["summary"]["of"][at] == said
    widget.setting = {"scene": "seven, six"}
    assert shown(widget, "lit") == -1, "no key"
    said = "It looks 0.75 at the digits, 0.25 beside them."
    assert where(KEYLESS, np.array([0.25, 0.5])) == said


def test_only_cells_on_other_digits_are_judged():
    says = {
        cell: verdict(KEYED, cell, {"attention": "one", "nothing": "none"})
        for cell in (ON_KEY, ON_PAPER, ON_FOUR)
    }
    assert says[ON_KEY].endswith("lies on the key, so it is not asked.")
    assert says[ON_PAPER].endswith("lies beside the digits, so it is not asked.")
    assert says[ON_FOUR] == (
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
