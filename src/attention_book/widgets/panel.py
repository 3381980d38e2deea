"""A panel is one picture in a widget: its fields, its options, and the height it will
need.

Python checks the fields and predicts the height for two layouts, wide and narrow, so
that the page can reserve it; `js/panels/` draws. A new panel is one class here and one
function there, of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from math import ceil
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from attention_book.shapes import check_choice
from attention_book.widgets.controls import Control, position_of
from attention_book.widgets.fields import Field, read_field

WIDE, NARROW = 620, 300  # pixels inside the frame: a book page, a phone of 390 pixels
GAP, NARROW_GAP = 28, 12  # pixels between two half panels
LETTER = 7.4  # pixels of an average letter at the size of labels
LINE = 24  # pixels of a line of text
MINUS = "\N{MINUS SIGN}"
Role = Literal["asks", "asked", "taken", "out"]


@dataclass
class Panel:
    """What all panels share; authors make one with `heat_map`, `tokens` and so on."""

    given: dict[str, Any]  # field -> what the author gave, None for nothing
    asked: dict[str, Any]  # options as the author gave them
    label: str = ""
    half: bool | Literal["always"] = False  # the other half stands beside it
    fields: dict[str, Field] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)  # completed for one widget
    controls: Sequence[Control] = ()  # of that widget
    kind: ClassVar[str] = ""
    holds: ClassVar[dict[str, str]] = {}  # field, less its number -> what it holds
    along: ClassVar[tuple[str, ...]] = ()  # fields whose entries lie along the axes
    pairs_on_phones: ClassVar[bool] = False  # two halves share a line there, too

    def read(self, controls: Sequence[Control]) -> None:
        """Read and check all fields for a widget with these controls."""
        self.options, self.controls = dict(self.asked), controls
        try:
            self.fields = {
                name: read_field(
                    name, self.holds[name.rstrip("0123456789")], value, controls
                )
                for name, value in self.given.items()
                if value is not None
            }
            self.check()
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.kind} panel {self.label!r}: {error}") from error

    def check(self) -> None:
        """Check fields against each other, and complete the options."""

    def axes(self) -> Mapping[str, str]:
        """Return field -> shared axis it counts along; one name lights up together."""
        axes = self.options.get("axes") or [self.options.get("axis")]
        return {
            field: axis for field, axis in zip(self.along, axes, strict=False) if axis
        }

    def height(self, width: float) -> float:
        """Predict the height below the label, in pixels, at the highest setting."""
        raise NotImplementedError

    @property
    def pointed(self) -> bool:
        """Whether something is read out of what is pointed at in it."""
        return True

    @property
    def pair(self) -> bool:
        """Whether it shares a line on a phone."""
        return self.half == "always" or (bool(self.half) and self.pairs_on_phones)

    def heights(self) -> list[int]:
        """Predict the whole height in the wide and in the narrow layout."""
        label = LINE if self.label else 0
        wide = (WIDE - GAP) / 2 if self.half else WIDE
        narrow = (NARROW - NARROW_GAP) / 2 if self.pair else NARROW
        return [round(label + self.height(width)) for width in (wide, narrow)]

    def static_text(self, index: Sequence[Any]) -> list[str]:
        """Say what is shown at a setting, for readers without JavaScript."""
        raise NotImplementedError

    def at(self, index: Sequence[Any], *names: str) -> list[Any]:
        """Return what some fields show at a setting."""
        return [self.fields[name].at(index) for name in names]

    def longest(self, name: str) -> int:
        """Return the number of letters of the longest word a field ever shows."""
        words = (word for leaf in self.fields[name].every for word in leaf)
        return max(map(len, words), default=0)

    def most(self, name: str) -> int:
        """Return the largest number of entries a field ever has."""
        return max(map(len, self.fields[name].every))

    def extent(self, *names: str) -> tuple[float, float]:
        """Return the smallest and the largest number in these fields at any setting."""
        leaves = [leaf for name in names for leaf in self.fields[name].every]
        every = [leaf.ravel() for leaf in leaves if leaf.size]
        numbers = np.concatenate(every) if every else np.array([0.0, 1.0])
        return float(numbers.min()), float(numbers.max())

    def count(self, name: str) -> np.ndarray:
        """How many entries a field has at each setting, as `Field.spread`."""
        return self.fields[name].spread(len, self.controls)

    def size(self, name: str, axis: int) -> np.ndarray:
        """How long an axis of a field of numbers is at each setting."""
        return self.fields[name].spread(lambda leaf: leaf.shape[axis], self.controls)

    def require(
        self, holds: np.ndarray | np.bool, message: str, *counts: np.ndarray
    ) -> None:
        """Check what must hold at every setting."""
        require(holds, self.controls, message, *counts)

    def agree(self, name: str, of: str, message: str = "") -> None:
        """Check that two fields have as many entries at every setting."""
        message = message or f"{name} has {{}} entries but {of} has {{}}"
        a, b = self.count(name), self.count(of)
        self.require(np.equal(a, b), message, a, b)

    def check_flat(self, name: str, called: str = "") -> None:
        """Check that a field of numbers has one axis."""
        if any(leaf.ndim != 1 for leaf in self.fields[name].every):
            raise ValueError(f"{called or name} must be a flat list of numbers")

    def check_grid(
        self, name: str, rows: str = "rows", columns: str = "columns"
    ) -> None:
        """Check that a field of numbers is rows × columns at every setting."""
        for leaf in self.fields[name].every:
            if leaf.ndim != 2:
                raise ValueError(
                    f"{name} has {leaf.ndim} axes: expected rows × columns"
                )
        have = self.size(name, 0), self.size(name, 1)
        named = self.count(rows), self.count(columns)
        self.require(
            np.equal(have[0], named[0]) & np.equal(have[1], named[1]),
            f"{name} has shape ({{}}, {{}}) but {rows} × {columns} is {{}} × {{}}",
            *have,
            *named,
        )

    def chosen(self, option: str) -> Control:
        """The control that an option names; the option becomes its position."""
        k = self.options[option] = position_of(self.controls, self.options[option])
        return self.controls[k]

    def read_presets(self, free: Control) -> None:
        """Check that presets are places of a free array; pairs keep their order."""
        presets = self.options["presets"].items()
        self.options["presets"] = [
            (name, free.place_of(each)) for name, each in presets
        ]
        for _, place in self.options["presets"]:
            free.check(place)


def holding(**names: str) -> dict[str, str]:
    """Write what fields hold: a panel's `holds`, from the names of each kind."""
    return {name: what for what, some in names.items() for name in some.split()}


