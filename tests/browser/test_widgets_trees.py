"""A beam search, a parse and the heads of cross-attention in a browser: trees that
grow, small maps that choose."""

import re
from itertools import pairwise

import numpy as np
import pytest
from browser.hands import WIDE, away, choose, press, rows, said, slide
from parses import made_up

from attention_book.chapters.encoder_decoder.widgets import (
    HARD,
    STEP,
    beam_tree,
    cross_attention,
)
from attention_book.chapters.not_only_translation.widgets import Parse, _parse_tree
from attention_book.data.treebank import readings

STATES = ["later", "kept", "abandoned", "best"]
LONG = ["we", "photographed", "the", "big", "dog", "with", "the", "telescope"]
LINES = re.compile(r"M(-?[\d.]+) (-?[\d.]+)L(-?[\d.]+) (-?[\d.]+)")
READ = """(all) => all.map((node) => ({
  x: +node.getAttribute("x"), y: +node.getAttribute("y"),
  state: node.getAttribute("class").slice(3),
  word: node.firstChild.textContent, value: node.lastChild.textContent,
  seen: getComputedStyle(node).visibility === "visible",
  box: node.getBoundingClientRect().toJSON() }))"""
APART = 3  # pixels between two words beside each other


@pytest.fixture(scope="module")
def searched():
    return beam_tree()


@pytest.fixture(scope="module")
def looked():
    return cross_attention()


@pytest.fixture(scope="module")
def parsed():
    return _parse_tree(made_up())


@pytest.fixture(scope="module")
def long_parsed():
    A = np.eye(len(LONG) + 1)
    parses = [
        Parse("long", str(k), LONG, tokens, A[np.arange(len(tokens)) % len(A)])
        for k, tokens in enumerate(one.tree.bracketed for one in readings(LONG, 2))
    ]
    return _parse_tree(parses)


@pytest.fixture
def opened(opened):
    def open_one(widget, at="", **options):
        widget.index = widget.spec["default"]
        return opened(widget, at=at, **options)

    return open_one


def nodes(page):
    return page.locator(".aw-tree text").evaluate_all(READ)


def of(widget, panel, name):
    return widget.panels[panel].fields[name].at(widget.index)


@pytest.mark.parametrize("width", [390, 1280])
def test_words_stand_in_their_rows_and_hang_from_their_parents(opened, searched, width):
    page = opened(searched, width=width)
    for step, moves in (
        (1, ["Home"]),
        (3, 2 * ["ArrowRight"]),
        (6, 3 * ["ArrowRight"]),
    ):
        slide(page, "step", *moves)
        searched.setting = {STEP: step}
        drawn, parents = nodes(page), of(searched, 0, "parents")
        places, states = of(searched, 0, "places"), of(searched, 0, "states")
        assert [node["word"] for node in drawn] == of(searched, 0, "words")
        assert [node["value"] for node in drawn] == of(searched, 0, "values")
        assert [node["state"] for node in drawn] == [STATES[int(s)] for s in states]
        tops, column = {}, drawn[2]["x"] - drawn[1]["x"]
        for node, (row, at) in zip(drawn, places, strict=True):
            assert node["y"] == tops.setdefault(row, node["y"])
            assert node["x"] == pytest.approx((at + 0.5) * column, abs=0.2)
            assert node["seen"] == (row <= step)
        assert [tops[row] for row in sorted(tops)] == sorted({*tops.values()})
        for state in STATES:
            path = page.locator(f".aw-tree path.aw-{state}").get_attribute("d")
            ends = [[*map(float, line)] for line in LINES.findall(path)]
            wanted = [
                [drawn[p]["x"], drawn[p]["y"] + 5, node["x"], node["y"] - 13.5]
                for node, p in zip(drawn, parents.astype(int), strict=True)
                if node["state"] == state and p >= 0
            ]
            assert len(ends) == len(wanted)
            np.testing.assert_allclose(ends, wanted, atol=0.11)
        hidden = page.locator(".aw-tree path.aw-later")
        hides = "(node) => getComputedStyle(node).visibility"
        assert hidden.evaluate(hides) == "hidden"


def best(page):
    return " ".join(node["word"] for node in nodes(page) if node["state"] == "best")


def test_a_step_brings_the_next_words_and_a_width_searches_anew(opened, searched):
    page = opened(searched)
    assert best(page) == "[START] notre enfant"
    before = nodes(page)
    for _ in range(3):
        page.locator("input[type=range]").press("ArrowRight")
    after = nodes(page)
    assert sum(node["seen"] for node in after) > sum(node["seen"] for node in before)
    assert best(page) == "[START] notre grand enfant [STOP]"
    page.wait_for_url("**#w=beam-tree&step=5")
    choose(page, beam_width="1")
    until(page, "notre enfant")
    press(page, "Reset")
    assert page.locator(".aw-value").inner_text() == "2"
    page.wait_for_function("!location.hash")
    page.wait_for_function("document.querySelectorAll('.aw-tree text').length > 9")
    assert best(page) == "[START] notre enfant"
    assert len(nodes(page)) == len(before)


