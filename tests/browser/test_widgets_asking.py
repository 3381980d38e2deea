"""Quick questions and predictions: by mouse, by keyboard, to a screen reader."""

import pytest
from browser.pages import EVIL, SHIFT, page_with

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

LIVE = """(node) => {
  const region = node.closest('[aria-live], output, [role=status]');
  return region?.getAttribute('aria-live') ?? 'none';
}"""
FOCUSED = "document.activeElement.textContent"


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


def guess(answer="dot", **rest):
    words = ["one", "two"]
    panels = [
        tokens("words", words, axis="target"),
        heat_map(words, words, [[0.1, 0.9], [0.5, 0.5]], axes=("target", "source")),
    ]
    asked = predict(
        "Which errs least?",
        ["dot", "MLP"],
        answer=answer,
        reveal="it errs in one of ten.",
    )
    return Widget(
        "Three scores",
        controls=[slider("step", [1, 2, 3], play=True), select("kind", ["a", "b"])],
        panels=panels,
        predict=asked,
        follow={"target": 0},
        link="guess",
        **rest,
    )


@pytest.fixture
def asked(opened):
    return opened(three())


@pytest.fixture
def guessing(opened):
    return opened(guess())


def told(page):
    return [text for text in page.locator(".aw-because").all_inner_texts() if text]


def press(page, name, **rest):
    page.get_by_role("button", name=name, exact=True, **rest).click()


def test_a_choice_is_answered_at_once_below_itself_in_a_live_region(asked):
    press(asked, "A column")
    feedback = asked.locator("li", has_text="A column").locator(".aw-because")
    assert feedback.inner_text() == "Not quite. It need not."
    assert feedback.evaluate(LIVE) == "polite"
    assert told(asked) == ["Not quite. It need not."]
    press(asked, "A query")
    assert told(asked) == ["Not quite. It need not.", "Right. It asks."]


def test_a_live_region_is_there_before_its_words_and_is_not_written_twice(asked):
    regions = asked.locator(".aw-because[aria-live=polite]")
    assert regions.count() == 7
    assert told(asked) == []
    written = (
        "window.written = 0; "
        "new MutationObserver((all) => (window.written += all.length))"
    )
    press(asked, "A column")
    asked.evaluate(
        f"{written}.observe(document.querySelector('.aw-because'), "
        f"{{ childList: true, subtree: true }})"
    )
    press(asked, "A row")
    press(asked, "A column")
    assert asked.evaluate("window.written") == 0


def test_a_chosen_option_is_known_by_its_state_its_mark_and_its_words(asked):
    options = asked.locator("button.aw-option")
    assert [each.get_attribute("aria-pressed") for each in options.all()] == [
        "false"
    ] * 7
    press(asked, "A column")
    press(asked, "A row")
    assert [each.get_attribute("aria-pressed") for each in options.all()] == [
        "true"
    ] * 2 + ["false"] * 5
    assert asked.locator(".aw-mark").all_inner_texts() == ["✗", "✓", "", "", "", "", ""]
    asked.get_by_role(
        "button", name="A row", exact=True, pressed=True
    ).wait_for()  # the mark is no part of its name


def test_the_first_choices_are_counted_when_all_are_made(asked):
    score = asked.locator("output")
    press(asked, "A column")
    press(asked, "A row")
    press(asked, "A query")
    assert score.inner_text() == ""
    press(asked, "Yes")
    assert score.inner_text() == "2 of 3 right at the first try"
    press(asked, "No")
    press(asked, "Both")
    assert score.inner_text() == "2 of 3 right at the first try"
    assert len(told(asked)) == 6


def test_starting_again_forgets_everything_and_keeps_the_place_of_the_keyboard(asked):
    again = asked.get_by_role("button", name="Start again")
    assert not again.is_visible()
    for name in ("A column", "A query", "Yes"):
        press(asked, name)
    again.press("Enter")
    assert told(asked) == []
    assert asked.locator("output").inner_text() == ""
    assert asked.locator("[aria-pressed=true]").count() == 0
    assert asked.evaluate(FOCUSED) == "A column"
    press(asked, "A row")
    press(asked, "A query")
    press(asked, "Yes")
    assert asked.locator("output").inner_text() == "3 of 3 right at the first try"


def test_questions_are_answered_by_keyboard_alone(asked):
    rings = []
    for key in ("Enter", "Space", "Enter"):
        asked.keyboard.press("Tab")
        rings.append(
            asked.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        )
        asked.keyboard.press(key)
    assert rings == ["solid"] * 3
    assert told(asked) == [
        "Not quite. It need not.",
        "Right. One whole.",
        "Right. It asks.",
    ]
    assert asked.evaluate(FOCUSED) == "✓A query"  # the focus stays where the reader is


