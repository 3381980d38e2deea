"""A sentence whose words look at one another, and the network that reads it."""

import re

import pytest
from browser.pages import WATCH
from playwright.sync_api import expect

from attention_book.chapters.self_attention.widgets import (
    right_and_wrong_map,
    what_is_it,
)

LINES = """(all) => all.filter((line) => line.getAttribute("d")).length"""


@pytest.fixture
def opened(opened):
    return lambda make=what_is_it, **options: opened(make(), **options)


def word(page, name, which=0):
    return page.locator(".aw-looks li").filter(has_text=name).nth(which)


def said(page, *expected):
    """Wait until the answers are these."""
    page.wait_for_function(
        """(words) => [...document.querySelectorAll(
          ".aw-looks li:not(.aw-best) .aw-said")].map((node) => node.textContent)
          .filter(Boolean).join(" ") === words""",
        arg=" ".join(expected),
    )


def test_the_word_pointed_at_has_lines_to_what_it_looks_at(opened):
    page = opened()
    out, best = page.locator(".aw-out"), page.locator(".aw-looks .aw-best")
    assert out.inner_text() == "The largest weight of scared (es) is 0.95, on horse"
    assert best.inner_text().split() == ["horse", "0.95"]
    assert page.locator(".aw-looking path").evaluate_all(LINES) == 2
    word(page, "parked").hover()
    assert out.inner_text() == "The largest weight of parked (er) is 0.99, on bus"
    assert best.inner_text().split() == ["bus", "0.99"]
    assert page.locator(".aw-looking path").evaluate_all(LINES) == 1


def test_a_word_is_exchanged_and_hidden_and_the_network_answers(opened):
    page = opened()
    said(page, "es", "er")
    word(page, "horse").click()
    page.get_by_role("button", name="field", exact=True).click()
    said(page, "-", "er")
    word(page, "bus").click()
    page.get_by_role("button", name="hide bus").click()
    said(page, "-", "-")
    assert page.get_by_role("button", name="show bus").count()
    assert "aw-hidden-word" in word(page, "bus").get_attribute("class")
    page.get_by_role("button", name="Reset").click()
    said(page, "es", "er")


def test_it_is_walked_and_pressed_by_keyboard_and_typed(opened):
    page = opened()
    page.get_by_role("listbox").focus()
    page.keyboard.press("ArrowLeft")  # from scared, where the lines are
    assert (
        page.locator(".aw-out").inner_text().startswith("The largest weight of was is")
    )
    for key in ("Home", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name="dog", exact=True).click()
    said(page, "er", "er")
    typed = page.get_by_role("textbox")
    typed.fill(typed.input_value().replace("bus", "tram"))
    said(page, "er", "sie")
    typed.fill(typed.input_value().replace("tram", "lorry"))
    assert "never met" in page.get_by_role("status").first.inner_text()
    said(page, "er", "sie")
    stage = page.locator(".aw-stage")
    expect(stage).to_have_css("opacity", "0.8")  # of the sentence before
    page.get_by_role("button", name="Reset").click()
    said(page, "es", "er")
    expect(stage).to_have_css("opacity", "1")
    typed.fill(typed.input_value().replace("bus", "lorry"))
    page.get_by_role("button", name="Reset").click()  # the sentence was none other
    expect(typed).to_have_value(re.compile("bus"))


def test_a_pressed_word_stays_until_another_is_pressed_or_all_is_reset(opened):
    page = opened()
    out, best = page.locator(".aw-out"), page.locator(".aw-looks .aw-best")
    hide = page.locator(".aw-hide")
    word(page, "parked").click()
    word(page, "soup").hover()
    page.mouse.move(1, 1)
    assert out.inner_text() == "The largest weight of parked (er) is 0.99, on bus"
    assert best.inner_text().split() == ["bus", "0.99"]
    assert hide.inner_text() == "hide parked"
    word(page, "horse").click()
    page.mouse.move(1, 1)
    assert out.inner_text().startswith("The largest weight of horse is")
    page.get_by_role("button", name="field", exact=True).click()
    said(page, "-", "er")
    assert out.inner_text() == "The largest weight of parked (er) is 0.99, on bus"
    for _ in range(2):  # with another sentence, and with the same
        page.get_by_role("button", name="Reset").click()
        said(page, "es", "er")
        assert out.inner_text() == "The largest weight of scared (es) is 0.95, on horse"
        assert hide.count() == 0
        word(page, "horse").click()
        assert hide.inner_text() == "hide horse"


