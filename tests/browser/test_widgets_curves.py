"""Curves in a browser: powers of ten, and what lies beyond an axis."""

import pytest
from browser.pages import page_with

from attention_book.widgets import Widget, lines


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


def test_on_a_logarithmic_axis_each_factor_of_ten_is_as_high(tmp_path, open_page):
    plot = panel([0.01, 1, 1000], log_y=True, y_limits=(1e-2, 1e4))
    page = open_page(page_with(tmp_path / "log.html", Widget("log", panels=[plot])))
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


def test_two_halves_pair_on_a_phone_and_name_no_curve_without_a_legend(
    tmp_path, open_page
):
    half = {"half": True, "pair": True, "legend": False}
    widget = Widget("pair", panels=[panel([1, 2, 3], **half), panel([1, 2, 3], **half)])
    page = open_page(page_with(tmp_path / "pair.html", widget), width=390)
    left, right = (each.bounding_box() for each in page.locator(".aw-plot").all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] < right["x"]
    assert page.locator(".aw-legend").count() == 0
    page.get_by_role("button", name="Show numbers").click()
    heads = page.locator(".aw-table").first.locator("thead th").all_inner_texts()
    assert heads == ["x", "a", "b"]
