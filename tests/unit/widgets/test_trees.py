"""A panel of a tree of words refuses what is no tree."""

import numpy as np
import pytest

from attention_book.widgets import Widget, over, slider, tree
from attention_book.widgets.trees import PHRASES

GIVEN = {
    "words": ["[START]", "a", "the", "cat"],
    "places": [(0, 0.5), (1, 0), (1, 1), (2, 0)],
    "parents": [-1, 0, 0, 2],
    "values": ["0.00", "−1.50", "−1.00", "−0.417 a word"],
    "states": [3, 2, 3, 3],
}


def made(**change):
    panel = tree(**GIVEN | change, label="search")
    return Widget("t", controls=[slider("step", [1, 2])], panels=[panel])


def test_without_javascript_the_best_way_and_its_value_are_said():
    said = "search: best: [START] the cat (−0.417 a word)."
    assert made().static_text()[-1] == said
    later = over("step", {1: [3, 1, 3, 0], 2: [3, 2, 3, 3]}.get)
    assert made(states=later).static_text()[-1] == "search: best: [START] the (−1.00)."


READ = ["the", "cat", "[STOP]"], [(0, 0), (1, 1), (0, 2.5)], [0.25, 0.75, 0]


def phrases(**change):
    given = GIVEN | {"values": None, "names": PHRASES, "read": READ} | change
    panel = tree(**given)
    return Widget("t", controls=[slider("step", [1, 2])], panels=[panel])


def test_what_is_looked_at_most_is_said_and_nothing_where_it_looks_nowhere():
    assert phrases().static_text() == ["step: 1", "looks most at cat (0.75)."]
    weights = over("step", {1: [0, 0, 0], 2: READ[2]}.get)
    assert phrases(read=(*READ[:2], weights)).static_text() == ["step: 1"]


def test_below_the_tree_there_is_room_for_what_is_read():
    panel = phrases().panels[0]
    assert panel.heights() == [3 * 27 + 2 * 30 + 24] * 2
    assert panel.options["columns"] == 3.5
    assert panel.axes() == {"read": "input"}
    assert made().panels[0].axes() == {}
    assert phrases(columns=46).panels[0].options["columns"] == 46


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": [3, 2, 3, 4]}, "states must be 0 to 3, which is later, closed"),
        (
            {"names": ("later", "now")},
            r"names is \('later', 'now'\): expected STATES or",
        ),
        ({"read": (READ[0], READ[1], [1])}, "weights has 1 entries but read has 3"),
        ({"read": (READ[0], READ[1][:2], READ[2])}, "spots has 2 entries but read has"),
        ({"read": (READ[0], [0, 1, 2], READ[2])}, "spots must hold a row and a column"),
        ({"read": (READ[0], READ[1], [0.5, 1.5, 0])}, "weights must be numbers from 0"),
        ({"read": (READ[0], READ[1], [-0.5, 1.5, 0])}, "weights must be numbers from"),
        ({"read": READ[:2]}, "read has 2 parts: expected words, places, weights"),
    ],
)
def test_phrases_over_what_does_not_fit_are_refused(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        phrases(**change)


def test_where_nothing_is_best_nothing_is_said():
    assert made(states=[1, 1, 1, 1]).static_text() == ["step: 1"]


def test_there_is_room_for_the_deepest_and_the_broadest_tree():
    one = {name: some[:1] for name, some in GIVEN.items()}
    fields = {
        name: over("step", {1: one[name], 2: some}.get) for name, some in GIVEN.items()
    }
    panel = made(**fields).panels[0]
    assert panel.heights() == [3 * 27 + 24 + 24] * 2
    assert (panel.options["rows"], panel.options["columns"]) == (3, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": ["0.00"]}, "values has 1 entries but words has 4"),
        ({"states": [1, 1]}, "states has 2 entries but words has 4"),
        ({"parents": [-1, 0]}, "parents has 2 entries but words has 4"),
        ({"places": [(0, 0)]}, "places has 1 entries but words has 4"),
        ({"states": np.zeros((4, 1))}, "states must be a flat list of numbers"),
        ({"places": np.zeros((4, 3))}, "places must hold a row and a column each"),
        ({"places": [(0, -1)] * 4}, "places must hold a row and a column each, from 0"),
        ({"parents": [-1, 0, 0, 3]}, "numbers of words that stand before, or -1"),
        ({"parents": [-1, 0, 3, 2]}, "numbers of words that stand before, or -1"),
        ({"parents": [-2, 0, 0, 2]}, "numbers of words that stand before, or -1"),
        ({"parents": [-1, 0, 0.5, 2]}, "numbers of words that stand before, or -1"),
        ({"places": [(0, 0), (0.5, 0), (1, 1), (2, 0)]}, "places must hold a row"),
        ({"states": [3, 2, 3, 4]}, "states must be 0 to 3, which is later, kept"),
        ({"states": [3, 0.5, 3, 3]}, "states must be 0 to 3"),
        ({name: [] for name in GIVEN}, "words is empty"),
    ],
)
def test_what_is_no_tree_is_refused(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        made(**change)
