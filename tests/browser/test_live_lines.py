"""What a figure's line says has come out of a change, and how a mistake is marked."""

import pytest
from playwright.sync_api import expect

from attention_book.chapters.norm_and_residuals.widgets import likeness, norm_by_hand
from attention_book.chapters.self_attention.step_by_step import by_hand


def choose_a_stack(page):
    page.get_by_label("stack").select_option(label="with residual, no norm")


def press_outlier(page):
    page.get_by_role("button", name="outlier").click()


def press_plus_three(page):
    page.get_by_role("button", name="start + 3").click()


def type_a_number(page):
    page.locator("input.aw-cell").first.fill("0.5")


@pytest.mark.parametrize(
    ("make", "change", "says"),
    [
        (likeness, choose_a_stack, "At blocks passed 24: the other words (likeness): "),
        (norm_by_hand, press_outlier, "z = −0.43, −0.70, 1.98, −0.29, −0.56; y = "),
        (norm_by_hand, press_plus_three, "As at the start: z = 0.50, "),
        (by_hand, type_a_number, "X, horse, column 1: 0.5; y = "),
    ],
)
def test_the_line_says_what_has_come_out_of_a_change(make, change, says, opened):
    page = opened(make())
    line = page.locator(".aw-out")
    page.wait_for_function("document.querySelector('.aw-out').textContent")
    first = line.inner_text()
    assert not first.startswith(says)
    change(page)
    page.mouse.move(1, 1)
    page.wait_for_function(
        "(says) => document.querySelector('.aw-out').textContent.startsWith(says)",
        arg=says,
    )


def test_a_number_that_is_as_it_was_is_no_news(opened):
    page = opened(norm_by_hand())
    first = page.locator(".aw-out").inner_text()
    press_outlier(page)
    expect(page.locator(".aw-out")).not_to_have_text(first)
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".aw-out")).to_have_text(first)


def test_an_unknown_word_is_a_mistake_and_a_pressed_one_is_named(opened):
    page = opened(likeness())
    typed = page.get_by_role("textbox")
    page.get_by_role("button", name="bread").click()
    expect(page.get_by_text("Instead of “bread”:")).to_be_visible()
    expect(typed).to_have_attribute("aria-invalid", "false")
    typed.fill("we are eating brexd")
    expect(typed).to_have_attribute("aria-invalid", "true")
    typed.fill("we are eating bread")
    expect(typed).to_have_attribute("aria-invalid", "false")


def test_paper_has_what_closer_looks_hold(site, open_page):
    page = open_page(f"{site}/chapters/05_self_attention.html")
    folded = page.locator("details.closer-look:not([open])")
    some = folded.count()
    page.locator("details.closer-look > summary").first.click()  # a reader's own
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (folded.count(), some > 2) == (0, True)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folded.count() == some - 1