def until(page, words):
    """Wait until the worker has found them."""
    page.wait_for_function(
        """(words) => words === [...document.querySelectorAll(".aw-tree text.aw-best")]
          .map((node) => node.firstChild.textContent).join(" ")""",
        arg=f"[START] {words} [STOP]",
    )


def test_the_table_holds_nothing_that_comes_later(opened, searched):
    page = opened(searched, "#w=beam-tree&step=1")
    shown = rows(page)
    head = page.locator(".aw-table thead :is(th, td)").all_inner_texts()
    assert head == ["words", "value", "state"]
    assert ["[START] notre", "0.00", "best"] in shown
    assert len(shown) == 4
    assert {row[2] for row in shown} == {"best", "kept"}
    assert max(len(row[0].split()) for row in shown) == 2


@pytest.mark.parametrize("width", [374, 1280])
def test_no_word_covers_another_or_is_cut_whatever_is_searched(opened, searched, width):
    page = opened(searched, "#w=beam-tree&step=8", width=width)
    page.add_style_tag(content=WIDE)
    frame = page.locator(".aw-tree").bounding_box()
    sentence = page.get_by_label("English", exact=True)
    for typed, found in (
        (HARD[1], "une maison européenne en août"),
        (HARD[2], "petits enfants ont visité cette voiture"),
    ):
        sentence.fill(typed)
        until(page, found)
        lines = {}
        for node in nodes(page):
            lines.setdefault(node["y"], []).append(node["box"])
        for boxes in lines.values():
            boxes.sort(key=lambda box: box["x"])
            assert boxes[0]["left"] >= frame["x"]
            assert boxes[-1]["right"] <= frame["x"] + frame["width"]
            for left, right in pairwise(boxes):
                assert right["left"] - left["right"] >= APART, typed
    rows(page)
    table = page.locator(".aw-scroll")
    assert table.evaluate("(node) => node.scrollWidth - node.clientWidth") == 0
    first = page.locator(".aw-table tbody th").first
    assert first.evaluate("(node) => getComputedStyle(node).textAlign") == "left"
    choose(page, beam_width="1")
    sentence.fill(HARD[1])
    until(page, "une maison européenne a vu en août")


def test_what_is_abandoned_is_told_by_form(opened, searched):
    page = opened(searched, "#w=beam-tree&step=8")
    line = "(node) => getComputedStyle(node).textDecorationLine"
    gone = page.locator(".aw-tree text.aw-abandoned tspan")
    assert gone.first.evaluate(line) == "line-through"
    assert gone.nth(1).evaluate(line) == "none"
    dashes = "(node) => getComputedStyle(node).strokeDasharray"
    assert page.locator("path.aw-abandoned").evaluate(dashes) != "none"
    assert page.locator("path.aw-kept").evaluate(dashes) == "none"
    assert page.locator(".aw-stream-key span").all_inner_texts() == STATES[1:]


def test_a_small_map_chooses_its_head_by_a_click(opened, looked):
    page = opened(looked)
    head, now = (
        page.locator('select[data-control="head"]'),
        page.locator(".aw-map.aw-on"),
    )
    third = page.locator(".aw-map").nth(2)
    third.hover()
    assert head.evaluate("(node) => node.selectedIndex") == 0
    third.locator("svg").click()
    assert head.evaluate("(node) => node.selectedIndex") == 2
    page.wait_for_url("**#w=cross-attention&head=3")
    page.locator(".aw-map-name", has_text="mean").click()
    away(page)
    assert head.evaluate("(node) => node.selectedIndex") == 4
    assert now.inner_text() == "mean"
    page.locator("input").focus()
    choose(page, head="1")
    assert now.inner_text() == "head 1"


TALL = "(node) => node.height.baseVal.value"
WEIGHTS = "(all) => all.map((node) => +node.style.getPropertyValue('--aw-weight'))"


