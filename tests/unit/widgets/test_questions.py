"""Quick questions: what authors give, what Python sees, a page without a script."""

import json
import re
from pathlib import Path

import pytest
import traitlets

from attention_book import chapters
from attention_book.prose import as_html, parts
from attention_book.widgets import (
    question,
    quick_questions,
    read_questions,
    right,
    wrong,
)
from attention_book.widgets.static import INLINE_OPEN

(CHAPTERS,) = map(Path, chapters.__path__)
ROW = right("Those of a row", "A row hands out one whole.")
COLUMN = wrong("Those of a column", "Two queries may look at one input.")
ALL = wrong("All of them", "Then a long output would leave little for each word.")
SUM = question("Which cells sum to 1?", COLUMN, ROW, ALL)
WHO = question(
    "Who looks?", right("A query", "It asks."), wrong("An input", "It is looked at.")
)
FILE = """
[[question]]
asks = "Who looks?"
[[question.option]]
says = "A query"
right = true
because = "It asks."
[[question.option]]
says = "An input"
because = "It is looked at."
"""

WRONG = [
    (quick_questions, "questions is empty: expected at least one"),
    (lambda: quick_questions([SUM]), r"at place 1: make it with question\("),
    (lambda: quick_questions(SUM, "Who?"), "questions has 'Who\\?' at place 2"),
    (lambda: quick_questions(SUM, title=" "), "title is empty"),
    (lambda: quick_questions(SUM, title=3), "title must be a text, but came as 3"),
    (lambda: question("", ROW, ALL), "asks is empty: expected a text"),
    (lambda: question(None, ROW, ALL), "asks must be a text, but came as None"),
    (lambda: question("Who?"), "question 'Who\\?' has 0 options: expected at least 2"),
    (lambda: question("Who?", ROW), "has 1 options: expected at least 2"),
    (
        lambda: question("Who?", ALL, COLUMN),
        "'Who\\?' has 0 right options: expected exactly 1",
    ),
    (
        lambda: question("Who?", ROW, right("x", "y")),
        "'Who\\?' has 2 right options: expected exactly 1",
    ),
    (
        lambda: question("Who?", ROW, "x"),
        r"option 2 of question 'Who\?' is 'x': make it with",
    ),
    (
        lambda: question("Who?", ROW, wrong("Those of a row ", "No.")),
        "has the option 'Those of a row' twice",
    ),
    (lambda: wrong("  ", "No."), "says is empty"),
    (lambda: right(3, "Yes."), "says must be a text, but came as 3"),
    (lambda: wrong("x", ""), "because of the option 'x' is empty"),
    (lambda: right("x", None), "because of the option 'x' must be a text"),
]


@pytest.mark.parametrize(("build", "message"), WRONG)
def test_a_wrong_question_is_named_when_it_is_made(build, message, as_a_reader):
    with pytest.raises((ValueError, TypeError), match=message):
        build()


def test_the_browser_gets_questions_and_options_in_the_authors_order():
    asked = quick_questions(SUM, WHO).spec["questions"]
    assert [each["asks"] for each in asked] == ["Which cells sum to 1?", "Who looks?"]
    assert [each["says"] for each in asked[0]["options"]] == [
        "Those of a column",
        "Those of a row",
        "All of them",
    ]
    assert [each["right"] for each in asked[0]["options"]] == [False, True, False]
    assert [each["verdict"] for each in asked[0]["options"]] == [
        "Not quite.",
        "Right.",
        "Not quite.",
    ]


@pytest.mark.parametrize(
    "answers", [[], [[0]], [[], [2]], [[-1], []], [[1, 1], []], [[], [], []]]
)
def test_answers_that_cannot_be_are_refused(answers):
    asked = quick_questions(SUM, WHO)
    assert asked.answers == [[], []]
    with pytest.raises(traitlets.TraitError, match=r"below \[3, 2\]"):
        asked.answers = answers


def page_of(widget):
    return widget._repr_mimebundle_()[0]["text/html"].split(INLINE_OPEN)[0]


def state_in(page):
    return json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1]
    )


def test_the_page_starts_from_what_python_has():
    asked = quick_questions(SUM)
    asked.answers = [[2]]
    assert state_in(page_of(asked)) == {"spec": asked.spec, "answers": [[2]]}


def test_without_a_script_the_page_holds_every_answer():
    page = page_of(quick_questions(SUM)).split("<script")[0]
    assert page.count("<details") == 1
    folded = re.search("<noscript><details.*</details></noscript>", page)[0]
    assert "<b>Those of a row</b>: Right. A row hands out one whole." in folded
    assert "<b>All of them</b>: Not quite. Then a long output" in folded
    shown = page.replace(folded, "")
    assert "Which cells sum to 1?" in shown
    assert "Those of a row" in shown
    assert "whole" not in shown


def test_code_and_stress_are_marked_and_nothing_else():
    assert (
        as_html("`A[0]` is *one* <b>") == "<code>A[0]</code> is <em>one</em> &lt;b&gt;"
    )
    assert parts("2 * 3 * 4") == [("", "2 * 3 * 4")]
    assert parts("`a * b` or `") == [("code", "a * b"), ("", " or `")]


def test_a_file_gives_the_same_as_code(tmp_path):
    (tmp_path / "who.toml").write_text(FILE, "utf-8")
    assert (
        read_questions(tmp_path / "who.toml")
        == read_questions(str(tmp_path / "who.toml"))
        == [WHO]
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("asks =", "ask =", "who.toml: question 1 has no 'asks'"),
        (
            "right = true",
            "correct = true",
            "who.toml: option 1 of question 1 has 'correct': expected because, right, "
            "says",
        ),
        (
            "right = true",
            "right = 1",
            "who.toml: right of the option 'A query' is 1: expected true or false",
        ),
        ("right = true", "", "who.toml: question 'Who looks\\?' has 0 right options"),
        (
            'because = "It asks."',
            "",
            "who.toml: option 1 of question 1 has no 'because'",
        ),
        ('"It asks."', '""', "who.toml: because of the option 'A query' is empty"),
        ("[[question]]", "[[questions]]", "who.toml: "),
        ('"Who looks?"', '"Who looks?', "who.toml: "),
        ('"Who looks?"', "3", "who.toml: asks must be a text"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, as_a_reader, old, new, message):
    assert old in FILE
    (tmp_path / "who.toml").write_text(FILE.replace(old, new), "utf-8")
    with pytest.raises((ValueError, TypeError), match=message):
        read_questions(tmp_path / "who.toml")


def test_a_file_in_another_encoding_is_named(tmp_path):
    (tmp_path / "who.toml").write_bytes(FILE.replace("Who", "Où").encode("latin-1"))
    with pytest.raises(ValueError, match=r"who.toml: .*utf-8"):
        read_questions(tmp_path / "who.toml")


def test_a_file_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(
        ValueError,
        match=r"where is 'attentoin': expected a TOML file, or one of 'attention'",
    ):
        read_questions("attentoin")


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in CHAPTERS.glob("*/questions.toml"))
)
def test_the_books_own_questions_can_be_asked(name):
    asked = read_questions(name)
    quick_questions(*asked)
    places = {[option.right for option in each.options].index(True) for each in asked}
    assert len(places) > 1, "the right option stands in the same place every time"
