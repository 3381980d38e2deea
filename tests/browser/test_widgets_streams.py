"""ResidualStream in a browser: arrows as long as they should be, words that choose."""

import re
from itertools import pairwise

import pytest
from browser.pages import MEASURE

from attention_book.chapters.block.widgets import (
    NOTHING,
    RECORDED,
    WORDS,
    residual_stream,
)

PATHS = """(cells) => cells.map((cell) =>
  Object.fromEntries([...cell.querySelectorAll("path")].map(
    (path) => [path.getAttribute("class"), path.getAttribute("d")])))"""


@pytest.fixture(scope="module")
def widget():
    return residual_stream()


@pytest.fixture
def opened(opened, widget):
    widget.index = widget.spec["default"]
    return lambda at="", **options: opened(widget, at=at, **options)


def arrows(page):
    """For each part: (from, to) of its three arrows, in pixels, upwards."""
    drawn = page.locator(".aw-stream li").evaluate_all(PATHS)
    ends = []
    for cell in drawn:
        found = {}
        for name, d in cell.items():
            x, y, to, up = map(float, re.findall(r"-?[\d.]+", d)[:4])
            found[name.removeprefix("aw-")] = complex(x, -y), complex(to, -up)
        ends.append(found)
    return ends


def lengths(widget, off, word):
    widget.setting = {"switched off": off, "word": word}
    fields = widget.panels[1].fields
    return [fields[name].at(widget.index) for name in ("before", "added", "cosines")]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("off", [NOTHING, "attention", "residual"])
def test_arrows_have_the_lengths_and_angles_of_the_vectors(opened, widget, off, width):
    page = opened(f"#w=residual-stream&switched-off={off}&word=child", width=width)
    before, added, cosines = lengths(widget, off, "child")
    parts = arrows(page)
    assert len(parts) == len(before)
    scale = abs(parts[0]["before"][1] - parts[0]["before"][0]) / before[0]
    for arrow, length, long, cosine in zip(parts, before, added, cosines, strict=True):
        stream, add, whole = (
            arrow[name][1] - arrow[name][0] for name in ("before", "added", "after")
        )
        assert stream == pytest.approx(complex(0, scale * length), abs=0.3)
        assert abs(add) == pytest.approx(scale * long, abs=0.3)
        assert add.imag == pytest.approx(scale * long * cosine, abs=0.3)
        assert add.real >= 0
        carried = 0 if off == "residual" else stream
        assert whole == pytest.approx(carried + add, abs=0.3)
        assert arrow["added"][1] == arrow["after"][1]


@pytest.mark.parametrize(
    ("off", "keys"),
    [
        ("nothing", ["the stream before", "after", "what the part adds"]),
        ("residual", ["the stream before", "what the part puts in its place"]),
    ],
)
def test_the_key_says_whether_a_part_adds_or_replaces(opened, off, keys):
    page = opened(f"#w=residual-stream&switched-off={off}")
    shown = page.locator(".aw-stream-key span:visible")
    assert shown.all_inner_texts() == keys
    page.locator("select").select_option(label="all norms")
    assert shown.count() == 3


def test_a_part_that_is_switched_off_keeps_its_column_and_finds_nothing(opened):
    page = opened("#w=residual-stream&switched-off=attention")
    names = page.locator(".aw-stream li b").all_inner_texts()
    assert names == ["attention 1", "MLP 1", "attention 2", "MLP 2"]
    said = page.locator(".aw-stream li span").all_inner_texts()
    assert said[:2] == said[4:6] == ["nothing", ""]
    tops = {
        round(cell.locator("span").first.bounding_box()["y"])
        for cell in page.locator(".aw-stream li").all()
    }
    assert len(tops) == 1


def test_on_a_phone_the_numbers_of_two_parts_stand_apart(opened):
    page = opened("#w=residual-stream", width=374)
    page.add_style_tag(content="body { font-family: DejaVu Sans, Verdana }")  # wide
    boxes = [
        cell.locator("span").first.bounding_box()
        for cell in page.locator(".aw-stream li").all()
    ]
    for left, right in pairwise(boxes):
        assert right["x"] - left["x"] - left["width"] >= 10


def test_drawings_stay_in_their_frames_at_every_setting(opened):
    page = opened(width=390)
    for off in (NOTHING, *RECORDED):
        page.locator("select").select_option(label=off)
        page.locator("input").press("Home")
        for _ in WORDS:
            for svg in page.locator(".aw-stream svg").all():
                wide, tall = (float(svg.get_attribute(a)) for a in ("width", "height"))
                numbers = svg.locator("path").evaluate_all(
                    "(all) => all.map((path) => path.getAttribute('d')).join(' ')"
                )
                ends = re.findall(r"(-?[\d.]+) (-?[\d.]+)", numbers)
                assert all(0 <= float(x) <= wide for x, _ in ends)
                assert all(0 <= float(y) <= tall for _, y in ends)
            page.locator("input").press("ArrowRight")


