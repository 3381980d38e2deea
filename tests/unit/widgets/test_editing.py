"""Planes and matrices: what they take, and what they say without a browser."""

import numpy as np
import pytest

from attention_book.widgets import (
    Widget,
    computed,
    control,
    free,
    matrices,
    matrix,
    over,
    plane,
    points,
    slider,
    vector,
    vectors,
)

K = free("K", [[1.0, 2.0], [0.0, 1.0], [-2.0, 0.5]], low=-3, high=3)
STEP = slider("step", [1, 2])
FLIPPED = computed("product", A=control("K"), B=[[-1, 0], [0, 1]])


X = free("x", [1.0, -2.0, 4.0], low=-5, high=5)
FREE = control("x")
HALF = computed("divided", values=FREE, by=control("step"))


def make(*panels, **rest):
    return Widget("A title", controls=[K, STEP, X], panels=panels, **rest)


def columns(x=FREE, y=HALF, limits=(-5, 5), **rest):
    both = [vector("x", x, limits=limits, digits=1), vector("y", y, limits=(-9, 9))]
    return make(vectors(both, **rest))


def points_of(at, **rest):
    return make(plane([points("k", at, "asked", **rest)], limits=(-3, 3)))


ONE = [points("k", [[0, 0]], "asked")]
WRONG = [
    (
        lambda: points_of([[1, 2, 3]]),
        r"points 'k' must be rows \(x, y\), but came with shape \(1, 3\)",
    ),
    (lambda: points_of([1, 2]), r"with shape \(2,\)"),
    (lambda: points_of([[1, 2]], weights=[0.1, 0.9]), "'k' has 2 weights but 1 points"),
    (
        lambda: make(plane([points("k", control("K"), "asked")], limits=(-2, 3))),
        "may be dragged from -3 to 3, but the plane goes from -2 to 3",
    ),
    (lambda: plane(ONE, limits=(1, 1)), r"limits is \(1, 1\)"),
    (
        lambda: points("k", [[0, 0]], "keys"),
        "role is 'keys', expected one of asks, asked, taken, out",
    ),
    (lambda: matrix("K", [[0]], role="keys"), "role is 'keys'"),
    (lambda: plane(ONE, limits=(0, 1), say="{z}"), r"say has \{z\}"),
    (
        lambda: matrix("K", [[0]], named="never"),
        "named is 'never', expected one of always, wide, first",
    ),
    (lambda: make(matrices([matrix("n", 3)])), "'n' must be a matrix or a column"),
    (
        lambda: make(matrices([matrix("K", control("K"), rows=["a", "b"])])),
        "'K' has 3 rows but 2 names of rows",
    ),
    (
        lambda: make(matrices([matrix("K", control("K"), columns=["a"])])),
        "'K' has 2 columns but 1 names of columns",
    ),
    (
        lambda: matrix("K", [[0]], axes=(None, "input")),
        "the columns of 'K' lie along 'input': name them",
    ),
    (lambda: plane([], limits=(0, 1)), "sets is empty"),
    (lambda: matrices([]), "tables is empty"),
    (lambda: free("K", [[1, -4]], low=-3, high=3), "expected numbers from -3 to 3"),
    (
        lambda: make(matrices([matrix("K", [[0]])], shown=[1, 1])),
        "shown has 2 entries but there are 1 tables",
    ),
    (lambda: columns(y=control("K")), "'y' must be a flat list of numbers"),
    (lambda: columns(y=[1, 2]), "'y' has 2 entries but the first vector has 3"),
    (
        lambda: columns(limits=(-5, 6)),
        "'x' may be dragged from -5 to 5, but its bars go from -5 to 6",
    ),
    (
        lambda: vector("x", [1, 2], limits=(0, 2)),
        r"limits is \(0, 2\): expected low < 0 < high",
    ),
    (lambda: vector("x", [1, 2], limits=(-2, 2), role="keys"), "role is 'keys'"),
    (lambda: vectors([]), "columns has 0 vectors: expected 1 to 4"),
    (
        lambda: columns(x=[1, 2, 3], y=[1, 2, 3], presets={"all": [1, 1, 1]}),
        "presets are for a free array, but no vector is one",
    ),
    (lambda: columns(presets={"far": [1, 2, 9]}), "expected numbers from -5 to 5"),
    (
        lambda: make(
            plane([points("k", control("K"), "asked", axis="n")], limits=(-3, 3)),
            matrices([matrix("e", [1, 2], axes=("n", None))]),
        ),
        "both lie along 'n' but differ in length",
    ),
]


