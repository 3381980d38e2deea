"""Plumbing is out of sight until the switch *Code: ideas / everything* shows it."""

import nbformat
import pytest
from browser.pages import ROOT, SHIFT, WRITTEN, faults
from playwright.sync_api import expect

PAGES = [page for page in WRITTEN if (ROOT / page).with_suffix(".ipynb").is_file()]
WITHOUT_CODE = {"colab", "remove-input"}
PLUMBING = WITHOUT_CODE | {"hide-input"}
CHAPTER, ANOTHER = "chapters/02_attention.html", "chapters/09_cnn_attention.html"
KEEP = 'localStorage.setItem("attention-book-code", "code-everything")'
SEEN = """() => {
  document.querySelectorAll("details").forEach((node) => (node.open = true));
  return [...document.querySelectorAll("div.cell_input pre")]
    .filter((node) => node.checkVisibility()).length;
}"""


def codes(page, without):
    """How many code cells of a page's notebook have none of these tags."""
    cells = nbformat.read((ROOT / page).with_suffix(".ipynb"), as_version=4).cells
    tags = [{*c.metadata.get("tags", [])} for c in cells if c.cell_type == "code"]
    return sum(not each & without for each in tags)


def option(page, name):
    return page.get_by_role("group", name="Code").get_by_role("radio", name=name)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("script", [True, False])
def test_the_switch_shows_the_code_of_the_ideas_or_all(path, script, site, open_page):
    page = open_page(f"{site}/{path}", java_script_enabled=script)
    ideas, everything = codes(path, PLUMBING), codes(path, WITHOUT_CODE)
    assert page.evaluate(SEEN) == ideas
    if ideas == everything:
        assert page.locator(".code-switch").count() == 0
        return
    option(page, "everything").check()
    assert page.evaluate(SEEN) == everything
    option(page, "ideas").check()
    assert page.evaluate(SEEN) == ideas


@pytest.mark.parametrize("from_disk", [True, False])
def test_the_choice_is_kept_from_page_to_page(from_disk, site, site_folder, open_page):
    book = site_folder.as_uri() if from_disk else site
    page = open_page(f"{book}/{CHAPTER}")
    option(page, "everything").check()
    page.goto(f"{book}/{ANOTHER}")
    expect(option(page, "everything")).to_be_checked()
    option(page, "ideas").check()
    page.go_back()
    expect(option(page, "ideas")).to_be_checked()
    page.reload()
    expect(option(page, "ideas")).to_be_checked()
    beside = page.context.new_page()
    beside.goto(f"{book}/{ANOTHER}")
    option(beside, "everything").check()
    expect(option(page, "everything")).to_be_checked()


def test_the_switch_is_reached_and_moved_with_the_keyboard(site, open_page):
    page = open_page(f"{site}/{CHAPTER}")
    page.locator("article h1").click()  # Tab goes on from here
    page.keyboard.press("Tab")  # to the link that the heading is
    page.keyboard.press("Tab")
    expect(option(page, "ideas")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(option(page, "everything")).to_be_checked()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_that_shows_everything_stands_still_and_can_be_read(
    width, scheme, site, open_page, axe
):
    page = open_page(f"{site}/{ANOTHER}", width=width, color_scheme=scheme)
    page.evaluate(KEEP)
    page.goto(f"{site}/{CHAPTER}")
    assert option(page, "everything").is_checked()
    assert page.evaluate(SHIFT) <= 0.02
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.add_style_tag(content="section { content-visibility: visible !important; }")
    assert faults(page, axe, "article.bd-article", scheme) == {}