def test_numbers_below_the_arrows_are_those_of_the_word(opened, widget):
    page = opened("#w=residual-stream&word=egg")
    before, added, cosines = lengths(widget, NOTHING, "egg")
    said = page.locator(".aw-stream li span").all_inner_texts()
    assert said == [
        text.replace("-", "\N{MINUS SIGN}")
        for b, a, c in zip(before, added, cosines, strict=True)
        for text in (f"{a / b:.2f} as long", f"cos {c:z.2f}")
    ]


def test_a_word_is_chosen_by_a_click_by_a_key_and_by_the_slider(opened):
    page = opened()
    value, lit = page.locator(".aw-value"), page.locator(".aw-token.aw-on")
    assert value.inner_text() == lit.inner_text() == "[MASK]"
    first = page.locator(".aw-stream").inner_text()
    page.get_by_role("option", name="child").click()
    page.mouse.move(1, 1)
    assert value.inner_text() == lit.inner_text() == "child"
    assert page.locator(".aw-stream").inner_text() != first
    page.wait_for_url("**#w=residual-stream&word=child")
    strip = page.get_by_role("listbox", name="sentence")
    strip.focus()
    for key, word in (
        ("ArrowRight", "will"),  # from the chosen word on, and at once
        ("End", "egg"),
        ("Home", "the"),
        ("ArrowRight", "child"),
    ):
        strip.press(key)
        assert value.inner_text() == lit.inner_text() == word
    page.get_by_role("option", name="egg").hover()
    strip.press("ArrowRight")  # a mouse that rests elsewhere does not move the start
    assert value.inner_text() == "will"
    page.locator("input").press("ArrowRight")
    assert value.inner_text() == "[MASK]"
    assert page.locator(".aw-stream").inner_text() == first


def test_pointing_at_a_word_does_not_choose_it(opened):
    page = opened()
    page.get_by_role("option", name="child").hover()
    assert page.locator(".aw-value").inner_text() == "[MASK]"


def test_a_range_lies_on_its_bar_and_a_single_model_has_none(opened, widget):
    page = opened("#w=residual-stream&switched-off=all-norms")
    fields, limits = widget.panels[2].fields, widget.panels[2].options["limits"]
    widget.setting = {"switched off": "all norms"}
    low, high = (fields[name].at(widget.index) for name in ("low", "high"))
    lines = page.locator(".aw-bar-line")
    for k in (0, 1):
        track = lines.nth(k).locator(".aw-bar-track").bounding_box()
        line = lines.nth(k).locator(".aw-range").bounding_box()
        ends = [
            (line["x"] - track["x"]) / track["width"] * limits[1],
            (line["x"] + line["width"] - track["x"]) / track["width"] * limits[1],
        ]
        assert ends == pytest.approx([low[k], high[k]], abs=0.02)
    seen = "(node) => getComputedStyle(node).visibility"
    shown = [lines.nth(k).locator(".aw-range").evaluate(seen) for k in range(3)]
    assert shown == ["visible", "visible", "hidden"]
    out = page.locator(".aw-out")
    lines.nth(1).hover()
    said = f"trained without: {fields['values'].at(widget.index)[1]:.2f}"
    assert out.inner_text() == f"{said} ({low[1]:.2f} to {high[1]:.2f})"
    lines.nth(2).hover()
    assert out.inner_text() == f"off in seed 0: {high[2]:.2f}"


def test_the_table_has_lengths_cosines_and_ranges(opened):
    page = opened("#w=residual-stream&switched-off=attention")
    page.get_by_role("button", name="Show numbers").click()
    rows = [row.split("\t") for row in page.get_by_role("row").all_inner_texts()]
    assert ["", "mean", "low", "high"] in rows
    ranges = {row[0]: row[2:] for row in rows if len(row) == 4}
    assert ranges["off in seed 0"] == ["", ""]  # a single model
    assert all(ranges["trained without"])
    assert [row[0] for row in rows if row[0].startswith("MLP")] == ["MLP 1", "MLP 2"]
    assert all(len(row) == 5 for row in rows if row[0].startswith("MLP"))


def test_reset_brings_the_opening_state_back(opened):
    page = opened("#w=residual-stream&switched-off=norm&word=the")
    page.get_by_role("button", name="Reset").click()
    assert page.locator(".aw-value").inner_text() == "[MASK]"
    assert page.locator("select").evaluate("(node) => node.selectedIndex") == 0
    page.wait_for_function("!location.hash")


def test_there_is_one_stop_for_each_part(opened):
    page, stops = opened(), []
    for _ in range(6):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                "document.activeElement.getAttribute('role')"
                " || document.activeElement.tagName"
            )
        )
    assert stops == ["SELECT", "INPUT", "listbox", "listbox", "BUTTON", "BUTTON"]


def test_no_input_changes_more_than_150_things(opened):
    page = opened()
    page.evaluate(MEASURE)
    costs = page.evaluate("window.measure.inputs()")
    assert [cost["control"] for cost in costs] == ["switched off", "word"]
    for cost in costs:
        assert 0 < max(cost["changes"]) <= 150, cost["control"]