def test_each_question_names_its_options(asked):
    group = asked.get_by_role("group", name="Which cells sum to 1?", exact=True)
    assert group.get_by_role("button").all_inner_texts() == ["A column", "A row"]
    assert group.locator("code").inner_text() == "cells"
    asked.get_by_role("group", name="Quick questions", exact=True).wait_for()
    press(asked, "Both")
    assert asked.locator(".aw-because em").inner_text() == "No."


def test_a_single_question_has_no_number(opened):
    one = quick_questions(
        question("Who?", right("I", "Yes."), wrong("You", "No.")), title="One"
    )
    page = opened(one)
    assert page.locator(".aw-asks").inner_text() == "Who?"
    press(page, "I")
    assert page.locator("output").inner_text() == "1 of 1 right at the first try"


def hostile():
    """The same hostile text wherever a question or a prediction can have one."""
    asked = question(
        EVIL, right(EVIL, f"`{EVIL}` *{EVIL}* {EVIL}"), wrong(f"{EVIL}2", EVIL)
    )
    guessed = predict(EVIL, [EVIL, f"`{EVIL}`"], answer=EVIL, reveal=EVIL)
    return quick_questions(asked, title=EVIL), Widget(
        EVIL, panels=[tokens("s", ["x"])], predict=guessed
    )


def test_text_of_questions_and_predictions_never_becomes_markup(opened):
    page = opened(*hostile())
    for option in page.locator("button.aw-option").all():
        if option.is_visible():
            option.click()
    page.wait_for_timeout(100)
    assert page.evaluate("window.hurt") is None
    assert page.locator("img").count() == 0
    assert (
        page.locator(".aw-because").first.inner_text() == f"Right. {EVIL} {EVIL} {EVIL}"
    )
    assert (
        page.locator(".aw-verdict p").inner_text()
        == f"You predicted {EVIL}, and so it is: {EVIL}"
    )
    assert page.locator(".aw-error").count() == 0


def test_hostile_text_stays_text_without_a_script_too(opened):
    page = opened(*hostile(), java_script_enabled=False)
    page.locator("summary").click()
    assert page.locator("img").count() == 0
    assert EVIL in page.locator(".aw-answers").inner_text()


def test_without_a_script_all_is_said(opened):
    page = opened(three(), guess(), java_script_enabled=False)
    first = page.locator(".aw-ask").first
    assert first.inner_text().split() == [
        "1.",
        "Which",
        "cells",
        "sum",
        "to",
        "1?",
        "A",
        "column",
        "A",
        "row",
        "Answer",
    ]
    first.locator("summary").click()
    assert "A column: Not quite. It need not." in first.inner_text()
    assert "A row: Right. One whole." in first.inner_text()
    figure = page.locator("[data-attention-widget=guess]").inner_text()
    for said in (
        "Which errs least? dot / MLP",
        "It is dot: it errs in one of ten.",
        "words: one two",
        "step: 1",
    ):
        assert said in figure


def test_nothing_of_the_figure_can_be_seen_or_reached_before_the_prediction(guessing):
    for part in ("slider", "combobox", "listbox", "status"):
        assert guessing.get_by_role(part).count() == 0
    assert guessing.get_by_role("button").all_inner_texts() == [
        "dot",
        "MLP",
        "Show it without predicting",
    ]
    seen = """(all) =>
      all.filter((node) => getComputedStyle(node).visibility !== 'hidden').length"""
    assert (
        guessing.locator(".aw-behind *").evaluate_all(seen) == 0
    )  # the band that `follow` shows among them
    reached = []
    for _ in range(4):
        guessing.keyboard.press("Tab")
        reached.append(guessing.evaluate(FOCUSED))
    assert reached[:3] == ["dot", "MLP", "Show it without predicting"]
    assert guessing.evaluate("!document.activeElement.closest('.aw-behind')")


@pytest.mark.parametrize(
    ("answer", "choice", "line"),
    [
        ("dot", "dot", "You predicted dot, and so it is: it errs in one of ten."),
        ("dot", "MLP", "You predicted MLP. It is dot: it errs in one of ten."),
        ("dot", "Show it without predicting", "It is dot: it errs in one of ten."),
        (None, "MLP", "You predicted MLP. it errs in one of ten."),
        (None, "Show it without predicting", "it errs in one of ten."),
    ],
)
def test_a_choice_shows_the_figure_and_moves_the_focus_to_the_line(
    opened, answer, choice, line
):
    page = opened(guess(answer))
    page.get_by_role("button", name=choice).press("Enter")
    assert page.locator(".aw-verdict p").inner_text() == line
    assert page.evaluate(FOCUSED) == line
    assert not page.locator(".aw-gate").is_visible()
    assert page.locator(".aw-band.aw-shown").first.is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED).startswith("Predict")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert page.locator(".aw-value").inner_text() == "3"


