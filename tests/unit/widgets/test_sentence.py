"""A sentence without gold links: map, arcs, and how sharp the attention is."""

import numpy as np
import pytest

from attention_book.widgets import Widget, one_sentence

A = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]], dtype="float32")
WORDS = {"source": ["we", "eat", "[STOP]"], "target": ["nous", "mangeons"]}


def test_a_sentence_opens_with_its_weights_and_says_how_sharp_they_are():
    widget = one_sentence(A, **WORDS)
    assert isinstance(widget, Widget)
    assert [panel["kind"] for panel in widget.spec["panels"]] == [
        "heat_map",
        "arcs",
        "text",
    ]
    assert "60% of its weight on one input" in str(widget.static_text())
    assert widget.spec["link"] == "sentence"


@pytest.mark.parametrize(
    ("A", "words", "says"),
    [
        (A.T, WORDS, r"A has shape \(3, 2\) but target × source is \(2, 3\)"),
        (2 * A, WORDS, "a row that sums to 2.000"),
        (-A, WORDS, "weights cannot be negative"),
        (A, WORDS | {"target": []}, "target is empty"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, A, words, says):
    with pytest.raises(ValueError, match=says):
        one_sentence(A, **words)
