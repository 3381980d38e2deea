"""A chapter states the minutes it takes, by one rule, and is no longer than a lesson.

The rule counts what a reader meets with every fold shut: words, and by the seconds
below lines of code, tables, questions (to predict by, and quick ones) and widgets. The
seconds were fitted to the minutes that a reader needed for each of chapters 4 to 13: 25
to 50, where 13 to 19 were stated. The rule is within 8 of each, and 4 off on average.
The minutes for an exercise are set, not measured. Executing a chapter is left out: on
the site that has been done.
"""

import re

import nbformat
import pytest
from browser.pages import CHAPTERS, ROOT

from attention_book.site.exercises import HEADING

WORDS, SCREENS = 2_500, 20
SCREEN = 900
WORDS_A_MINUTE = 200
SECONDS = {"lines": 8, "tables": 75, "questions": 30, "widgets": 60}
MINUTES = {"1": 5, "2": 10, "3": 15, None: 5}  # by an exercise's level; a bug has none
STEP, OFF = 5, 4  # minutes: stated in such steps, and so far from the rule at most
TIME = re.compile(r"\*\*Time\*\*: (\d+) minutes[^.]*, and (\d+) for the exercises\.")
# What is seen before the exercises with every fold shut: words of text and captions (a
# formula is one), what else takes time, and where the exercises begin.
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
  const tables = seen("table", ".aw-host"), widgets = seen(".aw-host", ".aw-host");
  const asked = widgets.flatMap((each) => [...each.querySelectorAll(".aw-ask")]);
  for (const each of article.querySelectorAll(".katex")) each.replaceWith("formula");
  const inside = "li, figcaption, summary, table, .aw-host, .code-switch";
  const text = seen("p, li, h1, h2, h3, figcaption", inside);
  const predict = text.filter((each) => /\\bPredict\\b/.test(each.innerText));
  const words = text.flatMap((each) => split(each.innerText, /\\s+/));
  return {words: words.length, lines: lines.length, tables: tables.length,
    questions: predict.length + asked.length, widgets: widgets.length, screens};
}"""


@pytest.fixture(params=CHAPTERS)
def page(request):
    return request.param


@pytest.fixture
def read(page, site, open_page):
    """What a reader of this chapter meets."""
    opened = open_page(f"{site}/{page}", width=1280, height=SCREEN)
    opened.add_style_tag(content="section { content-visibility: visible !important; }")
    return opened.evaluate(READ, SCREEN)


def text(page):
    path = (ROOT / page).with_suffix(".ipynb")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


def stated(page):
    """The minutes that a chapter states, for its text and for its exercises."""
    times = TIME.findall(text(page))
    assert len(times) == 1, f"expected once: {TIME.pattern}"
    return [int(minutes) for minutes in times[0]]


def test_a_chapter_is_no_longer_than_a_lesson(read):
    for what, most in {"words": WORDS, "screens": SCREENS}.items():
        assert read[what] <= most, (
            f"{read[what]:,.5g} {what} before its exercises, {most:,} at most: what "
            "stands under a '### Closer look: ...' does not count"
        )


def test_a_chapter_takes_the_minutes_that_it_states(page, read):
    seconds = sum(each * read[what] for what, each in SECONDS.items())
    minutes = read["words"] / WORDS_A_MINUTE + seconds / 60
    said, _ = stated(page)
    found = f"{read}: {minutes:.1f} minutes, {said} stated"
    assert abs(said - minutes) <= OFF, found
    assert said % STEP == 0, found


def test_its_exercises_take_the_minutes_that_it_states(page):
    titles = re.findall(r"(?m)^### (.*)$", text(page))
    exercises = [each for each in map(HEADING.fullmatch, titles) if each]
    _, said = stated(page)
    assert said == sum(MINUTES[each["level"]] for each in exercises)
