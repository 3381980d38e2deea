"""A vector's way up a fresh stack, in a browser: the page's worker computes it."""

import pytest
from browser.pages import WATCH, page_with

from attention_book.chapters.norm_and_residuals.widgets import climb


@pytest.fixture
def opened(tmp_path, open_page):
    def open_one(widget, **options):
        return open_page(page_with(tmp_path / "climb.html", widget()), **options)

    return open_one


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
