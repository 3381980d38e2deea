"""Curves on a logarithmic axis, beyond their axis, and in pairs."""

import pytest

from attention_book.widgets import Widget, bars, lines, over, slider, vector

X = [1, 2, 3]


def made(*panels, **rest):
    panels = panels or (lines(X, {"a": [0.5, 20, 4e6], "b": [1, 1, 1]}, **rest),)
    return Widget("A title", controls=[slider("n", [1, 2])], panels=panels)


def options(**rest):
    return made(**rest).spec["panels"][0]["options"]


@pytest.mark.parametrize(
    ("limits", "beyond"),
    [
        ((0.5, 4e6), [False, False]),
        ((0.6, 4e6), [True, False]),
        ((0.1, 1e6), [False, True]),
        (None, [False, False]),
    ],
)
def test_it_is_known_on_which_side_something_lies_beyond_the_axis(limits, beyond):
    assert options(y_limits=limits)["beyond"] == beyond


def test_what_lies_beyond_at_one_setting_is_marked_at_all():
    y = over("n", lambda n: [n, n, n])
    widget = made(lines(X, {"a": y}, y_limits=(0, 1.5)))
    assert widget.spec["panels"][0]["options"]["beyond"] == [False, True]


@pytest.mark.parametrize("rest", [{}, {"y_limits": (-1, 9)}, {"y_limits": (0, 9)}])
def test_a_logarithmic_axis_begins_above_zero(rest, as_a_reader):
    panel = lines(X, {"a": [0, 1, 2]}, log_y=True, **rest)
    with pytest.raises(ValueError, match="with log_y it must be positive"):
        made(panel)


def test_numbers_of_a_logarithmic_axis_are_said_with_digits_that_count():
    said = made(log_y=True, y_limits=(0.1, 1e7)).static_text()[-1]
    first = "a: 0.5 at x 1, 20 at x 2, 4.00 · 10⁶ at x 3; "
    assert said == f"{first}b: 1 at x 1, 1 at x 2, 1 at x 3."
    assert made().static_text()[-1].startswith("a: 0.50 at x 1, 20.00 at x 2")


def test_names_of_values_are_told_and_there_is_one_for_each(as_a_reader):
    named = ["low", "middle", "high"]
    said = made(lines(X, {"a": X}, named=named, dots=True)).static_text()[-1]
    assert said == "a: 1.00 at x 1 (low), 2.00 at x 2 (middle), 3.00 at x 3 (high)."
    with pytest.raises(ValueError, match="named has 2 points but x has 3"):
        made(lines(X, {"a": X}, named=named[:2]))


def test_only_halves_that_are_to_pair_share_a_line_on_a_phone():
    def height(**rest):
        one = lines(X, {"a": X}, height=150, **rest)
        return made(one, one).spec["height"]

    alone, halves, pairs = (
        height(**rest) for rest in ({}, {"half": True}, {"half": True, "pair": True})
    )
    assert alone[0] - halves[0] == alone[0] - pairs[0] == 168
    assert (alone[1] - halves[1], alone[1] - pairs[1]) == (0, 168)
    with pytest.raises(ValueError, match="pair is True but half is False"):
        height(pair=True)


@pytest.mark.parametrize(
    ("y", "limits", "shown"),
    [
        ([1, 30, 1000], None, [1, 1000]),
        ([2, 3, 8], None, [1, 10]),
        ([0.02, 3, 8], None, [0.01, 10]),
        ([10, 10, 10], None, [10, 100]),
        ([2, 3, 8], (2, 8), [1, 10]),
        ([2, 3, 8], (2, 80), [1, 100]),
        ([2, 3, 8], (0.5, 20), [0.5, 20]),
    ],
)
def test_a_logarithmic_axis_has_two_powers_of_ten(y, limits, shown):
    widget = made(lines(X, {"a": y}, log_y=True, y_limits=limits))
    options = widget.spec["panels"][0]["options"]
    assert options["y_limits"] == pytest.approx(shown)
    assert options["beyond"] == [False, False]


@pytest.mark.parametrize(
    "limits", [(2, 1), (1, 1), (0, float("nan")), (0, float("inf")), (0, 1, 2), (1,)]
)
def test_limits_that_are_none_are_refused(limits, as_a_reader):
    for name, make in (
        ("y_limits", lambda: lines(X, {"a": X}, y_limits=limits)),
        ("limits", lambda: vector("x", X, limits=limits)),
        ("limits", lambda: bars(["a"], [1], limits=limits)),
    ):
        with pytest.raises(ValueError, match=f"^{name} is .*: expected .low, high."):
            make()


def test_a_curve_may_be_absent_at_a_setting_and_takes_no_room_there():
    y = over("n", lambda n: X if n == 1 else [])
    late = over("n", lambda n: [] if n == 1 else X)
    long = "a name of a curve that takes a line of its own in each legend, here too"
    series = {"a": X, long: y, long + " (2)": late}
    band = {long: (y, y)}
    widget = made(lines(X, series, band=band))
    panel = widget.spec["panels"][0]
    assert (
        panel["height"][0] == made(lines(X, {"a": X, long: X})).panels[0].heights()[0]
    )
    widget.setting = {"n": 2}
    assert long + ":" not in widget.static_text()[-1]
    assert long + " (2):" in widget.static_text()[-1]
    with pytest.raises(
        ValueError, match=r"low0 has 0 values but y0 has 3 \(at n = 2\)"
    ):
        made(lines(X, {"a": X}, band={"a": (y, y)}))


def test_only_a_series_lies_behind(as_a_reader):
    assert options(behind="b")["behind"] == 1
    with pytest.raises(ValueError, match="behind names 'c', but the series are a, b"):
        options(behind="c")
