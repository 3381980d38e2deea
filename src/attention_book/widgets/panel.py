"""A panel is one picture in a widget: its fields, its options, and the height it will
need.

Python checks the fields and predicts the height for two layouts, wide and narrow, so
that the page can reserve it; `js/panels/` draws. A new panel is one class here and one
function there, of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from attention_book.widgets.controls import Control
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

    given: dict[str, tuple[str, Any]]  # field -> (what it holds, what the author gave)
    asked: dict[str, Any]  # options as the author gave them
    label: str = ""
    half: bool = False
    precision: str = "auto"
    fields: dict[str, Field] = field(default_factory=dict)
    options: dict[str, Any] = field(
        default_factory=dict
    )  # options completed for one widget
    kind: ClassVar[str] = ""
    pairs_on_phones: ClassVar[bool] = False  # two halves share a line there, too

    def read(self, controls: Sequence[Control]) -> None:
        """Read and check all fields for a widget with these controls."""
        self.options = dict(self.asked)
        try:
            self.fields = {
                name: read_field(name, what, value, controls)
                for name, (what, value) in self.given.items()
                if value is not None
            }
            self.check(controls)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.kind} panel {self.label!r}: {error}") from error

    def check(self, controls: Sequence[Control]) -> None:
        """Check fields against each other, and complete the options."""

    def axes(self) -> Mapping[str, str]:
        """Return field -> shared axis it counts along; one name lights up together."""
        return {}

    def height(self, width: float) -> float:
        """Predict the height below the label, in pixels, at the highest setting."""
        raise NotImplementedError

    @property
    def pair(self) -> bool:
        """Whether it shares a line on a phone."""
        return self.half and self.pairs_on_phones

    def heights(self) -> list[int]:
        """Predict the whole height in the wide and in the narrow layout."""
        label = LINE if self.label else 0
        wide = (WIDE - GAP) / 2 if self.half else WIDE
        narrow = (NARROW - NARROW_GAP) / 2 if self.pair else NARROW
        return [round(label + self.height(width)) for width in (wide, narrow)]

    def still(self, index: Sequence[Any]) -> list[str]:
        """Say what is shown at a setting, for readers without JavaScript."""
        raise NotImplementedError

    def longest(self, name: str) -> int:
        """Return the number of letters of the longest word a field ever shows."""
        return max(
            (len(word) for leaf in self.fields[name].leaves.ravel() for word in leaf),
            default=0,
        )

    def most(self, name: str) -> int:
        """Return the largest number of entries a field ever has."""
        return max(len(leaf) for leaf in self.fields[name].leaves.ravel())

    def extent(self, *names: str) -> tuple[float, float]:
        """Return the smallest and the largest number in these fields at any setting."""
        every = [
            leaf
            for name in names
            for leaf in self.fields[name].leaves.ravel()
            if leaf.size
        ]
        if not every:
            return 0.0, 1.0
        return float(min(leaf.min() for leaf in every)), float(
            max(leaf.max() for leaf in every)
        )


def check_ends(name: str, ends: Any) -> None:
    """Check the two ends of an axis."""
    if np.shape(ends) != (2,) or not np.isfinite(ends).all() or ends[0] >= ends[1]:
        raise ValueError(f"{name} is {ends!r}: expected (low, high) with low < high")


def check_role(role: Any) -> Role:
    """Check what something is in attention."""
    if role not in get_args(Role):
        raise ValueError(
            f"role is {role!r}: expected one of {', '.join(get_args(Role))}"
        )
    return role


def agree(
    first: Field, second: Field, controls: Sequence[Control], message: str
) -> None:
    """Check that two fields have as many entries at every setting."""
    a, b = np.broadcast_arrays(
        first.spread(len, controls), second.spread(len, controls)
    )
    require(a == b, controls, lambda at: message.format(a[at], b[at]))


def require(
    holds: np.ndarray | np.bool,
    controls: Sequence[Control],
    message: Callable[[tuple[int, ...]], str],
) -> None:
    """Check what must hold at every setting."""
    if holds.all():
        return
    at = tuple(int(i) for i in np.argwhere(~np.asarray(holds))[0])
    where = [
        f"{c.name} = {c.labels[i]}"
        for c, i, n in zip(controls, at, holds.shape, strict=True)
        if n > 1
    ]
    raise ValueError(message(at) + (f" (at {', '.join(where)})" if where else ""))


def check_shape(
    values: Field, rows: Field, columns: Field, controls: Sequence[Control]
) -> None:
    """Check that a field of numbers is rows × columns at every setting."""
    if any(leaf.ndim != 2 for leaf in values.leaves.ravel()):
        raise ValueError(
            f"{values.name} has {values.leaves.ravel()[0].ndim} axes: expected rows × "
            "columns"
        )
    measures = [
        values.spread(lambda leaf: leaf.shape[0], controls),
        values.spread(lambda leaf: leaf.shape[1], controls),
        rows.spread(len, controls),
        columns.spread(len, controls),
    ]
    R, C, N_rows, N_columns = np.broadcast_arrays(*measures)
    require(
        np.equal(R, N_rows) & np.equal(C, N_columns),
        controls,
        lambda at: (
            f"{values.name} has shape ({R[at]}, {C[at]}) but {rows.name} × "
            f"{columns.name} is {N_rows[at]} × {N_columns[at]}"
        ),
    )


def check_template(template: str, allowed: Sequence[str]) -> str:
    """Check a sentence with {placeholders}."""
    unknown = set(re.findall(r"\{(\w+)\}", template)) - set(allowed)
    if unknown:
        known = ", ".join(f"{{{name}}}" for name in allowed)
        raise ValueError(f"say has {{{sorted(unknown)[0]}}}: the panel fills {known}")
    return template


def fixed(value: float, digits: int) -> str:
    """Write a number as readers see it: a true minus sign, no zero below zero."""
    return f"{value:z.{digits}f}".replace("-", MINUS)


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


def paragraph(text: str, width: float, letter: float = 7.25) -> int:
    """Count the lines that a text takes."""
    return max(1, ceil(len(text) * letter / width)) if text else 0
