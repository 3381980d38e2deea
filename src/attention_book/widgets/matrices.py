"""The panel of small tables of numbers, some of which the reader edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, get_args

import numpy as np

from attention_book.shapes import check_choice
from attention_book.widgets.panel import (
    NARROW,
    Panel,
    Role,
    check_role,
    fixed,
    holding,
)

DIGIT, BESIDE, APART = (8, 7), (24, 20), (10, 6)  # pixels, wide and narrow, of a digit,
# of a row's name of two letters, and between tables, and lines of them
EDGES = 6  # pixels of a cell beside its digits
ROW, CAPTION = 25, 22  # pixels
Named = Literal["always", "wide", "first"]


@dataclass
class Matrix:
    """One table of `matrices`.

    Parameters
    ----------
    name
        Stands above it; in ``W_Q`` the part behind the underscore is set low.
    values
        Numbers, (R, C), or (R,) for a column. With ``control("K")`` of a free array
        the reader edits them.
    rows, columns
        Lists of words, one for each row or column.
    named
        Where the names of the rows stand: beside the table "always", on a "wide" page
        always, or only where it is the "first" of its line, as also "wide" on a phone.
    role
        "asks", "asked", "taken" or "out", for its colour.
    axes
        Names of the two axes, or None: panels with an axis of the same name are
        highlighted together. Along one of columns there must be names of columns.
    weights
        Shade each cell by its value, from 0 to 1, and show all its decimals.
    digits
        Decimals; none where all numbers are whole, but for weights.
    room
        Digits for which each column has room, a point being half of one. A number that
        needs more is shown with fewer decimals.
    """

    name: str
    values: Any
    _: KW_ONLY
    rows: Any = None
    columns: Any = None
    named: Named = "always"
    role: Role | None = None
    axes: tuple[str | None, str | None] = (None, None)
    weights: bool = False
    digits: int = 2
    room: float = 4.5

    def __post_init__(self) -> None:
        check_choice("named", self.named, get_args(Named))
        if self.axes[1] is not None and self.columns is None:
            raise ValueError(
                f"the columns of {self.name!r} lie along {self.axes[1]!r}: name them"
            )
        check_role(self.role)


matrix = Matrix


class Matrices(Panel):
    """Small tables of numbers, side by side."""

    kind = "matrices"
    holds = holding(numbers="shown m", words="r c")

    def axes(self) -> Mapping[str, str]:
        tables = enumerate(self.options["tables"])
        named = {f"{'mc'[d]}{t}": each["axes"][d] for t, each in tables for d in (0, 1)}
        return {field: axis for field, axis in named.items() if axis is not None}

    def check(self) -> None:
        tables = self.options["tables"] = [dict(x) for x in self.options["tables"]]
        for t, each in enumerate(tables):
            field, name = self.fields[f"m{t}"], each["name"]
            if any(leaf.ndim not in (1, 2) for leaf in field.every):
                raise ValueError(f"{name!r} must be a matrix or a column of numbers")
            if f"r{t}" in self.fields:
                message = f"{name!r} has {{}} rows but {{}} names of rows"
                self.agree(f"m{t}", f"r{t}", message)
            if f"c{t}" in self.fields:
                width = field.spread(lambda leaf: (*leaf.shape, 1)[1], self.controls)
                names = self.count(f"c{t}")
                if (width != names).any():
                    raise ValueError(
                        f"{name!r} has {width.max()} columns but {names.max()} names "
                        "of columns"
                    )
            each["control"] = field.recipe.get("control")
        if "shown" in self.fields:
            count = self.count("shown")
            if (count != len(tables)).any():
                raise ValueError(
                    f"shown has {count.max()} entries but there are {len(tables)} "
                    "tables"
                )

    def height(self, width: float) -> float:
        """Predict the height of all lines of tables."""
        line = lines = tallest = 0.0
        digit, letters, apart = (
            each[width <= NARROW] for each in (DIGIT, BESIDE, APART)
        )
        for t, each in enumerate(self.options["tables"]):
            start = self.fields[f"m{t}"].every[0]
            rows, columns = (*start.shape, 1)[:2]
            named = self.longest(f"r{t}") - 2 if f"r{t}" in self.fields else None
            beside = 0 if named is None else letters + digit * named
            bare = columns * (digit * each["room"] + EDGES) + apart
            tall = CAPTION + ROW * (rows + (f"c{t}" in self.fields))
            first = ("first", "wide")[: 1 + (width <= NARROW)]  # named there alone
            size = bare + beside * (not line or each["named"] not in first)
            if line and line + size > width + apart:
                lines, line, tallest = lines + tallest + apart, 0.0, 0.0
                size = bare + beside
            line, tallest = line + size, max(tallest, tall)
        return lines + tallest

    def static_text(self, index: Sequence[Any]) -> list[str]:
        said = []
        shown = self.fields["shown"].at(index) if "shown" in self.fields else None
        for t, each in enumerate(self.options["tables"]):
            if shown is None or shown[t]:
                values = self.fields[f"m{t}"].at(index)
                texts = fitted(values, each["digits"], each["room"], each["weights"])
                rows = [", ".join(row) for row in np.atleast_2d(texts)]
                inside = ", ".join(f"({row})" for row in rows) if rows[1:] else rows[0]
                said.append(f"{each['name']} = {inside}")
        return ["; ".join(said) + "."]


def fitted(values: np.ndarray, digits: int, room: float, weights: bool) -> np.ndarray:
    """Write the numbers of a table: the twin of `js/numbers.mjs`."""
    whole = not weights and (values.round(digits) % 1 == 0).all()

    def text(value: float) -> str:
        said = [fixed(value, each) for each in range(0 if whole else digits, -1, -1)]
        fits = (each for each in said if len(each) - ("." in each) / 2 <= room)
        return said[0] if weights else next(fits, said[-1])

    return np.vectorize(text)(values)


def matrices(
    tables: Sequence[Matrix],
    *,
    label: str = "",
    shown: Any = None,
    half: bool = False,
) -> Panel:
    """Make small tables of numbers, of which those of a free array can be edited.

    They are made by `matrix`, and stand in lines from left to right. `shown` is a
    number for each, 0 to hide it: ``over("step", lambda step: [1, step > 1])``.
    """
    if not tables:
        raise ValueError("tables is empty: expected at least one")
    given: dict[str, Any] = {"shown": shown}
    for t, each in enumerate(tables):
        given |= {f"m{t}": each.values, f"r{t}": each.rows, f"c{t}": each.columns}
    fields = ("values", "rows", "columns")
    told = [
        {name: x for name, x in vars(each).items() if name not in fields}
        for each in tables
    ]
    return Matrices(given, {"tables": told}, label, half)
