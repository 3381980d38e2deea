"""Quick questions and predictions: by mouse, by keyboard, to a screen reader."""

import pytest
from browser.hands import keys, press, slide
from browser.pages import SHIFT, faults

from attention_book.widgets import (
    Widget,
    heat_map,
    predict,
    question,
    quick_questions,
    right,
    select,
    slider,
    tokens,
    wrong,
)

FOCUSED = "document.activeElement.textContent"
COLUMN, ROW = "Not quite. It need not.", "Right. One whole."
WHICH, SHOW = "it errs in one of ten.", "Show it without predicting"


def three():
    return quick_questions(
        question(
            "Which `cells` sum to 1?",
            wrong("A column", "It need not."),
            right("A row", "One whole."),
        ),
        question(
            "Who looks?",
            right("A query", "It asks."),
            wrong("An input", "No."),
            wrong("Both", "*No.*"),
        ),
        question("Last?", wrong("No", "It is."), right("Yes", "It is.")),
    )


def guess(answer="dot"):
    words = ["one", "two"]
    return Widget(
        "Three scores",
        controls=[slider("step", [1, 2, 3], play=True), select("kind", ["a", "b"])],
        panels=[
            tokens("words", words, axis="target"),
            heat_map(words, words, [[0.1, 0.9], [0.5, 0.5]], axes=("target", "source")),
        ],
        predict=predict(
            "Which errs least?", ["dot", "MLP"], answer=answer, reveal=WHICH
        ),
        follow={"target": 0},
        link="guess",
    )


@pytest.fixture
def asked(opened):
    return opened(three())


@pytest.fixture
def guessing(opened):
    return opened(guess())


def told(page):
    return [text for text in page.locator(".aw-because").all_inner_texts() if text]


def verdict(page):
    return page.locator(".aw-verdict p").inner_text()


def step(page):
    return page.locator(".aw-value").text_content()


WRITTEN = """() => {
  window.written = 0;
  new MutationObserver((all) => (window.written += all.length))
    .observe(document.querySelector(".aw-because"), { childList: true, subtree: true });
}"""


def test_a_choice_is_answered_below_itself_in_a_region_that_was_there(asked):
    regions = asked.locator(".aw-because[aria-live=polite]")
    assert regions.count() == 7
    assert told(asked) == []
    press(asked, "A column")
    below = asked.locator("li", has_text="A column").locator(".aw-because")
    assert below.inner_text() == COLUMN
    press(asked, "A query")
    assert told(asked) == [COLUMN, "Right. It asks."]
    asked.evaluate(WRITTEN)
    press(asked, "A row", "A column")
    assert asked.evaluate("window.written") == 0, "what is said is not said again"


def test_a_question_names_its_options_and_marks_what_was_chosen(asked):
    asked.get_by_role("group", name="Quick questions", exact=True).wait_for()
    group = asked.get_by_role("group", name="Which cells sum to 1?", exact=True)
    assert group.get_by_role("button").all_inner_texts() == ["A column", "A row"]
    assert group.locator("code").inner_text() == "cells"
    options = asked.locator("button.aw-option").all()
    states = [each.get_attribute("aria-pressed") for each in options]
    assert states == ["false"] * 7
    press(asked, "A column", "A row", "Both")
    states = [each.get_attribute("aria-pressed") == "true" for each in options]
    assert states == [True, True, False, False, True, False, False]
    marks = asked.locator(".aw-mark").all_inner_texts()
    assert marks == ["✗", "✓", "", "", "✗", "", ""]
    # the mark is no part of its name
    asked.get_by_role("button", name="A row", exact=True, pressed=True).wait_for()
    assert asked.locator(".aw-because em").inner_text() == "No."


def test_first_choices_are_counted_when_all_are_made_until_all_starts_again(asked):
    score, again = asked.locator("output"), asked.get_by_role("button", name="Start")
    assert not again.is_visible()
    press(asked, "A column", "A row", "A query")
    assert score.inner_text() == ""
    press(asked, "Yes")
    assert score.inner_text() == "2 of 3 right at the first try"
    press(asked, "No", "Both")
    assert score.inner_text() == "2 of 3 right at the first try"
    assert len(told(asked)) == 6
    again.press("Enter")
    assert told(asked) == []
    assert score.inner_text() == ""
    assert asked.locator("[aria-pressed=true]").count() == 0
    assert asked.evaluate(FOCUSED) == "A column"
    press(asked, "A row", "A query", "Yes")
    assert score.inner_text() == "3 of 3 right at the first try"


def test_questions_are_answered_by_keyboard_alone(asked):
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    for key, said in (
        ("Enter", COLUMN),
        ("Space", ROW),
        ("Enter", "Right. It asks."),
    ):
        keys(asked, "Tab")
        assert asked.evaluate(ring) == "solid", said
        keys(asked, key)
        assert told(asked)[-1] == said
    assert asked.evaluate(FOCUSED) == "✓A query"  # the focus stays where the reader is


def test_a_single_question_has_no_number(opened):
    one = question("Who?", right("I", "Yes."), wrong("You", "No."))
    page = opened(quick_questions(one, title="One"))
    assert page.locator(".aw-asks").inner_text() == "Who?"
    press(page, "I")
    assert page.locator("output").inner_text() == "1 of 1 right at the first try"


