"""The panel of a sentence whose words look at one another.

The words stand in one line; the one that is pointed at has a line to each word it looks
at, as strong as the weight. Under a word stands what a model says there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attention_book.widgets.controls import Sentence
from attention_book.widgets.grids import strongest
from attention_book.widgets.panel import (
    NARROW,
    Panel,
    holding,
    lines_of,
)

SAY = "{row} attends {value} to {column}"
ROW, AROUND = (68, 59), 17  # pixels of a line of words, wide and narrow; around one


class Looks(Panel):
    """A sentence, and where its words look in it."""

    kind = "looks"
    holds = holding(words="words said", numbers="values shown")
    along = ("words",)

    def check(self) -> None:
        self.check_grid("values", "words", "words")
        for name in ("said", "shown"):
            if name in self.fields:
                message = f"{name} has {{}} entries but there are {{}} words"
                self.agree(name, "words", message)
        pressed = self.options["presses"]
        if pressed is not None and not isinstance(self.chosen("presses"), Sentence):
            raise ValueError(f"presses is {pressed!r}, which is no typed sentence")

    def height(self, width: float) -> float:
        lines = lines_of(self.fields["words"].every, width, AROUND)
        return ROW[width == NARROW] * lines

    def static_text(self, index: Sequence[Any]) -> list[str]:
        (words, values), asks = self.at(index, "words", "values"), self.options["asks"]
        rows = [i for i, word in enumerate(words) if word in asks or not asks]
        names = [words[i] for i in rows]
        if "said" in self.fields:
            said = self.fields["said"].at(index)
            names = [f"{words[i]} ({said[i]})" for i in rows]
        if not rows:
            return []
        first, *rest = strongest(names, words, values[rows], self.options).split("; ")
        return ["; ".join([first, *(each[:1].lower() + each[1:] for each in rest)])]


def looks(
    words: Any,
    values: Any,
    *,
    said: Any = None,
    asks: Sequence[str] = (),
    shown: Any = None,
    presses: str | None = None,
    label: str = "",
) -> Panel:
    """Make a sentence whose words look at one another.

    While nothing is pointed at, the first word of `asks` shows where it looks.

    Parameters
    ----------
    words
        List of words, (N_X,).
    values
        Attention weights, (N_X, N_X): row i says where word i looks.
    said
        A word for each, written under those that are in `asks`.
    asks
        The words at which something is said.
    shown
        Numbers, (N_X,): where they are 0 a word is struck out.
    presses
        Name of a typed sentence, made with ``tiles=False``: pressing a word offers what
        it can be exchanged for. It asks until one of these is taken; then the word that
        asked before asks again.
    """
    options = {
        "axis": "word",
        "asks": list(asks),
        "presses": presses,
        "digits": 2,
        "say": SAY,
    }
    given = {"words": words, "values": values, "said": said, "shown": shown}
    return Looks(given, options, label)