@pytest.mark.parametrize("width", [1280, 390])
def test_question_and_figure_take_the_room_kept_for_them(opened, width):
    page = opened(guess(), three(), width=width)
    assert page.evaluate(SHIFT) <= 0.02
    host = page.locator("[data-attention-widget=guess]")
    reserved = (
        "(host) => parseFloat(getComputedStyle(host.querySelector('.aw')).minHeight)"
    )
    heights = {True: set(), False: set()}
    for name in (
        "MLP",
        "Predict again",
        "dot",
        "Predict again",
        "Show it without predicting",
    ):
        heights[False].add(host.bounding_box()["height"])
        press(page, name)
        opened = not name.startswith("Predict")
        heights[opened].add(host.bounding_box()["height"])
        assert host.bounding_box()["height"] == pytest.approx(
            host.evaluate(reserved), abs=1
        )
    assert len(heights[False] - heights[True]) == 1, "the question, alike each time"
    assert len(heights[True]) == 1
    assert max(heights[True]) > min(heights[False]) + 100


def test_the_prediction_stays_through_theme_size_reset_and_redrawing(guessing):
    press(guessing, "MLP")
    line = guessing.locator(".aw-verdict p")
    guessing.evaluate("document.documentElement.dataset.theme = 'dark'")
    guessing.set_viewport_size({"width": 390, "height": 800})
    guessing.locator("input").press("End")
    press(guessing, "Reset")
    guessing.wait_for_timeout(100)
    assert line.inner_text().startswith("You predicted MLP.")
    assert guessing.locator(".aw-value").inner_text() == "1"
    assert not guessing.locator(".aw-gate").is_visible()


def test_predicting_again_hides_the_figure_stops_it_and_starts_from_the_question(
    guessing,
):
    press(guessing, "MLP")
    press(guessing, "Play step")
    press(guessing, "Predict again")
    assert guessing.evaluate(FOCUSED) == "dot"
    assert guessing.get_by_role("slider").count() == 0
    before = guessing.locator(".aw-value").text_content()
    guessing.wait_for_timeout(900)
    assert guessing.locator(".aw-value").text_content() == before
    press(guessing, "dot")
    assert (
        guessing.locator(".aw-verdict p")
        .inner_text()
        .startswith("You predicted dot, and so")
    )


def test_one_who_did_not_predict_may_still_do_it(guessing):
    press(guessing, "Show it without predicting")
    press(guessing, "Predict first")
    press(guessing, "dot")
    assert guessing.locator(".aw-verdict").inner_text().endswith("Predict again")


@pytest.mark.parametrize("fragment", ["#w=guess&step=3", "#w=guess"])
def test_a_link_to_the_figure_opens_it(opened, fragment):
    page = opened(guess(), at=fragment)
    assert (
        page.locator(".aw-verdict p").inner_text()
        == "It is dot: it errs in one of ten."
    )
    assert page.locator(".aw-value").inner_text() == (
        "3" if "step" in fragment else "1"
    )
    assert page.evaluate(
        "document.activeElement === document.body"
    )  # nobody's focus is taken


def test_a_link_to_another_figure_leaves_it_hidden(opened):
    page = opened(guess(), at="#w=other&step=3")
    assert page.locator(".aw-gate").is_visible()
    page.evaluate("location.hash = '#w=guess&step=2'")
    page.locator(".aw-verdict p", has_text="It is dot").wait_for()
    assert page.locator(".aw-value").inner_text() == "2"


def test_the_page_opens_as_python_left_it(opened):
    widget, questions = guess(), three()
    widget.prediction, questions.answers = "MLP", [[0], [], []]
    page = opened(widget, questions)
    assert page.locator(".aw-verdict p").inner_text().startswith("You predicted MLP.")
    assert told(page) == ["Not quite. It need not."]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state(opened, axe, scheme):
    page = opened(three(), guess(), color_scheme=scheme)
    page.evaluate(
        "document.documentElement.lang = 'en'; "
        f"document.documentElement.style.colorScheme = '{scheme}'"
    )
    page.evaluate(axe)

    def found():
        rules = page.evaluate("axe.run({ include: ['.aw-host'] }, { preload: false })")[
            "violations"
        ]
        return [
            (each["id"], [node["html"][:120] for node in each["nodes"]])
            for each in rules
        ]

    assert found() == []
    for option in page.locator("button.aw-option").all():
        option.click() if option.is_visible() else None
    assert page.locator("[aria-pressed=true]").count() == 7
    assert page.locator(".aw-verdict p").inner_text().startswith("You predicted dot")
    assert found() == []


def test_one_broken_question_is_said_and_leaves_the_others(tmp_path, browser):
    path = tmp_path / "broken.html"
    url = page_with(
        path,
        quick_questions(question("Who?", right("I", "Yes."), wrong("You", "No."))),
        three(),
    )
    path.write_text(
        path.read_text("utf-8").replace('"answers":[[]]', '"answers":null'), "utf-8"
    )
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    assert "could not be drawn" in page.locator("[role=alert]").inner_text()
    press(page, "A row")
    assert told(page) == ["Right. One whole."]
    context.close()
