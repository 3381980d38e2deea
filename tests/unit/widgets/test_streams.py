"""A panel of a stream refuses lengths and cosines that are none."""

import pytest

from attention_book.widgets import Widget, control, over, slider, stream

GIVEN = {
    "parts": ["attention", "MLP"],
    "before": [2.0, 4.0],
    "added": [1.0, 6.0],
    "cosines": [0.0, -0.5],
}


def made(**change):
    panel = stream(**GIVEN | change, label="adds")
    return Widget("s", controls=[slider("n", [1, 2])], panels=[panel])


def test_without_javascript_it_is_said_how_long_each_is_and_where_it_points():
    said = "adds: attention 0.50 as long, cosine 0.00; MLP 1.50 as long, cosine −0.50."
    assert made().still()[-1] == said


def test_where_fewer_parts_add_all_keep_their_places():
    fewer = {name: over("n", lambda n, all=all: all[:n]) for name, all in GIVEN.items()}
    widget = made(**fewer)
    assert widget.panels[0].options["columns"] == 2
    assert widget.still()[-1] == "adds: attention 0.50 as long, cosine 0.00."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"added": [1.0]}, "added has 1 entries but parts has 2"),
        ({"before": [[2.0], [4.0]]}, "before must be a flat list of numbers"),
        ({"cosines": [0.0, -1.2]}, r"cosines go from -1.2 to 0, expected -1 to 1"),
        ({"cosines": [0.0, 1.2]}, r"cosines go from 0 to 1.2, expected -1 to 1"),
        ({"before": [0.0, 4.0]}, "before and added are lengths: expected positive"),
        ({"added": [1.0, -1.0]}, "before and added are lengths: expected positive"),
        ({"carried": control("m")}, "unknown control 'm'"),
    ],
)
def test_what_does_not_fit_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        made(**change)
