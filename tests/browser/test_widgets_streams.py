"""ResidualStream in a browser: arrows as long as they should be, words that choose."""

import re
from itertools import pairwise

import pytest
from browser.hands import WIDE, away, choose, press, rows, said, walk

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


def parts(page):
    return page.locator(".aw-stream li")


def arrows(page):
    """For each part: (from, to) of its three arrows, in pixels, upwards."""
    ends = []
    for cell in parts(page).evaluate_all(PATHS):
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
def test_arrows_have_the_lengths_and_angles_of_the_vectors(opened, widget, width):
    page = opened("#w=residual-stream&word=child", width=width)
    for off in (NOTHING, "attention", "residual"):
        choose(page, switched_off=off)
        before, added, cosines = lengths(widget, off, "child")
        drawn = arrows(page)
        scale = abs(drawn[0]["before"][1] - drawn[0]["before"][0]) / before[0]
        for arrow, length, long, cosine in zip(
            drawn, before, added, cosines, strict=True
        ):
            stream, add, whole = (
                arrow[name][1] - arrow[name][0] for name in ("before", "added", "after")
            )
            assert stream == pytest.approx(complex(0, scale * length), abs=0.3), off
            assert abs(add) == pytest.approx(scale * long, abs=0.3), off
            assert add.imag == pytest.approx(scale * long * cosine, abs=0.3), off
            assert add.real >= 0
            carried = 0 if off == "residual" else stream
            assert whole == pytest.approx(carried + add, abs=0.3), off
            assert arrow["added"][1] == arrow["after"][1], off


def test_a_menu_says_whether_a_part_adds_replaces_or_finds_nothing(opened):
    page = opened()
    key = page.locator(".aw-stream-key span:visible")
    adds = ["the stream before", "after", "what the part adds"]
    assert key.all_inner_texts() == adds
    choose(page, switched_off="residual")
    replaces = ["the stream before", "what the part puts in its place"]
    assert key.all_inner_texts() == replaces
    choose(page, switched_off="attention")
    assert key.all_inner_texts() == adds
    names = page.locator(".aw-stream li b").all_inner_texts()
    assert names == ["attention 1", "MLP 1", "attention 2", "MLP 2"]
    found = page.locator(".aw-stream li span").all_inner_texts()
    assert found[:2] == found[4:6] == ["nothing", ""]
    tops = {
        cell.bounding_box()["y"]
        for cell in parts(page).locator("span:first-of-type").all()
    }
    assert max(tops) - min(tops) < 1, "it keeps its column"


def test_on_a_phone_the_numbers_of_two_parts_stand_apart(opened):
    page = opened("#w=residual-stream", width=374)
    page.add_style_tag(content=WIDE)
    boxes = [each.locator("span").first.bounding_box() for each in parts(page).all()]
    for left, right in pairwise(boxes):
        assert right["x"] - left["x"] - left["width"] >= 10


def test_drawings_stay_in_their_frames_at_every_setting(opened):
    page = opened(width=390)
    for off in (NOTHING, *RECORDED):
        choose(page, switched_off=off)
        page.locator("input").press("Home")
        for word in WORDS:
            for svg in page.locator(".aw-stream svg").all():
                wide, tall = (float(svg.get_attribute(a)) for a in ("width", "height"))
                numbers = svg.locator("path").evaluate_all(
                    "(all) => all.map((path) => path.getAttribute('d')).join(' ')"
                )
                for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", numbers):
                    assert 0 <= float(x) <= wide, (off, word)
                    assert 0 <= float(y) <= tall, (off, word)
            page.locator("input").press("ArrowRight")


def test_numbers_below_the_arrows_are_those_of_the_word(opened, widget):
    page = opened("#w=residual-stream&word=egg")
    before, added, cosines = lengths(widget, NOTHING, "egg")
    assert page.locator(".aw-stream li span").all_inner_texts() == [
        text.replace("-", "\N{MINUS SIGN}")
        for b, a, c in zip(before, added, cosines, strict=True)
        for text in (f"{a / b:.2f} as long", f"cos {c:z.2f}")
    ]


def test_a_word_is_chosen_by_a_click_by_a_key_and_by_the_slider(opened):
    page = opened("#w=residual-stream&switched-off=all-norms&word=the")
    stream, strip = page.locator(".aw-stream"), page.get_by_role("listbox").first
    index = "document.querySelector('select').selectedIndex"
    assert page.evaluate(index) > 0
    press(page, "Reset")
    assert page.evaluate(index) == 0
    page.wait_for_function("!location.hash")

    def chosen():
        value = page.locator(".aw-value").inner_text()
        assert page.locator(".aw-token.aw-on").inner_text() == value
        return value

    assert chosen() == "[MASK]"
    first = stream.inner_text()
    page.get_by_role("option", name="child").hover()
    assert page.locator(".aw-value").inner_text() == "[MASK]", "pointed at, not chosen"
    page.get_by_role("option", name="child").click()
    away(page)
    assert chosen() == "child"
    assert stream.inner_text() != first
    page.wait_for_url("**#w=residual-stream&word=child")
    strip.focus()
    walk(
        [
            ("ArrowRight", "will"),  # from the chosen word on, and at once
            ("End", "egg"),
            ("Home", "the"),
            ("ArrowRight", "child"),
        ],
        strip.press,
        chosen,
    )
    page.get_by_role("option", name="egg").hover()
    strip.press("ArrowRight")  # a mouse that rests elsewhere does not move the start
    assert page.locator(".aw-value").inner_text() == "will"
    page.locator("input").press("ArrowRight")
    assert page.locator(".aw-value").inner_text() == "[MASK]"
    assert stream.inner_text() == first


def test_a_range_lies_on_its_bar_and_a_single_model_has_none(opened, widget):
    page = opened("#w=residual-stream&switched-off=all-norms")
    fields, limits = widget.panels[2].fields, widget.panels[2].options["limits"]
    widget.setting = {"switched off": "all norms"}
    low, high = (fields[name].at(widget.index) for name in ("low", "high"))
    lines = page.locator(".aw-bar-line").all()
    for k in (0, 1):
        track = lines[k].locator(".aw-bar-track").bounding_box()
        line = lines[k].locator(".aw-range").bounding_box()
        ends = [
            (line["x"] + width - track["x"]) / track["width"] * limits[1]
            for width in (0, line["width"])
        ]
        assert ends == pytest.approx([low[k], high[k]], abs=0.02)
    seen = "(node) => getComputedStyle(node).visibility"
    shown = [each.locator(".aw-range").evaluate(seen) for each in lines[:3]]
    assert shown == ["visible", "visible", "hidden"]
    lines[1].hover()
    mean = f"trained without: {fields['values'].at(widget.index)[1]:.2f}"
    assert said(page) == f"{mean} ({low[1]:.2f} to {high[1]:.2f})"
    lines[2].hover()
    assert said(page) == f"off in seed 0: {high[2]:.2f}"


def test_the_table_has_lengths_cosines_and_ranges(opened):
    page = opened("#w=residual-stream&switched-off=attention")
    shown = rows(page)
    heads = page.locator(".aw-table thead").all_inner_texts()
    assert "mean\tlow\thigh" in "\n".join(heads)
    ranges = {row[0]: row[2:] for row in shown if len(row) == 4}
    assert ranges["off in seed 0"] == ["", ""]  # a single model
    assert all(ranges["trained without"])
    added = [row for row in shown if row[0].startswith("MLP")]
    assert [row[0] for row in added] == ["MLP 1", "MLP 2"]
    assert all(len(row) == 5 for row in added)
