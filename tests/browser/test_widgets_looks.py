"""A sentence whose words look at one another, and the network that reads it."""

import re

import pytest
from browser.hands import CUT, away, keys, little_changes, press, said
from playwright.sync_api import expect

from attention_book.chapters.self_attention.widgets import (
    right_and_wrong_map,
    what_is_it,
)

LINES = """(all) => all.filter((line) => line.getAttribute("d")).length"""
SCARED, PARKED = "scared (es) attends 0.95 to horse", "parked (er) attends 0.99 to bus"


@pytest.fixture
def opened(opened):
    return lambda make=what_is_it, **options: opened(make(), **options)


def word(page, name, which=0):
    return page.locator(".aw-looks li").filter(has_text=name).nth(which)


def answered(page, *expected):
    """Wait until the answers are these."""
    page.wait_for_function(
        """(words) => [...document.querySelectorAll(
          ".aw-looks li:not(.aw-best) .aw-said")].map((node) => node.textContent)
          .filter(Boolean).join(" ") === words""",
        arg=" ".join(expected),
    )


def best(page):
    return [each.split() for each in page.locator(".aw-best").all_inner_texts()]


def test_the_word_pointed_at_has_lines_to_what_it_looks_at(opened):
    page = opened()
    looking = page.locator(".aw-looking path")
    assert (said(page), best(page)) == (SCARED, [["horse", "0.95"]])
    assert looking.evaluate_all(LINES) == 2
    with little_changes(page):
        word(page, "soup").hover()
    word(page, "parked").hover()
    assert (said(page), best(page)) == (PARKED, [["bus", "0.99"]])
    assert looking.evaluate_all(LINES) == 1


def test_a_word_is_exchanged_and_hidden_and_the_network_answers(opened):
    page = opened()
    answered(page, "es", "er")
    word(page, "horse").click()
    press(page, "field")
    answered(page, "-", "er")
    word(page, "bus").click()
    press(page, "hide bus")
    answered(page, "-", "-")
    assert page.get_by_role("button", name="show bus").count()
    assert "aw-hidden-word" in word(page, "bus").get_attribute("class")
    press(page, "Reset")
    answered(page, "es", "er")


def test_it_is_walked_and_pressed_by_keyboard_and_typed(opened):
    page = opened()
    page.get_by_role("listbox").focus()
    keys(page, "ArrowLeft")  # from scared, where the lines are
    assert said(page).startswith("was attends")
    keys(page, "Home", "ArrowRight", "Enter")
    press(page, "dog")
    answered(page, "er", "er")
    typed = page.get_by_role("textbox")
    typed.fill(typed.input_value().replace("bus", "tram"))
    answered(page, "er", "sie")
    typed.fill(typed.input_value().replace("tram", "lorry"))
    assert "never met" in page.get_by_role("status").first.inner_text()
    answered(page, "er", "sie")
    stage = page.locator(".aw-stage")
    expect(stage).to_have_css("opacity", "0.8")  # of the sentence before
    press(page, "Reset")
    answered(page, "es", "er")
    expect(stage).to_have_css("opacity", "1")
    typed.fill(typed.input_value().replace("bus", "lorry"))
    press(page, "Reset")  # the sentence was none other
    expect(typed).to_have_value(re.compile("bus"))


@pytest.mark.parametrize(("asks", "width"), [("parked", 700), ("scared", 390)])
def test_a_weight_stands_beside_the_line_that_comes_up_to_its_word(opened, asks, width):
    page = opened(width=width)
    word(page, asks).hover()
    (shown,) = page.locator(".aw-best").all()
    assert shown.bounding_box()["y"] < word(page, asks).bounding_box()["y"]
    box, label = shown.bounding_box(), shown.locator(".aw-said").bounding_box()
    middle = box["x"] + box["width"] / 2
    assert label["x"] > middle + 5 or label["x"] + label["width"] < middle - 5


