"""Panels along one axis: a strip of tokens, bars, and a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from attention_book.widgets.fields import ControlValue, over, settings
from attention_book.widgets.panel import (
    LINE,
    NARROW,
    WIDE,
    Panel,
    check_ends,
    check_template,
    fixed,
    holding,
    lines_of,
    paragraph,
    wrapped,
)

BEFORE = 116  # pixels of a label that stands before its words
BAR, CLOSE = 26, (22, 16)  # pixels of a bar; of many, where it is wide and narrow
EXPLAINED = ("wrong", "missing", "extra")
MARKS = ("", "ok", "wrong", "missing", "extra", "special")


class Tokens(Panel):
    """Words in a line, some of them marked."""

    kind = "tokens"
    holds = holding(words="words marks")
    along = ("words",)

    def check(self) -> None:
        if self.options["chooses"] is not None:
            control = self.chosen("chooses")
            for words in self.fields["words"].every:
                if words != control.labels:
                    raise ValueError(
                        f"chooses is {control.name!r}, whose values are "
                        f"{', '.join(control.labels)}: expected these as words, got "
                        f"{', '.join(words)}"
                    )
        self.options["used"] = []
        if "marks" not in self.fields:
            return
        self.agree("marks", "words")
        marks = self.fields["marks"]
        used = {mark for leaf in marks.every for mark in leaf}
        used |= set(marks.recipe.get("labels", ()))
        unknown = sorted(used - set(MARKS))
        if unknown:
            raise ValueError(
                f"marks has {unknown[0]!r}: expected one of "
                f"{', '.join(map(repr, MARKS))}"
            )
        self.options["used"] = [mark for mark in EXPLAINED if mark in used]

    @property
    def pointed(self) -> bool:
        return bool(self.options["axis"])

    def height(self, width: float) -> float:
        leaves = self.fields["words"].every
        lines = lines_of([*leaves, ["words"] * self.options["room"]], width, 17)
        return lines * 36 - 6 + (LINE + 4 if self.options["used"] else 0)

    def heights(self) -> list[int]:
        """Predict both heights; where there is room the label stands before."""
        wide, narrow = super().heights()
        if self.label and not self.half:
            wide = round(self.height(WIDE - BEFORE))
        return [wide, narrow]

    def static_text(self, index: Sequence[Any]) -> list[str]:
        words = self.fields["words"].at(index)
        marks = [""] * len(words)
        if "marks" in self.fields:
            marks = self.fields["marks"].at(index)
        said = [
            f"{word} ({mark})" if mark not in ("", "ok") else word
            for word, mark in zip(words, marks, strict=True)
        ]
        return [("; " if any(" " in each for each in words) else " ").join(said)]


class Reorder(Panel):
    """Words that the reader drags into another order."""

    kind = "reorder"
    holds = holding(words="words")
    along = ("words",)

    def check(self) -> None:
        control = self.chosen("order")
        if control.kind != "arrangement":
            raise ValueError(
                f"order is {control.name!r}: expected the name of an arrangement"
            )
        self.options["orders"] = control.labels

    def height(self, width: float) -> float:
        letters = [*map(len, self.fields["words"].every[0]), len("Reverse") + 1]
        return wrapped(letters, width, 19) * 38 - 6

    def static_text(self, index: Sequence[Any]) -> list[str]:
        return [" ".join(self.fields["words"].at(index))]


class Bars(Panel):
    """A bar for each label."""

    kind = "bars"
    holds = holding(words="labels", numbers="values low high")
    along = ("labels",)

    @property
    def ends(self) -> list[str]:
        """The fields that hold the ends of the ranges, if there are any."""
        return [name for name in ("low", "high") if name in self.fields]

    def check(self) -> None:
        self.check_flat("values")
        self.agree("values", "labels")
        for name in self.ends:
            self.agree(name, "labels")
            self._check_range(name)
        low, high = self.options["limits"] or self.extent("values", *self.ends)
        least, most = self.extent(*self.ends) if self.ends else (low, high)
        if least < low or most > high:
            raise ValueError(
                f"band goes from {least:g} to {most:g}, past the limits {low:g} to "
                f"{high:g}"
            )
        low, high = min(0.0, low), max(0.0, high)
        self.options["limits"] = [low, high if high > low else low + 1.0]
        self.options["letters"] = min(self.longest("labels"), 18)

    def _check_range(self, name: str) -> None:
        """Check that a value lies on the inner side of an end of its range."""
        by = sorted({*self.fields[name].by, *self.fields["values"].by})
        for index in settings(by, self.controls):
            one, other = self.at(index, name, "values")
            wrong = one > other if name == "low" else one < other
            if wrong.any():
                k = int(wrong.argmax())
                raise ValueError(
                    f"band: {name} is {one[k]:g} where the value is {other[k]:g}, "
                    "expected low <= value <= high"
                )

    def height(self, width: float) -> float:
        lines = CLOSE if self.options["close"] else (BAR, BAR)
        return self.most("labels") * lines[width == NARROW] + 2

    def static_text(self, index: Sequence[Any]) -> list[str]:
        labels, values = self.at(index, "labels", "values")
        digits = self.options["digits"]
        said = [
            f"{label} {fixed(value, digits)}"
            for label, value in zip(labels, values, strict=True)
        ]
        for i, ends in enumerate(zip(*self.at(index, *self.ends), strict=True)):
            if ends[0] < ends[1]:
                said[i] += " ({} to {})".format(*(fixed(end, digits) for end in ends))
        return ["; ".join(said) + "."]


class Text(Panel):
    """A sentence that may depend on the setting."""

    kind = "text"
    holds = holding(text="text")

    def height(self, width: float) -> float:
        lines = max(paragraph(leaf, width) for leaf in self.fields["text"].every)
        return lines * LINE + 4

    def static_text(self, index: Sequence[Any]) -> list[str]:
        return self.at(index, "text")


def tokens(
    label: str,
    words: Any,
    *,
    marks: Any = None,
    axis: str | None = None,
    chooses: ControlValue | None = None,
    room: int = 0,
    half: bool = False,
) -> Panel:
    """Make a strip of words, with the label before it.

    Parameters
    ----------
    marks
        List with one of "", "ok", "wrong", "missing", "extra", "special" for each word.
    axis
        Name of the axis the words lie along, to be highlighted together with other
        panels.
    chooses
        ``control(name)`` whose values are the words: a click or an arrow key chooses
        one; with an axis.
    room
        Words to keep room for, where a network writes more than at first.
    """
    if chooses is not None and not isinstance(chooses, ControlValue):
        raise TypeError(f"chooses is {chooses!r}: give control(name)")
    if chooses and not axis:
        raise ValueError(f"chooses is {chooses.name!r} but there is no axis")
    options = {"axis": axis, "chooses": chooses and chooses.name, "room": room}
    return Tokens({"words": words, "marks": marks}, options, label, half)


def reorder(order: ControlValue) -> Panel:
    """Make a strip of words that the reader drags, or moves with the arrow keys.

    They are those of ``control(name)`` of an `arrangement`, and lie along "query".
    """
    words = over(order.name, str.split)
    return Reorder({"words": words}, {"order": order.name, "axis": "query"})


def bars(
    labels: Any,
    values: Any,
    *,
    label: str = "",
    axis: str = "input",
    limits: tuple[float, float] | None = None,
    digits: int = 2,
    measure: str = "value",
    band: tuple[Any, Any] | None = None,
    say: str = "{label}: {value}",
    close: bool = False,
    half: bool = False,
) -> Panel:
    """Make bars, one for each label; values may have both signs.

    Parameters as for `heat_map`; `measure` says what the values are, above their column
    of the table; `band` is (low, high) of each, drawn as a line on its bar where they
    differ; `say` is what is read out of a bar; with `close` each has less room.
    """
    if limits is not None:
        check_ends("limits", limits)
    options = {"axis": axis, "limits": limits, "digits": digits, "measure": measure}
    options["close"] = close
    options["say"] = check_template(say, ("label", "value"))
    given = {"labels": labels, "values": values}
    if band is not None:
        if not isinstance(band, tuple | list) or len(band) != 2:
            raise ValueError(f"band is {band!r:.80}: expected (low, high)")
        given |= {"low": band[0], "high": band[1]}
    return Bars(given, options, label, half)


def text(sentence: Any, *, half: bool = False) -> Panel:
    """Make a line of text: ``text(over("length", sentences))``."""
    return Text({"text": sentence}, {}, "", half)


def compared(said: Sequence[str], right: Sequence[str]) -> list[tuple[str, str]]:
    """Compare words with the right ones: what `tokens` shows, as (word, mark).

    Those that were said stand in order; those that are missing, where they should have
    been.
    """
    found = []
    for kind, i, j, k, n in SequenceMatcher(
        None, right, said, autojunk=False
    ).get_opcodes():
        both = min(j - i, n - k)  # words that stand against each other
        mark = "ok" if kind == "equal" else "wrong"
        found += [(word, mark) for word in said[k : k + both]]
        found += [(word, "missing") for word in right[i + both : j]]
        found += [(word, "extra") for word in said[k + both : n]]
    return found
