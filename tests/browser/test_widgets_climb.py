"""A vector's way up a fresh stack, in a browser: the page's worker computes it."""

import pytest
from browser.hands import choose, little_changes, press, said
from playwright.sync_api import expect

from attention_book.chapters.norm_and_residuals.widgets import (
    ALONE,
    EXAMPLES,
    climb,
    likeness,
)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_worker_follows_the_controls(opened, width):
    page = opened(climb(), width=width)
    line = page.locator(".aw-line").first
    was = line.get_attribute("d")
    with little_changes(page):
        choose(page, residual="on")
        expect(line).not_to_have_attribute("d", was)
    press(page, "Show numbers")
    last, size, *_ = page.locator("table").first.locator("tr").last.inner_text().split()
    assert last == "24"
    assert float(size) == pytest.approx(7.72, abs=0.3)
    ticks = page.locator(".aw-plot").nth(1).locator(".aw-tick[text-anchor=middle]")
    assert ticks.count() >= 3


@pytest.mark.parametrize("width", [390, 1280])
def test_a_pressed_word_is_offered_words_for_its_place(opened, width):
    page = opened(likeness(), width=width)
    offers = page.get_by_role("group", name="Offered").get_by_role("button")
    assert offers.all_inner_texts() == [*EXAMPLES]
    for word, other in (("bread", "apples"), ("eating", "buying"), ("we", "they")):
        press(page, word)
        assert other in offers.all_inner_texts()
        press(page, word)


def test_a_single_word_has_no_likeness_and_the_figure_says_so(opened):
    page = opened(likeness())
    field = page.locator("input[data-control=sentence]")
    curves = page.locator(".aw-plot .aw-line")

    def absent():
        shapes = curves.evaluate_all("(all) => all.map((l) => l.getAttribute('d'))")
        return sum(not d for d in shapes), len(shapes)

    assert ALONE not in said(page)
    assert absent() == (0, 2)
    for sentence, alone in (("bread", True), ("the bread", False)):
        field.fill(sentence)
        line = expect(page.locator(".aw-out"))
        (line.to_contain_text if alone else line.not_to_contain_text)(ALONE)
        assert absent() == (alone, 2)
