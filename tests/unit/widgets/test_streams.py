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
    assert made().static_text()[-1] == said


def test_where_fewer_parts_add_all_keep_their_places():
    fewer = {name: over("n", lambda n, all=all: all[:n]) for name, all in GIVEN.items()}
    widget = made(**fewer)
    assert widget.panels[0].options["columns"] == 2
    assert widget.static_text()[-1] == "adds: attention 0.50 as long, cosine 0.00."


def test_a_cosine_may_be_beyond_one_by_rounding_and_a_part_may_add_nothing():
    widget = made(cosines=[-1 - 5e-7, 1 + 5e-7], added=[0.0, 1.0])
    said = "adds: attention nothing; MLP 0.25 as long, cosine 1.00."
    assert widget.static_text()[-1] == said


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"added": [1.0]}, "added has 1 entries but parts has 2"),
        ({"before": [[2.0], [4.0]]}, "before must be a flat list of numbers"),
        ({"cosines": [0.0, -1.2]}, r"cosines go from -1.2 to 0, expected -1 to 1"),
        ({"cosines": [0.0, 1.2]}, r"cosines go from 0 to 1.2, expected -1 to 1"),
        ({"cosines": [0.0, 1.00001]}, "cosines go from 0 to 1.00001, expected"),
        ({"before": [0.0, 4.0]}, "before holds 0, expected lengths above 0"),
        ({"added": [1.0, -1.0]}, "added holds -1, expected lengths, 0 or more"),
        ({"carried": 0.5}, "carried is 0.5, expected 1 or 0"),
        ({"carried": over("n", [1, 2])}, "carried is 2.0, expected 1 or 0"),
        ({"carried": [1, 0]}, r"carried is \[1. 0.\], expected 1 or 0"),
        ({name: [1] * 9 for name in GIVEN}, "parts has 9 names: expected 1 to 8"),
        ({name: [] for name in GIVEN}, "parts has 0 names: expected 1 to 8"),
        ({"carried": control("m")}, "unknown control 'm'"),
    ],
)
def test_what_does_not_fit_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        made(**change)
