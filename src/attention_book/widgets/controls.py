"""A control is a named list of settings that the reader picks from, with a slider or a
menu; or a cell, the order of some words, or an array of numbers, that the reader
changes in a panel.

The state of a widget is one position per control, for a free array the array itself, so
that Python, the page and a link all say the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import permutations
from numbers import Real
from typing import Any, Literal

import numpy as np

MOST_WORDS = 5  # in an arrangement: they have 120 orders
LONGEST_SLUG = 24  # characters; longer values are written in a link by their position


@dataclass(frozen=True)
class Control:
    """One control of a widget; made by `slider`, `select` and those below."""

    kind: str
    name: str
    values: tuple[Any, ...]
    default: Any  # its position at the start
    play: bool | str = False

    @property
    def labels(self) -> list[str]:
        """What the reader sees for each value."""
        return [as_label(value) for value in self.values]

    @property
    def seen(self) -> bool:
        """Whether it has a place among the controls, or is changed in a panel."""
        return self.kind not in ("arrangement", "cells", "free", "paper")

    @property
    def numeric(self) -> bool:
        """Whether its values are listed, and all numbers."""
        return bool(self.values) and all(is_number(value) for value in self.values)

    @property
    def slugs(self) -> list[str]:
        """What a link says for each value: a short form of it, else its position."""
        slugs = [as_slug(label) for label in self.labels]
        short = all(0 < len(slug) <= LONGEST_SLUG for slug in slugs)
        if short and len(set(slugs)) == len(slugs):
            return slugs
        return [str(position) for position in range(1, len(slugs) + 1)]

    def value_at(self, position: Any) -> Any:
        """Return the value at a position."""
        return self.values[position]

    def said(self, position: Any) -> str:
        """What a reader without JavaScript is told of a position; "" for nothing."""
        return self.labels[position]

    def place_of(self, value: Any) -> Any:
        """Find a value."""
        if value not in self.values:
            raise ValueError(
                f"{value!r} is not among the values of {self.name!r}: {self.labels}"
            )
        return self.values.index(value)

    def check(self, position: Any) -> None:
        """Check that there is such a position."""
        if not isinstance(position, int) or not 0 <= position < len(self.values):
            raise ValueError(
                f"{self.name!r} has no position {position!r:.80}: expected one below "
                f"{len(self.values)}"
            )

    def to_json(self) -> dict[str, Any]:
        """What the browser needs to draw this control."""
        return {
            "kind": self.kind,
            "seen": self.seen,
            "name": self.name,
            "labels": self.labels,
            "values": [float(value) for value in self.values] if self.numeric else None,
            "slug": as_slug(self.name),
            "slugs": self.slugs,
            "play": self.play,
        }


@dataclass(frozen=True)
class Free(Control):
    """An array that panels let the reader change; make it with `free`.

    It has no list of values: its position is the array, as nested lists.
    """

    low: float = 0.0
    high: float = 1.0
    step: float = 0.1

    def value_at(self, position: Any) -> Any:
        return np.array(position, dtype=float)

    def said(self, position: Any) -> str:
        return ""

    def place_of(self, value: Any) -> Any:
        return as_numbers(repr(self.name), value).tolist()

    def check(self, position: Any) -> None:
        array, like = np.asarray(self.place_of(position)), np.shape(self.default)
        if array.shape != like:
            raise ValueError(
                f"{self.name!r} has shape {array.shape}: expected {like}, as at the "
                "start"
            )
        if not ((array >= self.low) & (array <= self.high)).all():  # NaN neither
            raise ValueError(
                f"{self.name!r} holds {array.tolist()!r:.80}: expected numbers from "
                f"{self.low:g} to {self.high:g}"
            )

    def to_json(self) -> dict[str, Any]:
        limits = {"low": self.low, "high": self.high, "step": self.step}
        return super().to_json() | limits


@dataclass(frozen=True)
class Switches(Free):
    """Switches in a row, each on (1) or off (0); make it with `switches`."""

    words: tuple[str, ...] = ()
    there: tuple[str, dict[str, list[str]]] | None = None

    @property
    def seen(self) -> bool:
        return True

    @property
    def labels(self) -> list[str]:
        return list(self.words)

    def said(self, position: Any) -> str:
        on = (word for word, is_on in zip(self.words, position, strict=True) if is_on)
        return ", ".join(on) or "none"

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"there": self.there}


class Text(Control):
    """A control whose position is a text."""

    @property
    def labels(self) -> list[str]:
        return [self.default]

    def value_at(self, position: Any) -> Any:
        return position

    def said(self, position: Any) -> str:
        return position

    def place_of(self, value: Any) -> Any:
        return check_text(repr(self.name), value)


@dataclass(frozen=True)
class Written(Text):
    """Any text; make it with `written`."""

    offers: tuple[str, ...] = ()

    def check(self, position: Any) -> None:
        self.place_of(position)

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"offers": self.offers}


@dataclass(frozen=True)
class Sentence(Text):
    """A sentence that the reader types; make it with `typed`.

    A word in brackets is hidden.
    """

    vocabulary: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    longest: int = 0
    hides: bool | Literal["one"] = False
    examples: tuple[tuple[str, str], ...] = ()  # what its button says, a sentence
    tiles: bool = True
    pieces: tuple[str, ...] = ()
    reads: str = ""
    brief: bool = False

    def check(self, position: Any) -> None:
        words, seen = split(self.place_of(position))
        unknown = [word for word in words if word not in self.vocabulary]
        if unknown:
            raise ValueError(
                f"{self.name!r} has {unknown[0]!r}, which is not among the words that "
                f"the network has learned, such as {', '.join(self.vocabulary[3:9])}"
            )
        if not 1 <= len(words) <= self.longest:
            raise ValueError(
                f"{self.name!r} has {len(words)} words: expected 1 to {self.longest}"
            )
        if self.hides == "one" and seen.count(False) != 1:
            raise ValueError(
                f"{self.name!r} hides {seen.count(False)} words: expected one in "
                "brackets"
            )

    def to_json(self) -> dict[str, Any]:
        own = [each.name for each in fields(self)[len(fields(Control)) :]]
        return super().to_json() | {name: getattr(self, name) for name in own}


def split(text: str) -> tuple[list[str], list[bool]]:
    """Split a sentence into its words, and say which are shown, not in brackets."""
    words = text.split()
    return [word.strip("()") for word in words], [word[0] != "(" for word in words]


def slider(
    name: str, values: Sequence[Any], default: Any = None, *, play: bool | str = False
) -> Control:
    """Make a slider over the values, in their order: numbers or texts, all different.

    It opens with `default`, or the first. With `play`, for controls along which time
    runs, a button steps through the values; a text is what it says until it is pressed.
    """
    return _control("slider", name, values, default, play)


def select(name: str, values: Sequence[Any], default: Any = None) -> Control:
    """Make a menu of the values, as for `slider`."""
    return _control("select", name, values, default, False)


def arrangement(
    name: str, words: Sequence[str], default: Sequence[str] | None = None
) -> Control:
    """Make a sentence of 2 to 5 different words that the reader drags (`reorder`).

    It has no place among the controls. Its values are the sentence in every order, as
    texts: ``over(name, lambda sentence: sentence.split())``. It opens in the order
    `default`, or as given.
    """
    if isinstance(words, str):
        raise TypeError(f"words of {name!r} is the single text {words!r}: split it")
    words = list(words)
    good = all(word and not re.search(r"\s", word) for word in words)
    if not (2 <= len(set(words)) == len(words) <= MOST_WORDS and good):
        raise ValueError(
            f"words of {name!r} are {words}: expected 2 to {MOST_WORDS} different "
            "ones, without blanks"
        )
    orders = [" ".join(order) for order in permutations(words)]
    start = None if default is None else " ".join(default)
    return _control("arrangement", name, orders, start, False)


def cells(
    name: str, rows: int, columns: int, default: tuple[int, int] = (1, 1)
) -> Control:
    """Make a cell of a grid that the reader chooses in a panel (`picture`).

    It has no place among the controls. Its values are texts such as "3, 5", row by row:
    of the cell in row 3 and column 5, counted from 1, as those of `default` are.
    """
    every = [f"{r + 1}, {c + 1}" for r in range(rows) for c in range(columns)]
    return _control("cells", name, every, "{}, {}".format(*default), False)


def free(
    name: str, default: Any, *, low: float, high: float, step: float = 0.1
) -> Control:
    """Make an array of numbers from `low` to `high` that the reader changes in a panel
    (`plane`, `matrices`, `vectors`, `heat_map`).

    It has no place among the controls. It opens with `default`, and its shape stays; a
    key moves a number by a step, and what is dragged is rounded to steps. Fields take
    it with ``control(name)``, as such or as an argument of `computed`; `over` cannot,
    as its values cannot be listed.
    """
    check_name(name)
    if not (np.isfinite([low, high]).all() and low < high and 0 < step <= high - low):
        raise ValueError(
            f"{name!r} goes from {low!r} to {high!r} in steps of {step!r}: expected "
            "low < high and a step between"
        )
    made = Free("free", name, (), None, False, low, high, step)
    position = made.place_of(default)
    made = replace(made, default=position)
    made.check(position)
    return made


def switches(
    name: str,
    words: Sequence[str],
    default: Sequence[float] | None = None,
    *,
    there: tuple[str, Mapping[str, Sequence[str]]] | None = None,
) -> Control:
    """Make a row of switches, such as one for each head, each called by a word.

    ``control(name)`` is 0 or 1 for each; `default` says which are on (1) at the start,
    none of them when None. `there` names a `select`, and which words can be pressed at
    each of its labels.
    """
    check_name(name)
    start = [0.0] * len(words) if default is None else [float(x) for x in default]
    if not words or len(start) != len(words) or set(start) - {0.0, 1.0}:
        raise ValueError(
            f"{name!r} has {len(words)} switches and starts as {start}: expected a 0 "
            "or 1 for each of one or more"
        )
    by = there and (there[0], {label: [*some] for label, some in there[1].items()})
    return Switches("switches", name, (), start, False, 0.0, 1.0, 1.0, tuple(words), by)


def typed(
    name: str,
    vocabulary: Sequence[str],
    default: str,
    *,
    groups: Sequence[Sequence[str]] = (),
    longest: int = 24,
    hides: bool | Literal["one"] = False,
    examples: Sequence[str] | Mapping[str, str] = (),
    tiles: bool = True,
    pieces: Sequence[str] = (),
    reads: str = "",
    brief: bool = False,
) -> Control:
    """Make a sentence that the reader types, of words that a network has learned.

    Words are offered while it is typed; one that is unknown is marked, and the nearest
    known ones are offered. What a network is given of it say `ids` and `shown`.

    Parameters
    ----------
    vocabulary
        The words, in the order of their ids; of the first three, those in brackets are
        special and not typed.
        A line of words ends at a full stop.
    groups
        Words that may take each other's place, offered when one of them is pressed.
    longest
        How many words it may have.
    hides
        Words can be hidden by a press; they stand in brackets then. "one" of them
        always is, and hiding another shows it.
    examples
        Other sentences, offered as buttons; a long one under a name.
    tiles
        Show the words to be pressed; False where a panel does (`looks`).
    pieces
        A sentence in pieces; a button adds the next one, another takes the last off.
    reads
        The name of a slider with numbers: how many lines before the last, which are
        examples, are read (`last_parts`). The others are struck out.
    brief
        A single line, for a figure with many sentences: no words to press (`tiles` is
        ignored), and what is offered lies over the figure while the line has the focus.
        Not with `hides`, `examples`, `pieces` or `reads`.
    """
    check_name(name)
    if brief and (hides or examples or pieces or reads):
        raise ValueError(
            f"{name!r} is brief, expected none of hides, examples, pieces and reads"
        )
    whole = not isinstance(examples, Mapping)
    named = {each: each for each in examples} if whole else dict(examples)
    made = Sentence(
        "sentence",
        name,
        (),
        default,
        vocabulary=tuple(vocabulary),
        groups=tuple(map(tuple, groups)),
        longest=longest,
        hides=hides,
        examples=tuple(named.items()),
        tiles=tiles and not brief,
        pieces=tuple(pieces),
        reads=reads,
        brief=brief,
    )
    for sentence in (default, *named.values(), *([" ".join(pieces)] if pieces else [])):
        made.check(sentence)
    return made


def written(name: str, offers: Sequence[str], default: str | None = None) -> Control:
    """Make a text that the reader types, whatever it holds; some are offered in a menu.

    It opens with `default`, or the first of `offers`. What a network is given of it say
    `pieces_of`.
    """
    check_name(name)
    offers = tuple(check_text(f"an offer of {name!r}", each) for each in offers)
    if not offers:
        raise ValueError(f"offers of {name!r} is empty: expected a text")
    start = offers[0] if default is None else check_text(repr(name), default)
    return Written("text", name, (), start, offers=offers)


def as_numbers(name: str, value: Any) -> np.ndarray:
    """Read numbers, finite or not, that fill an array."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must hold numbers in a full array, but came as {value!r:.80}"
        ) from None