def test_without_a_script_all_is_said(opened):
    page = opened(three(), guess(), java_script_enabled=False)
    first = page.locator(".aw-ask").first
    words = "1. Which cells sum to 1? A column A row Answer"
    assert " ".join(first.inner_text().split()) == words
    first.locator("summary").click()
    assert f"A column: {COLUMN}" in first.inner_text()
    assert f"A row: {ROW}" in first.inner_text()
    figure = page.locator("[data-attention-widget=guess]").inner_text()
    for said in (
        "Which errs least? dot / MLP",
        f"It is dot: {WHICH}",
        "words: one two",
        "step: 1",
    ):
        assert said in figure


def test_nothing_of_the_figure_can_be_seen_or_reached_before_the_prediction(guessing):
    for part in ("slider", "combobox", "listbox", "status"):
        assert guessing.get_by_role(part).count() == 0
    options = ["dot", "MLP", SHOW]
    assert guessing.get_by_role("button").all_inner_texts() == options
    seen = """(all) =>
      all.filter((node) => getComputedStyle(node).visibility !== 'hidden').length"""
    # the band that `follow` shows among them
    assert guessing.locator(".aw-behind *").evaluate_all(seen) == 0
    for reached in options:
        keys(guessing, "Tab")
        assert guessing.evaluate(FOCUSED) == reached
    keys(guessing, "Tab")
    assert guessing.evaluate("!document.activeElement.closest('.aw-behind')")


@pytest.mark.parametrize(
    ("answer", "choice", "line"),
    [
        ("dot", "dot", f"You predicted dot, and so it is: {WHICH}"),
        ("dot", "MLP", f"You predicted MLP. It is dot: {WHICH}"),
        ("dot", SHOW, f"It is dot: {WHICH}"),
        (None, "MLP", f"You predicted MLP. {WHICH}"),
        (None, SHOW, WHICH),
    ],
)
def test_a_choice_shows_the_figure_and_moves_the_focus_to_the_line(
    opened, answer, choice, line
):
    page = opened(guess(answer))
    page.get_by_role("button", name=choice).press("Enter")
    assert verdict(page) == line
    assert page.evaluate(FOCUSED) == line
    assert not page.locator(".aw-gate").is_visible()
    assert page.locator(".aw-band.aw-shown").first.is_visible()
    keys(page, "Tab")
    assert page.evaluate(FOCUSED).startswith("Predict")
    keys(page, "Tab", "End")
    assert step(page) == "3"


RESERVED = "(host) => parseFloat(getComputedStyle(host.querySelector('.aw')).minHeight)"


@pytest.mark.parametrize("width", [1280, 390])
def test_question_and_figure_take_the_room_kept_for_them(opened, width):
    page = opened(guess(), three(), width=width)
    assert page.evaluate(SHIFT) <= 0.02
    host = page.locator("[data-attention-widget=guess]")
    waiting, shown = set(), set()

    def height():
        found = host.bounding_box()["height"]
        assert found == pytest.approx(host.evaluate(RESERVED), abs=1)
        return found

    for choice in ("MLP", "dot", SHOW):
        waiting.add(height())
        press(page, choice)
        shown.add(height())
        press(page, "Predict first" if choice == SHOW else "Predict again")
    assert len(waiting) == len(shown) == 1, "alike each time"
    assert max(shown) > min(waiting) + 100


def test_the_prediction_stays_through_theme_size_and_reset_until_the_next(guessing):
    press(guessing, "MLP")
    guessing.evaluate("document.documentElement.dataset.theme = 'dark'")
    guessing.set_viewport_size({"width": 390, "height": 800})
    slide(guessing, "step", "End")
    press(guessing, "Reset")
    guessing.wait_for_timeout(100)
    assert verdict(guessing).startswith("You predicted MLP.")
    assert step(guessing) == "1"
    assert not guessing.locator(".aw-gate").is_visible()
    press(guessing, "Play step", "Predict again")
    assert guessing.evaluate(FOCUSED) == "dot"
    assert guessing.get_by_role("slider").count() == 0
    before = step(guessing)
    guessing.wait_for_timeout(900)
    assert step(guessing) == before, "it was stopped"
    press(guessing, SHOW, "Predict first", "dot")
    assert verdict(guessing).startswith("You predicted dot, and so")
    again = guessing.locator(".aw-verdict").inner_text()
    assert again.endswith("Predict again")


@pytest.mark.parametrize(("at", "opens"), [("&step=3", "3"), ("", "1")])
def test_a_link_to_the_figure_opens_it(opened, at, opens):
    page = opened(guess(), at=f"#w=guess{at}")
    assert verdict(page) == f"It is dot: {WHICH}"
    assert step(page) == opens
    taken = page.evaluate("document.activeElement !== document.body")
    assert not taken, "nobody's focus is taken"


def test_a_link_to_another_figure_leaves_it_hidden(opened):
    page = opened(guess(), at="#w=other&step=3")
    assert page.locator(".aw-gate").is_visible()
    page.evaluate("location.hash = '#w=guess&step=2'")
    page.locator(".aw-verdict p", has_text="It is dot").wait_for()
    assert step(page) == "2"


def test_the_page_opens_as_python_left_it(opened):
    widget, questions = guess(), three()
    widget.prediction, questions.answers = "MLP", [[0], [], []]
    page = opened(widget, questions)
    assert verdict(page).startswith("You predicted MLP.")
    assert told(page) == [COLUMN]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state(opened, axe, scheme):
    page = opened(three(), guess(), color_scheme=scheme)
    assert faults(page, axe) == {}
    for option in page.locator("button.aw-option").all():
        option.click() if option.is_visible() else None
    assert page.locator("[aria-pressed=true]").count() == 7
    assert verdict(page).startswith("You predicted dot")
    assert faults(page, axe) == {}
