"""A sentence whose words look at one another: what fits together, and what is said."""

import numpy as np
import pytest

from attention_book.widgets import Widget, looks, slider, typed

WORDS, A = ["we", "eat", "soup"], np.array([[0.2, 0.7, 0.1], [0.1, 0, 0.9], [1, 0, 0]])
TYPED = typed("sentence", ["a", "b", "c", *WORDS], "we eat soup", tiles=False)


def made(**changed):
    given = {"words": WORDS, "values": A, "asks": ["eat"], "said": ["x", "y", "z"]}
    panel = looks(**given | {"presses": "sentence"} | changed)
    return Widget("t", controls=[TYPED, slider("step", [1])], panels=[panel])


def test_without_javascript_the_words_that_ask_are_told():
    assert made().static_text()[-1] == ("eat (y) attends 0.90 to soup.")
    assert made(asks=[], said=None).static_text()[-1].count(" attends ") == 3


def test_words_that_the_panel_shows_take_no_room_among_the_controls():
    shown = typed("sentence", ["a", "b", "c", *WORDS], "we eat soup")
    panel = looks(WORDS, A)
    bare, full = (Widget("t", controls=[c], panels=[panel]) for c in (TYPED, shown))
    assert bare.spec["height"][0] < full.spec["height"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": A[:2]}, r"values has shape \(2, 3\)"),
        ({"said": ["x"]}, "said has 1 entries but there are 3 words"),
        ({"shown": [1, 0]}, "shown has 2 entries but there are 3 words"),
        ({"presses": "step"}, "'step', which is no typed sentence"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        made(**change)
