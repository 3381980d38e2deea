"""A question that stands before a figure: the reader predicts, and then sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from attention_book.prose import as_html, check_said
from attention_book.widgets.panel import NARROW, WIDE, paragraph

ROW = 23  # pixels of a line of text
BUTTON = 32  # pixels of a small button
CHOICE = 48  # pixels of an option and the gap below it


@dataclass(frozen=True)
class Prediction:
    """A question before which a widget is not shown: the reader predicts, or declines.

    Parameters
    ----------
    question
        What to predict, such as "Which of the three makes the fewest mistakes?".
    options
        Two or more short answers; they are also used within a sentence ("You predicted
        dot.").
    answer
        The right one, or None if there is no single right one.
    reveal
        What is said when the figure shows, after "You predicted MLP. It is dot:" or
        "You predicted MLP.".
    """

    question: str
    options: Sequence[str]
    _: KW_ONLY
    answer: str | None
    reveal: str

    def __post_init__(self) -> None:
        check_said("question", self.question)
        check_said("reveal", self.reveal)
        options = self.options
        if isinstance(options, str) or not isinstance(options, Sequence):
            raise TypeError(f"options is {options!r:.80}: give a list of texts")
        for i, option in enumerate(options):
            check_said(f"options[{i}]", option)
        if len(options) < 2:
            raise ValueError(
                f"options has {len(options)} entries: expected at least 2 to choose "
                "from"
            )
        twice = [option for option in options if options.count(option) > 1]
        if twice:
            raise ValueError(
                f"options has {twice[0]!r} twice: expected different texts"
            )
        if self.answer is not None and self.answer not in options:
            raise ValueError(
                f"answer is {self.answer!r}: expected None or one of "
                f"{', '.join(map(repr, options))}"
            )

    def said(self, predicted: str) -> str:
        """Say what was predicted ("" for nothing) and what is true."""
        if self.answer is not None and predicted == self.answer:
            return f"You predicted {predicted}, and so it is: {self.reveal}"
        truth = (
            self.reveal
            if self.answer is None
            else f"It is {self.answer}: {self.reveal}"
        )
        return f"You predicted {predicted}. {truth}" if predicted else truth

    def to_json(self) -> dict[str, Any]:
        """What the browser needs: all it may say, and the room the longest takes."""
        said = [self.said(option) for option in self.options]
        every = [*said, self.said("")]
        wide = max(BUTTON, ROW * max(paragraph(each, WIDE - 140) for each in every))
        narrow = ROW * max(paragraph(each, NARROW) for each in every) + 8 + BUTTON
        return {
            "question": self.question,
            "options": list(self.options),
            "said": said,
            "unsaid": self.said(""),
            "line": [wide, narrow],
        }

    def heights(self) -> tuple[int, int]:
        """Predict the height of the question with its options, wide and narrow."""
        wide, narrow = (
            ROW * paragraph(self.question, width - 44) for width in (WIDE, NARROW)
        )
        rows = -(-sum(9 * len(option) + 60 for option in self.options) // (WIDE - 44))
        return 110 + wide + CHOICE * rows, 110 + narrow + CHOICE * len(self.options)

    def static_html(self) -> str:
        """Return the question for a page; where no script runs, its answer too."""
        asked = f"{self.question} {' / '.join(self.options)}"
        answer = (
            f'<noscript><p class="aw-still">{as_html(self.said(""))}</p></noscript>'
        )
        return f'<p class="aw-question">{as_html(asked)}</p>{answer}'


predict = Prediction