def check_ends(name: str, ends: Any) -> list[float]:
    """Check the two ends of an axis."""
    if np.shape(ends) != (2,) or not np.isfinite(ends).all() or ends[0] >= ends[1]:
        raise ValueError(f"{name} is {ends!r}: expected (low, high) with low < high")
    return [float(end) for end in ends]


def check_role(role: Any) -> None:
    """Check what something is in attention, if it is anything."""
    if role is not None:
        check_choice("role", role, get_args(Role))


def require(
    holds: np.ndarray | np.bool,
    controls: Sequence[Control],
    message: str,
    *counts: np.ndarray,
) -> None:
    """Check what must hold at every setting; each {} of the message is a count."""
    if holds.all():
        return
    at = tuple(int(i) for i in np.argwhere(~holds)[0])
    for each in counts:
        message = message.replace("{}", str(np.broadcast_to(each, holds.shape)[at]), 1)
    where = [
        f"{c.name} = {c.labels[i]}"
        for c, i, n in zip(controls, at, holds.shape, strict=True)
        if n > 1
    ]
    raise ValueError(message + (f" (at {', '.join(where)})" if where else ""))


def check_template(template: str, allowed: Sequence[str]) -> str:
    """Check a sentence with {placeholders}."""
    unknown = set(re.findall(r"\{(\w+)\}", template)) - set(allowed)
    if unknown:
        known = ", ".join(f"{{{name}}}" for name in allowed)
        raise ValueError(f"say has {{{sorted(unknown)[0]}}}: the panel fills {known}")
    return template


def fixed(value: float, digits: int) -> str:
    """Write a number as readers see it: a true minus sign, no zero below zero; a half
    is rounded up, as by JavaScript.
    """
    rounded = Decimal(float(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded:zf}".replace("-", MINUS)


def significant(value: float) -> str:
    """Write a number of any size, with three digits that count, as `js/numbers.mjs`."""
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{float(f'{value:.3g}'):zg}".replace("-", MINUS)
    digits, exponent = f"{value:.2e}".split("e")
    power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits} · 10{power}".replace("-", MINUS)


def fill(template: str, **values: Any) -> str:
    """Fill a sentence's {placeholders}; braces inside the values stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]), template)


def wrapped(
    letters: Sequence[int], width: float, extra: float, letter: float = LETTER * 1.15
) -> int:
    """Count the lines that words take, of so many letters and `extra` pixels each."""
    line, lines = 0.0, 1
    for count in letters:
        size = count * letter + extra
        if line and line + size > width:
            line, lines = 0.0, lines + 1
        line += size
    return lines


def lines_of(lists: Iterable[Sequence[str]], width: float, extra: float) -> int:
    """Count the lines that the longest of some lists of words takes."""
    return max(wrapped([max(len(w), 1) for w in each], width, extra) for each in lists)


def paragraph(text: str, width: float, letter: float = 7.25) -> int:
    """Count the lines that a text takes."""
    return max(1, ceil(len(text) * letter / width)) if text else 0
