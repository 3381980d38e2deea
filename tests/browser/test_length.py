"""A chapter's main text can be read in the time it states, and in that of a lesson."""

import re

import pytest
from browser.pages import BUILT, CHAPTERS

WORDS, SCREENS, TIME_OFF = 2_500, 20, 0.1
SCREEN = 900
WORDS_A_MINUTE, SECONDS_A_LINE = 200, 4
# What is seen before the exercises with every fold shut: words of text and captions (a
# formula is one), lines of code, and where the exercises begin.
READ = """(screen) => {
  const article = document.querySelector("article");
  const end = [...article.querySelectorAll("h2")].find(
    (each) => each.firstChild.textContent.trim() === "Exercises");
  const seen = (selector, not) => [...article.querySelectorAll(selector)].filter(
    (each) => each.checkVisibility() && end.compareDocumentPosition(each) & 2
      && !each.parentElement.closest(not));
  const screens = (end.getBoundingClientRect().top + scrollY) / screen;
  const split = (string, by) => string.split(by).filter((each) => each.trim());
  const lines = seen("pre", ".aw-host").flatMap((each) => split(each.innerText, "\\n"));
  for (const each of article.querySelectorAll(".katex")) each.replaceWith("formula");
  const inside = "li, figcaption, summary, table, .aw-host";
  const words = seen("p, li, h1, h2, h3, figcaption", inside).flatMap(
    (each) => split(each.innerText, /\\s+/));
  return {words: words.length, lines: lines.length, screens};
}"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_is_as_long_as_it_says_and_no_longer_than_a_lesson(
    page, site, open_page
):
    opened = open_page(f"{site}/{page}", width=1280, height=SCREEN)
    opened.add_style_tag(content="section { content-visibility: visible !important; }")
    read = opened.evaluate(READ, SCREEN)
    stated = int(re.search(r"Time</strong>: (\d+) min", (BUILT / page).read_text())[1])
    minutes = read["words"] / WORDS_A_MINUTE + read["lines"] * SECONDS_A_LINE / 60
    found = f"{read}, {minutes:.1f} minutes, {stated} stated"
    assert read["words"] <= WORDS, found
    assert read["screens"] <= SCREENS, found
    assert abs(stated - minutes) <= TIME_OFF * minutes, found


def test_there_are_chapters():
    assert CHAPTERS