@pytest.mark.parametrize(("build", "message"), WRONG)
def test_a_wrong_setting_is_named_when_the_widget_is_made(build, message, as_a_reader):
    with pytest.raises((ValueError, TypeError), match=message):
        build()


def test_only_a_free_array_as_it_is_can_be_changed():
    widget = make(
        plane(
            [points("k", control("K"), "asked"), points("f", FLIPPED, "out")],
            limits=(-3, 3),
        ),
        matrices([matrix("K", control("K")), matrix("s", over("step", [[1], [2]]))]),
    )
    sets, tables = (panel["options"] for panel in widget.spec["panels"])
    assert [each["control"] for each in sets["sets"]] == [0, None]
    assert [each["control"] for each in tables["tables"]] == [0, None]


def test_points_and_tables_are_said_as_they_stand():
    shown = over("step", [[1, 0], [1, 1]])
    widget = make(
        plane([points("k", FLIPPED, "asked")], limits=(-3, 3)),
        matrices([matrix("K", control("K")), matrix("s", [1, 2])], shown=shown),
    )
    widget.setting = {"K": [[1, 1], [2, 0], [0, -3]]}
    _, said, first = widget.static_text()
    assert said == "k₁ at (−1.00, 1.00); k₂ at (−2.00, 0.00); k₃ at (0.00, −3.00)."
    assert first == "K = (1, 1), (2, 0), (0, −3)."
    widget.setting = {"step": 2}
    assert widget.static_text()[-1].endswith("; s = 1, 2.")


def test_half_planes_share_a_line_on_a_phone_too_and_half_tables_do_not():
    def saved(panel, **rest):
        whole, half = (panel(half=half, **rest) for half in (False, True))
        heights = (make(one, one).spec["height"] for one in (whole, half))
        return np.subtract(*heights)

    wide, narrow = saved(plane, sets=[points("k", [[0, 0]], "asked")], limits=(-3, 3))
    assert wide > 200
    assert narrow > 200
    wide, narrow = saved(matrices, tables=[matrix("K", control("K"))])
    assert wide > 50
    assert narrow == 0


def test_numbers_of_a_table_are_said_with_what_decimals_there_is_room_for():
    def said(values, **rest):
        (text,) = make(matrices([matrix("m", values, **rest)])).static_text()[1:]
        return text

    assert said([1.6, -0.3]) == "m = 1.60, −0.30."
    assert said([10.5, -10.24, -12388.35]) == "m = 10.50, −10.2, −12388."
    assert said([1.0, 0.0], weights=True, digits=4) == "m = 1.0000, 0.0000."


def test_vectors_are_said_with_their_mean_and_deviation():
    widget = columns()
    widget.setting = {"step": 2}
    assert widget.static_text()[-1] == (
        "x = 1.0, −2.0, 4.0, with mean 1.00 and standard deviation 2.45; "
        "y = 0.50, −1.00, 2.00, with mean 0.50 and standard deviation 1.22."
    )


def test_a_preset_is_a_place_of_the_first_vector_that_is_free():
    widget = columns(presets={"ones": np.ones(3)})
    options = widget.spec["panels"][0]["options"]
    assert options["preset"] == 2
    assert options["presets"] == [("ones", [1, 1, 1])]
    assert [each["control"] for each in options["vectors"]] == [2, None]
    heights = [each.spec["panels"][0]["height"] for each in (widget, columns())]
    np.testing.assert_array_equal(np.subtract(*heights), [40, 40])
