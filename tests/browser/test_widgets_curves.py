"""Curves in a browser: powers of two and ten, and what lies beyond an axis."""

from itertools import pairwise

import pytest
from browser.hands import middle, press, said

from attention_book.widgets import Widget, control, lines, over, slider


def panel(y, **rest):
    return lines([1, 2, 3], {"a": y, "b": [1, 1, 1]}, **rest)


def drawn(page, k):
    """Where curve k begins, goes and ends, in pixels from the top of its plot."""
    d = page.locator(".aw-plot .aw-line").nth(k).get_attribute("d")
    return [float(point.split()[1]) for point in d[1:].split("L")]


def ticks(page):
    """Name -> pixels from the top."""
    found = page.locator(".aw-tick[text-anchor=end]").all()
    return {each.text_content(): float(each.get_attribute("y")) - 4 for each in found}


def test_on_a_logarithmic_axis_each_doubling_is_as_wide_and_can_be_clicked(opened):
    widths = [1, 2, 4, 8]
    plot = lines(widths, {"y": [1, 2, 3, 4]}, marker=control("width"), log_x=True)
    page = opened(Widget("log", controls=[slider("width", widths)], panels=[plot]))
    ticks = page.locator(".aw-tick[text-anchor=middle]")
    assert ticks.all_text_contents() == ["1", "2", "4", "8"]
    at, (y, *_) = zip(*map(middle, ticks.all()), strict=True)
    steps = [right - left for left, right in pairwise(at)]
    assert steps == pytest.approx([steps[0]] * 3, abs=1)
    page.mouse.click(at[2], y - 66)
    assert page.locator(".aw-value").inner_text() == "4"
    line, _ = middle(page.locator(".aw-marker line"))
    assert line == pytest.approx(at[2], abs=1.5)


def test_on_a_logarithmic_axis_each_factor_of_ten_is_as_high(opened):
    plot = panel([0.01, 1, 1000], log_y=True, y_limits=(1e-2, 1e4))
    page = opened(Widget("log", panels=[plot]))
    at = ticks(page)
    assert list(at) == ["10⁻²", "10⁰", "10²", "10⁴"]
    low, one, hundred, top = at.values()
    assert low - one == pytest.approx(one - hundred) == pytest.approx(hundred - top)
    assert drawn(page, 0) == pytest.approx([low, one, (hundred + top) / 2], abs=0.1)
    page.locator(".aw-plot").press("End")
    assert said(page) == "At x 3: a: 1000, b: 1."


@pytest.mark.parametrize(
    ("y", "axis", "names", "last"),
    [
        ([1, -4, 900.5], {"y_limits": (0, 4)}, ("≤ 0", "≥ 4"), "a: 900.5"),
        (
            [1e-9, 1, 1e9],
            {"y_limits": (1e-2, 1e2), "log_y": True},
            ("≤ 10⁻²", "≥ 10²"),
            "a: 1.00 · 10⁹",
        ),
    ],
)
def test_what_lies_beyond_is_drawn_at_the_end_whose_tick_says_so(
    opened, y, axis, names, last
):
    page = opened(Widget("beyond", panels=[panel(y, **axis)]))
    at = ticks(page)
    assert {name for name in at if name[0] in "≤≥"} == set(names)
    ends = [max(drawn(page, 0)), min(drawn(page, 0))]
    assert ends == pytest.approx([at[name] for name in names], abs=0.1)
    page.locator(".aw-plot").press("End")
    assert last in said(page)


def test_dots_stand_for_named_values_and_are_not_joined(opened):
    x, names = [0.1, 2, 100], ["small", "middle", "large"]
    axis = {"log_x": True, "x_ticks": [0.1, 1, 10, 100], "dots": True}
    page = opened(
        Widget("dots", panels=[lines(x, {"y": [1, 3, 2]}, named=names, **axis)])
    )
    path = page.locator(".aw-plot .aw-dots")
    *each, after = path.get_attribute("d").split("h0")
    assert (len(each), after) == (3, "")
    found = page.locator(".aw-tick[text-anchor=middle]")
    assert found.all_text_contents() == ["0.1", "1", "10", "100"]
    ends = [float(dot[1:].split()[0]) for dot in each[::2]]
    assert ends == [float(found.nth(i).get_attribute("x")) for i in (0, 3)]
    assert path.evaluate("(path) => getComputedStyle(path).strokeLinecap") == "round"
    page.locator(".aw-plot").press("End")
    assert said(page) == "At x 100, large: y: 2.00."
    press(page, "Show numbers")
    rows = page.locator(".aw-table tbody th").all_inner_texts()
    assert rows == ["0.1, small", "2, middle", "100, large"]


def test_two_halves_pair_on_a_phone_and_name_no_curve_without_a_legend(opened):
    half = {"half": True, "pair": True, "legend": False}
    widget = Widget("pair", panels=[panel([1, 2, 3], **half), panel([1, 2, 3], **half)])
    page = opened(widget, width=390)
    left, right = (each.bounding_box() for each in page.locator(".aw-plot").all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    assert page.locator(".aw-legend").count() == 0
    press(page, "Show numbers")
    heads = page.locator(".aw-table").first.locator("thead th").all_inner_texts()
    assert heads == ["x", "a", "b"]


PAINT = """(line) => {
  const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(line);
  return [stroke, parseFloat(strokeWidth), strokeDasharray];
}"""


def test_what_is_compared_with_is_thin_and_grey_and_lies_behind(opened):
    plots = [panel([1, 2, 3]), panel([1, 2, 3], behind="b")]
    page = opened(*[Widget("behind", panels=[plot]) for plot in plots])
    first, second = page.locator(".aw-host").all()

    def paint(host, k, where=".aw-plot"):
        return host.locator(f"{where} .aw-line").nth(k).evaluate(PAINT)

    assert paint(first, 0)[1:] == paint(second, 1)[1:] == [2, "none"]
    colour, *form = paint(second, 0)
    assert form == [1.25, "none"]
    assert colour not in (paint(first, 0)[0], paint(first, 1)[0])
    assert paint(second, 1)[0] == paint(first, 0)[0]
    assert paint(second, 1, ".aw-legend")[0] == colour


def test_a_legend_shows_markers_only_where_a_reader_stands(opened):
    x, plots = slider("x", [1, 2, 3]), (panel([1, 2, 3], marker=control("x")),)
    page = opened(
        Widget("none", panels=[panel([1, 2, 3])]),
        Widget("one", controls=[x], panels=plots),
    )
    none, one = page.locator(".aw-host").all()
    assert none.locator(".aw-legend .aw-dot").count() == 0
    assert one.locator(".aw-legend .aw-dot").count() == 2


def test_an_absent_curve_is_neither_drawn_nor_named(opened):
    y = over("n", lambda n: [1, 2, 3] if n == 1 else [])
    plot = panel(y, band={"a": (y, y)})
    page = opened(Widget("absent", controls=[slider("n", [1, 2])], panels=[plot]))
    press(page, "Show numbers")
    paths = page.locator(".aw-plot .aw-series").first.locator("path")
    for names in (["a", "b"], ["b"]):
        page.locator(".aw-plot").press("End")
        assert page.locator(".aw-legend li:visible").all_inner_texts() == names
        heads = page.locator(".aw-table thead th").all_inner_texts()
        assert [head for head in heads if head in "ab"] == names
        assert ("a:" in said(page)) == ("a" in names)
        shapes = paths.evaluate_all("(all) => all.map((p) => p.getAttribute('d'))")
        assert [bool(d) for d in shapes] == [len(names) == 2] * 3
        page.get_by_role("slider").press("End")
