"""A vector's way up a fresh stack, in a browser: the page's worker computes it."""

import pytest
from browser.pages import WATCH

from attention_book.chapters.norm_and_residuals.widgets import (
    ALONE,
    EXAMPLES,
    climb,
    likeness,
)


@pytest.fixture
def opened(opened):
    return lambda make, **options: opened(make(), **options)


def numbers(page):
    """The last row of each panel's table."""
    page.get_by_role("button", name="Show numbers").click()
    rows = [
        table.locator("tr").last.inner_text().split()
        for table in page.locator("table").all()
    ]
    page.get_by_role("button", name="Hide numbers").click()
    return rows


def choose(page, name, label):
    page.locator(f'select[data-control="{name}"]').select_option(label=label)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_worker_follows_the_controls(opened, width):
    page = opened(climb, width=width)
    line = page.locator(".aw-line").first
    was = line.get_attribute("d")
    page.evaluate(WATCH)
    choose(page, "residual", "on")
    page.wait_for_function(
        f"document.querySelector('.aw-line').getAttribute('d') !== {was!r}"
    )
    assert 0 < page.evaluate("window.changes") <= 150
    size, _ = numbers(page)
    assert size[0] == "24"
    assert float(size[1]) == pytest.approx(7.72, abs=0.3)


def drawn(page):
    return page.locator(".aw-plot .aw-line").evaluate_all(
        "(all) => all.map((line) => Boolean(line.getAttribute('d')))"
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_the_steps_keep_more_than_one_tick(opened, width):
    page = opened(climb, width=width)
    ticks = page.locator(".aw-plot").nth(1).locator(".aw-tick[text-anchor=middle]")
    assert ticks.count() >= 3


@pytest.mark.parametrize("width", [390, 1280])
def test_a_pressed_word_is_offered_words_for_its_place(opened, width):
    page = opened(likeness, width=width)
    offers = page.get_by_role("group", name="Offered").get_by_role("button")
    assert offers.all_inner_texts() == [*EXAMPLES]
    for word, other in (("bread", "apples"), ("eating", "buying"), ("we", "they")):
        page.get_by_role("button", name=word, exact=True).click()
        assert other in offers.all_inner_texts()
        page.get_by_role("button", name=word, exact=True).click()


def test_a_single_word_has_no_likeness_and_the_figure_says_so(opened):
    page = opened(likeness)
    out = page.locator(".aw-out")
    field = page.locator("input[data-control=sentence]")
    assert ALONE not in out.inner_text()
    assert drawn(page)[:1] == [True]
    field.fill("bread")
    page.wait_for_function(
        f"document.querySelector('.aw-out').textContent.includes({ALONE!r})"
    )
    assert sorted(drawn(page)) == [False, True]
    field.fill("the bread")
    page.wait_for_function(
        f"!document.querySelector('.aw-out').textContent.includes({ALONE!r})"
    )
    assert drawn(page) == [True, True]