@pytest.mark.parametrize("touch", [False, True])
@pytest.mark.parametrize(
    ("name", "offer", "answers", "told"),
    [
        ("horse", "field", ["-", "er"], "scared (-) is 0.70, on because"),
        ("bus", "car", ["es", "es"], "scared (es) is 0.95, on horse"),
        ("bus", "hide bus", ["es", "-"], "scared (es) is 0.95, on horse"),
    ],
)
def test_after_an_offer_the_word_asks_that_asked_before(
    opened, touch, name, offer, answers, told
):
    page = opened(has_touch=touch)
    press = (lambda one: one.tap()) if touch else (lambda one: one.click())
    press(word(page, name))
    press(page.get_by_role("button", name=offer, exact=True))
    said(page, *answers)
    assert page.locator(".aw-out").inner_text() == f"The largest weight of {told}"
    assert page.get_by_role("button", name="park", exact=True).count()  # on offer still


def test_after_a_word_is_shown_again_and_exchanged_twice_the_same_word_asks(opened):
    page = opened()
    out = page.locator(".aw-out")
    word(page, "bus").click()
    for offer, answers in (
        ("hide bus", ["es", "-"]),
        ("show bus", ["es", "er"]),
        ("tram", ["es", "sie"]),
        ("field", ["es", "-"]),
    ):
        page.get_by_role("button", name=offer, exact=True).click()
        said(page, *answers)
        assert out.inner_text() == "The largest weight of scared (es) is 0.95, on horse"
    word(page, "field").click()  # lets it go
    page.mouse.move(1, 1)
    assert out.inner_text().startswith("The largest weight of scared (es) is")
    assert page.locator(".aw-hide").count() == 0


def test_what_a_word_offers_is_read_on_a_phone(opened):
    page = opened(width=390)
    word(page, "horse").click()
    cut = page.locator(".aw-offers button").evaluate_all(
        "(all) => all.filter((b) => b.scrollWidth > b.clientWidth"
        " || b.offsetHeight > 34).map((b) => b.textContent)"
    )
    assert cut == []


def test_two_maps_are_pointed_at_together(opened):
    page = opened(right_and_wrong_map)
    best = page.locator(".aw-looks .aw-best")
    assert [each.split() for each in best.all_inner_texts()] == [
        ["car", "0.98"],
        ["it", "0.61"],
    ]
    assert page.locator(".aw-out").inner_text() == (
        "The largest weight of parked (es) is 0.98, on car; below, "
        "the largest weight of parked (es) is 0.61, on it"
    )
    word(page, "car").click()
    page.get_by_role("button", name="hide car").click()
    said(page, "es", "-", "es", "es")
    assert page.locator(".aw-out").inner_text() == (
        "The largest weight of parked (-) is 0.85, on was; below, "
        "the largest weight of parked (es) is 0.62, on it"
    )


def test_two_maps_are_both_told_while_a_word_is_pointed_at(opened):
    page = opened(right_and_wrong_map)
    for which in (0, 1):  # in the first, and in the second
        word(page, "scared", which).hover()
        assert page.locator(".aw-out").inner_text() == (
            "The largest weight of scared (es) is 0.95, on horse; below, "
            "the largest weight of scared (es) is 0.98, on horse"
        )


@pytest.mark.parametrize("make", [what_is_it, right_and_wrong_map])
def test_pointing_changes_little_of_the_page(opened, make):
    page = opened(make)
    page.evaluate(WATCH)
    page.evaluate("window.changes = 0")
    word(page, "soup").hover()
    assert 0 < page.evaluate("window.changes") <= 150