def test_the_word_that_is_written_lights_what_the_head_looks_at(opened, looked):
    page = opened(looked, "#w=cross-attention&word=5&block=1")
    source, target = page.locator(".aw-spot").all()
    for head in ("1", "4", "mean"):
        choose(page, head=head)
        looked.setting = {"head": head, "word": 5, "block": 1}
        assert target.locator(".aw-on").all_inner_texts() == ["pomme"]
        weights = source.locator(".aw-token").evaluate_all(WEIGHTS)
        assert weights == pytest.approx(of(looked, 0, "values")[4], abs=0.003), head
        assert source.locator(".aw-is-right").all_inner_texts() == ["apple"]
        bands = page.locator(".aw-map .aw-band")
        tops = bands.evaluate_all("(all) => all.map((node) => node.y.baseVal.value)")
        assert tops == [tops[0]] * 5, head
        assert tops[0] == pytest.approx(4 * bands.first.evaluate(TALL), abs=0.1)


def boxes_of(page, what):
    return page.locator(what).evaluate_all(
        "(all) => all.map((node) => node.getBoundingClientRect().toJSON())"
    )


def overlap(one, other):
    across = one["left"] < other["right"] and other["left"] < one["right"]
    return across and one["top"] < other["bottom"] and other["top"] < one["bottom"]


@pytest.mark.parametrize("width", [374, 1280])
@pytest.mark.parametrize("which", ["parsed", "long_parsed"])
def test_in_a_tree_no_word_or_line_covers_another_word(opened, request, which, width):
    widget = request.getfixturevalue(which)
    page = opened(widget, width=width)
    page.add_style_tag(content=WIDE)
    frame = page.locator(".aw-tree").bounding_box()
    sizes = "(all) => all.map((node) => getComputedStyle(node).fontSize)"
    texts = page.locator(".aw-tree text, .aw-read li").evaluate_all(sizes)
    assert {*texts} == {"10.5px" if width == 374 else "13px"}
    slider = page.locator("input")
    for reading in widget.controls[1].values:
        choose(page, reading=reading)
        slider.press("Home")
        for _ in widget.controls[2].values:
            drawn, read = nodes(page), boxes_of(page, ".aw-read li")
            labels = [node["box"] for node in drawn]
            for some in (labels, read):
                for i, one in enumerate(some):
                    assert one["left"] >= frame["x"] - 0.5
                    assert one["right"] <= frame["x"] + frame["width"] + 0.5
                    assert not any(overlap(one, other) for other in some[:i])
            for line in page.locator(".aw-tree path").all():
                d = line.get_attribute("d")
                for x, high, low in re.findall(r"L([\d.]+) ([\d.]+)V([\d.]+)", d):
                    middle = frame["x"] + float(x)
                    upright = {"left": middle, "right": middle}
                    upright |= {"top": frame["y"] + float(high)}
                    upright |= {"bottom": frame["y"] + float(low)}
                    assert not any(overlap(upright, box) for box in labels)
            slider.press("ArrowRight")


def test_each_step_draws_what_is_written_and_weighs_what_is_read(opened, parsed):
    page = opened(parsed, "#w=parse-tree&step=1")
    for step, (token, a) in enumerate(
        zip(made_up()[0].tokens, made_up()[0].A, strict=True), 1
    ):
        parsed.setting = {"step": step}
        drawn = nodes(page)
        assert [node["word"] for node in drawn] == of(parsed, 1, "words")
        states = of(parsed, 1, "states").astype(int)
        named = ["later", "closed", "open", "new"]
        assert [node["state"] for node in drawn] == [named[s] for s in states]
        assert all(node["seen"] for node in drawn)
        assert page.locator(".aw-text").inner_text().split()[-1] == token
        weights = page.locator(".aw-read li").evaluate_all(WEIGHTS)
        assert weights == pytest.approx(a, abs=0.003), token
        page.locator("input").press("ArrowRight")


def test_what_is_read_can_be_pointed_at_and_walked(opened, parsed):
    page = opened(parsed, "#w=parse-tree&step=9")
    idle = said(page)
    page.locator(".aw-read li", has_text="elephant").hover()
    assert said(page) == "elephant gets 0.15 of the attention"
    away(page)
    assert said(page) == idle
    words = page.get_by_role("listbox", name="Looked at")
    for key, line in (
        ("ArrowRight", "i gets 0.04"),
        ("End", "[STOP] gets 0.00"),
        ("ArrowLeft", "pajamas gets"),
    ):
        words.press(key)
        assert said(page).startswith(line)
    assert words.locator(".aw-on").all_inner_texts() == ["pajamas"]
    page.locator("input").focus()
    assert said(page) == idle


def test_the_table_of_a_parse_holds_its_phrases_and_its_weights(opened, parsed):
    shown = rows(opened(parsed, "#w=parse-tree&step=8"))
    assert shown[0] == ["(S", "", "open"]
    assert shown[1:3] == [["(S NP", "", "closed"], ["(S NP i", "", "closed"]]
    assert shown[7] == ["i", "0.04", "looked at"]
    assert len(shown) == 7 + 8