def test_a_pressed_word_stays_until_another_is_pressed_or_all_is_reset(opened):
    page = opened()
    hide = page.locator(".aw-hide")
    word(page, "parked").click()
    word(page, "soup").hover()
    away(page)
    assert (said(page), best(page)) == (PARKED, [["bus", "0.99"]])
    assert hide.inner_text() == "hide parked"
    word(page, "horse").click()
    away(page)
    assert said(page).startswith("horse attends")
    press(page, "field")
    answered(page, "-", "er")
    assert said(page) == f"{PARKED}; changed: scared (-)", "and what else has changed"
    word(page, "bus").hover()
    away(page)
    assert said(page) == PARKED, "old news"
    for _ in range(2):  # with another sentence, and with the same
        press(page, "Reset")
        answered(page, "es", "er")
        assert said(page) == SCARED
        assert hide.count() == 0
        word(page, "horse").click()
        assert hide.inner_text() == "hide horse"


@pytest.mark.parametrize("touch", [False, True])
def test_after_an_offer_the_word_asks_that_asked_before(opened, touch):
    page = opened(has_touch=touch)
    do = "tap" if touch else "click"
    for name, offer, still, answers, told in (
        ("horse", "field", "park", ["-", "er"], "scared (-) attends 0.70 to because"),
        ("bus", "car", "tram", ["es", "es"], f"{SCARED}; changed: parked (es)"),
        ("bus", "hide bus", "tram", ["es", "-"], f"{SCARED}; changed: parked (-)"),
    ):
        getattr(word(page, name), do)()
        getattr(page.get_by_role("button", name=offer, exact=True), do)()
        answered(page, *answers)
        assert said(page) == told, offer
        offered = page.get_by_role("button", name=still, exact=True)
        assert offered.count(), "on offer still"
        press(page, "Reset")
        answered(page, "es", "er")


def test_after_a_word_is_shown_again_and_exchanged_twice_the_same_word_asks(opened):
    page = opened()
    word(page, "bus").click()
    for offer, answers in (
        ("hide bus", ["es", "-"]),
        ("show bus", ["es", "er"]),
        ("tram", ["es", "sie"]),
        ("street", ["es", "-"]),
    ):
        press(page, offer)
        answered(page, *answers)
        assert said(page) == f"{SCARED}; changed: parked ({answers[1]})", offer
    word(page, "street").click()  # lets it go
    away(page)
    assert said(page).startswith("scared (es) attends")
    assert page.locator(".aw-hide").count() == 0


@pytest.mark.parametrize("width", [390, 760])
def test_what_a_pressed_word_offers_moves_no_word(opened, width):
    page = opened(width=width)
    top = word(page, "horse").bounding_box()["y"]
    for name in ("horse", "parked", "was"):  # many offers, some, none
        word(page, name).click()
        assert word(page, "horse").bounding_box()["y"] == top, name


def test_an_offer_that_is_taken_leaves_the_focus_among_the_offers(opened):
    page = opened()
    word(page, "bus").click()
    page.get_by_role("button", name="tram", exact=True).press("Enter")
    answered(page, "es", "sie")
    assert page.evaluate("document.activeElement.className") == "aw-offer"
    page.get_by_role("button", name="hide tram").press("Enter")
    answered(page, "es", "-")
    assert page.evaluate("document.activeElement.textContent") == "show tram"


def test_what_a_word_offers_is_read_on_a_phone(opened):
    page = opened(width=390)
    word(page, "horse").click()
    offers = page.locator(".aw-offers button")
    assert offers.evaluate_all(CUT) == []
    heights = offers.evaluate_all("(all) => all.map((b) => b.offsetHeight)")
    assert max(heights) <= 34


def test_two_maps_are_pointed_at_and_told_together(opened):
    page = opened(right_and_wrong_map)
    assert best(page) == [["car", "0.98"], ["it", "0.61"]]
    assert (
        said(page)
        == "parked (es) attends 0.98 to car; below, parked (es) attends 0.61 to it"
    )
    with little_changes(page):
        word(page, "soup").hover()
    for which in (0, 1):  # in the first, and in the second
        word(page, "scared", which).hover()
        assert said(page) == f"{SCARED}; below, scared (es) attends 0.98 to horse"
    word(page, "car").click()
    press(page, "hide car")
    answered(page, "es", "-", "es", "es")
    away(page)
    assert (
        said(page)
        == "parked (-) attends 0.85 to was; below, parked (es) attends 0.62 to it"
    )
