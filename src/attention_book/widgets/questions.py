"""Quick questions: a few options each, and what is right or wrong about each one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import traitlets

from attention_book.chapter_files import chapter_file
from attention_book.prose import as_html, check_said
from attention_book.widgets.mounted import Mounted


@dataclass(frozen=True)
class Option:
    """One option of a question; make it with `right` or `wrong`."""

    says: str
    because: str
    right: bool = False

    def __post_init__(self) -> None:
        check_said("says", self.says)
        check_said(f"because of the option {self.says!r:.60}", self.because)
        if not isinstance(self.right, bool):
            raise TypeError(
                f"right of the option {self.says!r:.60} is {self.right!r}: expected "
                "true or false"
            )

    @property
    def verdict(self) -> str:
        """What the reader is told first."""
        return "Right." if self.right else "Not quite."


@dataclass(frozen=True)
class Question:
    """A question with its options; make it with `question`."""

    asks: str
    options: tuple[Option, ...]

    def to_json(self) -> dict[str, Any]:
        """What the browser needs to ask it."""
        options = [vars(each) | {"verdict": each.verdict} for each in self.options]
        return {"asks": self.asks, "options": options}


class QuickQuestions(Mounted):
    """Questions to answer by a click; make them with `quick_questions`.

    Python reads and sets `answers`: for each question the positions of the options
    chosen, the first choice first.
    """

    answers = traitlets.List(traitlets.List(traitlets.Int())).tag(sync=True)
    kept = ("answers",)

    def __init__(self, questions: tuple[Question, ...], title: str) -> None:
        self.questions = questions
        spec = {
            "title": title,
            "link": "",
            "questions": [each.to_json() for each in questions],
        }
        super().__init__(spec=spec, answers=[[] for _ in questions])

    @traitlets.validate("answers")
    def _valid_answers(self, proposal: dict[str, Any]) -> list[list[int]]:
        answers = proposal["value"]
        sizes = [len(each.options) for each in self.questions]
        fits = len(answers) == len(sizes) and all(
            len(set(chosen)) == len(chosen) and all(0 <= i < n for i in chosen)
            for chosen, n in zip(answers, sizes, strict=True)
        )
        if not fits:
            raise traitlets.TraitError(
                f"answers is {answers}: expected for each question a list of different "
                f"options, below {sizes}"
            )
        return answers

    def inside(self) -> str:
        """Return the questions as text; where no script runs, their answers too.

        It is as high as what `questions.mjs` draws.
        """
        several = len(self.questions) > 1
        asked = "".join(
            _static(f"{i}." if several else "", each)
            for i, each in enumerate(self.questions, start=1)
        )
        return f'<p class="aw-title">{as_html(self.spec["title"])}</p>{asked}'


def right(says: str, because: str) -> Option:
    """Make the right option of a question: what it says, and why it is right."""
    return Option(says, because, True)


def wrong(says: str, because: str) -> Option:
    """Make a wrong option: what people really think, and what is wrong about it."""
    return Option(says, because)


def question(asks: str, *options: Option) -> Question:
    """Make a question; the options are shown in this order."""
    name = f"question {check_said('asks', asks)!r:.60}"
    for i, each in enumerate(options, start=1):
        if not isinstance(each, Option):
            raise TypeError(
                f"option {i} of {name} is {each!r:.60}: make it with right(...) or "
                "wrong(...)"
            )
    if len(options) < 2:
        raise ValueError(f"{name} has {len(options)} options: expected at least 2")
    texts = [each.says.strip() for each in options]
    twice = [text for text in texts if texts.count(text) > 1]
    if twice:
        raise ValueError(
            f"{name} has the option {twice[0]!r} twice: expected different ones"
        )
    count = sum(each.right for each in options)
    if count != 1:
        raise ValueError(f"{name} has {count} right options: expected exactly 1")
    return Question(asks, options)


def quick_questions(
    *questions: Question, title: str = "Quick questions"
) -> QuickQuestions:
    """Ask questions, made by `question` or read from a file by `read_questions`.

    Each choice is answered at once; the first ones count.
    """
    check_said("title", title)
    if not questions:
        raise ValueError("questions is empty: expected at least one question(...)")
    for i, each in enumerate(questions, start=1):
        if not isinstance(each, Question):
            raise TypeError(
                f"questions has {each!r:.60} at place {i}: make it with question(...)"
            )
    return QuickQuestions(questions, title)


def read_questions(where: str | Path) -> list[Question]:
    """Read questions from a TOML file, or those of a chapter by its name ("attention").

    A ``[[question]]`` has `asks` and its ``[[question.option]]``; an option has `says`,
    `because` and may have `right`.
    """
    path = chapter_file(where, "questions.toml")
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        _expect_keys("the file", given, {"question"})
        return [
            _read(number, each)
            for number, each in enumerate(given["question"], start=1)
        ]
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{path.parent.name}/{path.name}: {error}") from error


def _read(number: int, given: Mapping[str, Any]) -> Question:
    _expect_keys(f"question {number}", given, {"asks", "option"})
    options = []
    for place, each in enumerate(given["option"], start=1):
        _expect_keys(
            f"option {place} of question {number}", each, {"says", "because"}, {"right"}
        )
        options.append(Option(**each))
    return question(given["asks"], *options)


def _expect_keys(
    name: str,
    given: Mapping[str, Any],
    needed: Set[str],
    allowed: Set[str] = frozenset(),
) -> None:
    if needed - set(given):
        raise ValueError(f"{name} has no {sorted(needed - set(given))[0]!r}")
    unknown = sorted(set(given) - needed - allowed)
    if unknown:
        raise ValueError(
            f"{name} has {unknown[0]!r}: expected {', '.join(sorted(needed | allowed))}"
        )


def _static(place: str, asked: Question) -> str:
    place = place and f'<span class="aw-place">{place}</span>'
    options = "".join(
        '<li><span class="aw-option"><span class="aw-mark"></span>'
        f"<span>{as_html(each.says)}</span></span></li>"
        for each in asked.options
    )
    answers = "".join(
        f"<li><b>{as_html(each.says)}</b>: {each.verdict} {as_html(each.because)}</li>"
        for each in asked.options
    )
    return (
        f'<div class="aw-ask"><p class="aw-asks">{place}'
        f"<span>{as_html(asked.asks)}</span></p>"
        f'<ul class="aw-options">{options}</ul>'
        '<noscript><details class="aw-answers"><summary>Answer</summary>'
        f"<ul>{answers}</ul></details></noscript></div>"
    )
