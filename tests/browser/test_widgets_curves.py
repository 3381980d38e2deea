"""Curves in a browser: powers of ten, and what lies beyond an axis."""

import pytest
from browser.pages import page_with

from attention_book.widgets import Widget, control, lines, over, slider


def panel(y, **rest):
    return lines([1, 2, 3], {"a": y, "b": [1, 1, 1]}, **rest)


def ends(page, k):
    """Where curve k begins, goes and ends, in pixels from the top of its plot."""
    d = page.locator(".aw-plot .aw-line").nth(k).get_attribute("d")
    return [float(point.split()[1]) for point in d[1:].split("L")]


def ticks(page):
    """Name -> pixels from the top."""
    found = page.locator(".aw-tick[text-anchor=end]").all()
    return {each.text_content(): float(each.get_attribute("y")) - 4 for each in found}


def test_on_a_logarithmic_axis_each_factor_of_ten_is_as_high(opened):
    plot = panel([0.01, 1, 1000], log_y=True, y_limits=(1e-2, 1e4))
    page = opened(Widget("log", panels=[plot]))
    at = ticks(page)
    assert list(at) == ["10⁻²", "10⁰", "10²", "10⁴"]
    low, one, hundred, top = at.values()
    assert low - one == pytest.approx(one - hundred) == pytest.approx(hundred - top)
    assert ends(page, 0) == pytest.approx([low, one, (hundred + top) / 2], abs=0.1)
    page.locator(".aw-plot").press("End")
    assert page.locator(".aw-out").inner_text() == "At x 3: a: 1000, b: 1."


def test_what_lies_beyond_is_drawn_at_the_end_whose_tick_says_so(tmp_path, open_page):
    plots = [
        panel([1, -4, 900.5], y_limits=(0, 4)),
        panel([1e-9, 1, 1e9], log_y=True, y_limits=(1e-2, 1e2)),
    ]
    for k, (plot, names) in enumerate(
        zip(plots, [("≤ 0", "≥ 4"), ("≤ 10⁻²", "≥ 10²")], strict=True)
    ):
        url = page_with(tmp_path / f"{k}.html", Widget("beyond", panels=[plot]))
        page = open_page(url)
        at = ticks(page)
        assert {name for name in at if name[0] in "≤≥"} == set(names)
        low, high = (at[name] for name in names)
        assert min(ends(page, 0)) == pytest.approx(high, abs=0.1)
        assert max(ends(page, 0)) == pytest.approx(low, abs=0.1)
    page.locator(".aw-plot").press("End")
    assert "a: 1.00 · 10⁹" in page.locator(".aw-out").inner_text()


def test_two_halves_pair_on_a_phone_and_name_no_curve_without_a_legend(opened):
    half = {"half": True, "pair": True, "legend": False}
    widget = Widget("pair", panels=[panel([1, 2, 3], **half), panel([1, 2, 3], **half)])
    page = opened(widget, width=390)
    left, right = (each.bounding_box() for each in page.locator(".aw-plot").all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    assert page.locator(".aw-legend").count() == 0
    page.get_by_role("button", name="Show numbers").click()
    heads = page.locator(".aw-table").first.locator("thead th").all_inner_texts()
    assert heads == ["x", "a", "b"]


def test_what_is_compared_with_is_thin_and_grey_and_lies_behind(opened):
    plots = [panel([1, 2, 3]), panel([1, 2, 3], behind="b")]
    widgets = [Widget("behind", panels=[plot]) for plot in plots]
    page = opened(*widgets)
    first, second = page.locator(".aw-host").all()
    paint = """(line) => {
      const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(line);
      return [stroke, parseFloat(strokeWidth), strokeDasharray];
    }"""

    def drawn(host, k):
        return host.locator(".aw-plot .aw-line").nth(k).evaluate(paint)

    assert drawn(first, 0)[1:] == drawn(second, 1)[1:] == [2, "none"]
    colour, width, dash = drawn(second, 0)
    assert (width, dash) == (1.25, "none")
    assert colour not in (drawn(first, 0)[0], drawn(first, 1)[0])
    assert drawn(second, 1)[0] == drawn(first, 0)[0]
    assert second.locator(".aw-legend .aw-line").nth(1).evaluate(paint)[0] == colour


def test_a_legend_shows_markers_only_where_a_reader_stands(opened):
    x = slider("x", [1, 2, 3])
    widgets = [
        Widget("none", panels=[panel([1, 2, 3])]),
        Widget("one", controls=[x], panels=[panel([1, 2, 3], marker=control("x"))]),
    ]
    page = opened(*widgets)
    none, one = page.locator(".aw-host").all()
    assert none.locator(".aw-legend .aw-dot").count() == 0
    assert one.locator(".aw-legend .aw-dot").count() == 2


def test_an_absent_curve_is_neither_drawn_nor_named(opened):
    y = over("n", lambda n: [1, 2, 3] if n == 1 else [])
    plot = panel(y, band={"a": (y, y)})
    widget = Widget("absent", controls=[slider("n", [1, 2])], panels=[plot])
    page = opened(widget)
    page.get_by_role("button", name="Show numbers").click()
    paths = page.locator(".aw-plot .aw-series").first.locator("path")
    for names in (["a", "b"], ["b"]):
        page.locator(".aw-plot").press("End")
        assert page.locator(".aw-legend li:visible").all_inner_texts() == names
        heads = page.locator(".aw-table thead th").all_inner_texts()
        assert [head for head in heads if head in "ab"] == names
        assert ("a:" in page.locator(".aw-out").inner_text()) == ("a" in names)
        drawn = paths.evaluate_all("(all) => all.map((p) => p.getAttribute('d'))")
        assert [bool(d) for d in drawn] == [len(names) == 2] * 3
        page.get_by_role("slider").press("End")