def check_text(name: str, value: Any) -> str:
    """Check that something is a text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, but came as {value!r:.80}")
    return value


def check_name(name: Any) -> None:
    """Check that a control has a name that can stand in a link."""
    if not isinstance(name, str) or not as_slug(name):
        raise ValueError(
            f"name is {name!r}: a control needs a name with a letter or a digit in it"
        )


def _control(
    kind: str, name: str, values: Sequence[Any], default: Any, play: bool | str
) -> Control:
    check_name(name)
    if isinstance(values, str):
        raise TypeError(
            f"values of {name!r} is the single text {values!r}: give a list of values"
        )
    values = tuple(
        value.item() if isinstance(value, np.generic) else value for value in values
    )
    if not values:
        raise ValueError(
            f"values of {name!r} is empty: a control needs at least one value"
        )
    labels = [as_label(value) for value in values]
    if len(set(labels)) < len(labels):
        raise ValueError(
            f"values of {name!r} must differ, but the labels are {', '.join(labels)}"
        )
    if default is not None and default not in values:
        raise ValueError(
            f"default {default!r} is not among the values of {name!r}: "
            f"{', '.join(labels)}"
        )
    start = 0 if default is None else values.index(default)
    return Control(kind, name, values, start, play)


def is_number(value: Any) -> bool:
    """Say whether a value of a control is a number (and not True or False)."""
    return isinstance(value, Real) and not isinstance(value, bool)


def as_label(value: Any) -> str:
    """Write a value for the reader: numbers short, all else as it is."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("-", "\N{MINUS SIGN}") if is_number(value) else text


def as_slug(text: str) -> str:
    """Write a text as it may stand in a link: a-z, digits, dots, single hyphens.

    A minus sign in front of it stays.
    """
    minus = "-" * text.startswith("\N{MINUS SIGN}")
    return minus + re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def position_of(controls: Sequence[Control], name: str) -> int:
    """Find a control by its name."""
    names = [control.name for control in controls]
    if name not in names:
        raise ValueError(
            f"unknown control {name!r}: the widget has "
            f"{', '.join(map(repr, names)) or 'none'}"
        )
    return names.index(name)
