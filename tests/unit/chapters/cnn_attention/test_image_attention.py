"""ImageAttention says of each cell where it looks, what it lies on and what is said."""

import numpy as np
import pytest

from attention_book.chapters.cnn_attention.image_attention import (
    KeyScene,
    image_attention,
)

A = np.full((6, 6), 1 / 6)
A[5] = 0.5, 0.1, 0.3, 0.1, 0, 0
ASKED = np.array([[0, 0, 1], [0, 0, 1]], dtype=bool)
GOOD = {
    "image": np.linspace(0, 1, 96).reshape(8, 12),
    "boxes": np.array([(0, 0, 4, 6), (0, 8, 8, 4)]),
    "names": ["one", "seven"],
    "key": 0,
    "answer": "one",
    "asked": ASKED,
    "A": A,
    "said": {"attention": ["one"] * 6, "a convolution": ["none"] * 5 + ["one"]},
}


def made(**rest):
    scene = KeyScene(**GOOD | rest)
    return image_attention({"first": scene}, start_scene="first", start_cell=(2, 3))


def test_shares_count_the_part_of_a_cell_that_a_box_covers():
    scene = KeyScene(**GOOD)
    np.testing.assert_array_equal(
        scene.covers(), [[1, 0.5, 0, 0, 0, 0], [0, 0, 1, 0, 0, 1]]
    )
    np.testing.assert_allclose(scene.shares()[5], [0.5 + 0.1 / 2, 0.3], atol=1e-12)
    assert scene.labels()[5] == ["one 0.55", "seven 0.30"]
    assert scene.looks()[5] == (
        "It looks 0.55 at the key, 0.30 at the other digits, 0.15 beside them."
    )


def test_a_cell_on_a_digit_is_judged_by_the_key_and_no_other_is():
    said = KeyScene(**GOOD).verdicts()
    assert said[2] == (
        "The orange cell lies on the seven. Which key is there? Right is one. With "
        "attention it says one, right. With a convolution it says none, wrong."
    )
    assert said[5].endswith("With a convolution it says one, right.")
    assert said[0] == "The orange cell lies on the key and is not asked."
    assert said[4] == "The orange cell lies beside the digits and is not asked."


def test_without_a_key_nothing_is_lit_and_none_is_right():
    asked = np.array([[1, 0, 1], [0, 0, 1]], dtype=bool)
    names = ["six", "seven"]
    rest = {"key": None, "answer": "none", "asked": asked, "names": names}
    scene = KeyScene(**GOOD | rest)
    assert scene.looks()[5] == "It looks 0.85 at the digits, 0.15 beside them."
    assert "lies on the six." in scene.verdicts()[0]
    assert scene.verdicts()[0].endswith(
        "Right is none. With attention it says one, wrong. With a convolution it says "
        "none, right."
    )
    assert scene.verdicts()[1].endswith("lies beside the digits and is not asked.")
    widget = made(**rest)
    assert widget.panels[0].fields["lit"].at(widget.index) == -1


def test_it_opens_where_it_is_told_and_follows_the_cell():
    widget = made()
    assert widget.setting == {"scene": "first", "cell": "2, 3"}
    mask, verdict = widget.panels
    np.testing.assert_array_equal(
        mask.fields["values"].at(widget.index), A[5].reshape(2, 3)
    )
    assert mask.fields["lit"].at(widget.index) == 0
    widget.setting = {"cell": "1, 1"}
    assert mask.fields["names"].at(widget.index) == ["one 0.25", "seven 0.33"]
    assert verdict.fields["text"].at(widget.index).startswith("The orange cell lies on")


def test_weights_in_half_precision_are_weights():
    half = KeyScene(**GOOD | {"A": A.astype(np.float16)})
    assert half.looks()[5] == KeyScene(**GOOD).looks()[5]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"image": GOOD["image"][:7]}, "image is 7 × 12 pixels but asked has 2 × 3"),
        ({"A": A[:5]}, r"A has shape \(5, 6\) but cells × cells is \(6, 6\)"),
        ({"A": A * 2}, "A has a row that sums to 2.000"),
        ({"names": ["one"]}, r"boxes has shape \(2, 4\) but names × 4 is \(1, 4\)"),
        (
            {"said": {"attention": ["one"]}},
            "with attention 1 words are said, but there are 6 cells",
        ),
    ],
)
def test_a_scene_that_does_not_fit_together_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        KeyScene(**GOOD | change)


def test_a_start_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="scenes is empty"):
        image_attention({}, start_scene="first", start_cell=(1, 1))
    with pytest.raises(ValueError, match="default '3, 1' is not among"):
        image_attention(
            {"first": KeyScene(**GOOD)}, start_scene="first", start_cell=(3, 1)
        )
