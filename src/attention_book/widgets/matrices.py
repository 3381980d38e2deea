"""The panel of small tables of numbers, some of which the reader edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attention_book.widgets.controls import Control
from attention_book.widgets.panel import (
    Panel,
    Role,
    agree,
    check_role,
)

CELL, DIGIT = 40, 8  # pixels of a number with two decimals; of each more
ROW, CAPTION = 24, 22  # pixels
APART = 10  # pixels between two tables, and between two lines of them


@dataclass(frozen=True)
class Matrix:
    """One table; make it with `matrix`."""

    name: str
    values: Any
    rows: Any
    columns: Any
    role: Role | None
    axes: tuple[str | None, str | None]
    weights: bool
    digits: int


class Matrices(Panel):
    """Small tables of numbers, side by side."""

    kind = "matrices"

    def axes(self) -> Mapping[str, str]:
        tables = enumerate(self.options["tables"])
        named = {f"{'mc'[d]}{t}": each["axes"][d] for t, each in tables for d in (0, 1)}
        return {field: axis for field, axis in named.items() if axis is not None}

    def check(self, controls: Sequence[Control]) -> None:
        tables = self.options["tables"] = [
            dict(each) for each in self.options["tables"]
        ]
        for t, each in enumerate(tables):
            field, name = self.fields[f"m{t}"], each["name"]
            if any(leaf.ndim not in (1, 2) for leaf in field.leaves.ravel()):
                raise ValueError(f"{name!r} must be a matrix or a column of numbers")
            if f"r{t}" in self.fields:
                message = f"{name!r} has {{}} rows but {{}} names of rows"
                agree(field, self.fields[f"r{t}"], controls, message)
            if f"c{t}" in self.fields:
                width = field.spread(lambda leaf: (*leaf.shape, 1)[1], controls)
                names = self.fields[f"c{t}"].spread(len, controls)
                if (width != names).any():
                    raise ValueError(
                        f"{name!r} has {width.max()} columns but {names.max()} names "
                        "of columns"
                    )
            each["control"] = field.recipe.get("control")
        if "shown" in self.fields:
            count = self.fields["shown"].spread(len, controls)
            if (count != len(tables)).any():
                raise ValueError(
                    f"shown has {count.max()} entries but there are {len(tables)} "
                    "tables"
                )

    def height(self, width: float) -> float:
        """Predict the height of all lines of tables."""
        line = lines = tallest = 0.0
        for t, each in enumerate(self.options["tables"]):
            start = self.fields[f"m{t}"].leaves.ravel()[0]
            rows, columns = (*start.shape, 1)[:2]
            beside = self.longest(f"r{t}") * 8 + 8 if f"r{t}" in self.fields else 0
            size = (
                beside + columns * (CELL + DIGIT * max(0, each["digits"] - 2)) + APART
            )
            tall = CAPTION + ROW * (rows + (f"c{t}" in self.fields))
            if line and line + size > width + APART:
                lines, line, tallest = lines + tallest + APART, 0.0, 0.0
            line, tallest = line + size, max(tallest, tall)
        return lines + tallest

    def still(self, index: Sequence[Any]) -> list[str]:
        said = []
        shown = self.fields["shown"].at(index) if "shown" in self.fields else None
        for t, each in enumerate(self.options["tables"]):
            if shown is None or shown[t]:
                values = self.fields[f"m{t}"].at(index).round(each["digits"]) + 0.0
                said.append(f"{each['name']} = {values.tolist()}")
        return ["; ".join(said) + "."]


def matrix(
    name: str,
    values: Any,
    *,
    rows: Any = None,
    columns: Any = None,
    role: Role | None = None,
    axes: tuple[str | None, str | None] = (None, None),
    weights: bool = False,
    digits: int = 2,
) -> Matrix:
    """Describe one table of `matrices`.

    Parameters
    ----------
    name
        Stands above it; in ``W_Q`` the part behind the underscore is set low.
    values
        Numbers, (R, C), or (R,) for a column. With ``control("K")`` of a free array
        the reader edits them.
    rows, columns
        Lists of words, one for each row or column.
    role
        "asks", "asked", "taken" or "out", for its colour.
    axes
        Names of the two axes, or None: panels with an axis of the same name are
        highlighted together. Along one of columns there must be names of columns.
    weights
        Shade each cell by its value, from 0 to 1, and show all its decimals.
    digits
        Decimals; those that are 0 at the end are left out, but for weights.

    Raises
    ------
    ValueError
        If there is no such role, or no name of columns along an axis.
    """
    if axes[1] is not None and columns is None:
        raise ValueError(f"the columns of {name!r} lie along {axes[1]!r}: name them")
    role = None if role is None else check_role(role)
    return Matrix(name, values, rows, columns, role, axes, weights, digits)


def matrices(
    tables: Sequence[Matrix],
    *,
    label: str = "",
    shown: Any = None,
    half: bool = False,
) -> Panel:
    """Make small tables of numbers, of which those of a free array can be edited.

    Parameters
    ----------
    tables
        Made by `matrix`, in lines from left to right.
    shown
        A number for each table, 0 to hide it:
        ``over("step", lambda step: [1, step > 1])``.
    label, half
        As for `heat_map`.

    Raises
    ------
    ValueError
        If there is no table.
    """
    if not tables:
        raise ValueError("tables is empty: expected at least one")
    given: dict[str, tuple[str, Any]] = {"shown": ("numbers", shown)}
    for t, each in enumerate(tables):
        given |= {
            f"m{t}": ("numbers", each.values),
            f"r{t}": ("words", each.rows),
            f"c{t}": ("words", each.columns),
        }
    options = {
        "tables": [
            {
                "name": each.name,
                "role": each.role,
                "axes": list(each.axes),
                "weights": each.weights,
                "digits": each.digits,
            }
            for each in tables
        ]
    }
    return Matrices(given, options, label, half)
