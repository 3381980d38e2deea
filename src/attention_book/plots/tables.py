"""Tables of figures: named rows in, a table with a caption out.

The numbers stay whole in `Table.frame`; only what is shown is rounded. Words stand on
the left of their column and figures on the right, wherever the table is shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from numbers import Integral, Real

import numpy as np
import pandas as pd

Form = str | Mapping[str, str]
# of a form: what asks for digits behind the point; its width and commas are kept
DIGITS = re.compile(r"z?(#?\d*[,_]?)(\.\d+)?[fF]$")
NO_ZERO = re.compile(r"[1-9a-df-zA-DF-Z]")  # other digits, inf, nan; not the e of 0e+00
# what stays in one line: a range, also in brackets; an interval; a shape; 7.7e-14
RANGE = re.compile(
    r"((?<= )\([-.,\d]+( to [.,\d]+)?\)|^\([\d, ]+\)|\[[^\[\]]*\]"
    r"|\d[.,\d]*(-|e-)[.,\d]+)$"
)
WHOLE = r'<span style="white-space: nowrap">\1</span>'
# not left to a style sheet: JupyterLab has its own; ours breaks lines in a styled cell
LEFT, RIGHT = (f' style="text-align: {side}"' for side in ("left", "right"))


@dataclass(frozen=True, eq=False)  # frames do not compare to one truth value
class Table:
    """A table that a notebook shows; make it with `table`."""

    frame: pd.DataFrame  # the values as they came, a row for each name
    shown: pd.DataFrame  # the same as text, rounded
    caption: str

    def __repr__(self) -> str:
        """Return the table as plain text, for a terminal."""
        return f"{self.caption}\n{self.shown.to_string()}"

    def _repr_html_(self) -> str:
        styles = [_style(column) for _, column in self.frame.items()]
        corner = escape(str(self.frame.columns.name or ""))
        head = f'<th scope="col"{LEFT}>{corner}</th>' if corner else "<td></td>"
        for name, style in zip(self.shown.columns, styles, strict=True):
            head += f'<th scope="col"{style}>{escape(str(name))}</th>'
        rows = "".join(self._row(row, styles) for row in self.shown.itertuples())
        return (
            f'<table class="dataframe"><caption{LEFT}>{escape(self.caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _row(self, row: Sequence[object], styles: Sequence[str]) -> str:
        name, *cells = (RANGE.sub(WHOLE, escape(str(cell))) for cell in row)
        both = zip(cells, styles, strict=True)
        cells = "".join(f"<td{style}>{cell}</td>" for cell, style in both)
        return f'<tr><th scope="row"{LEFT}>{name}</th>{cells}</tr>'


def table(
    rows: Mapping[object, Mapping[str, object] | Collection[object]],
    *,
    caption: str,
    columns: Collection[object] | None = None,
    corner: str = "",
    form: Form = ".2f",
) -> Table:
    """Make a table with a row for each name.

    Parameters
    ----------
    rows : mapping
        Name of the row -> its cells, by the names of their columns, or in the order of
        `columns`. A column that a row does not name stays empty there.
    caption : str
        What the table says; it is read out before the figures.
    columns : N_columns names, optional
        Needed where the rows do not name them; where they do, their order.
    corner : str
        What the names of the rows are.
    form : str or mapping
        How numbers are written, as in `format`: ".2f", ".0%", ","; or such a form for
        each column, ".2f" where there is none. Of whole numbers a form such as ",.2f"
        writes no digits behind the point; zero has no sign; texts stay as they are.
    """
    if not rows:
        raise ValueError("rows is empty: expected the cells of at least one row")
    if columns is not None and len(set(columns)) < len(columns):
        raise ValueError(f"columns is {[*columns]}: expected names of their own")
    named = {name: _named(name, row, columns) for name, row in rows.items()}
    names = list(dict.fromkeys(column for row in named.values() for column in row))
    cells = [[row.get(column) for column in names] for row in named.values()]
    header = pd.Index(names, dtype=object, name=corner or None)
    frame = pd.DataFrame(cells, list(map(str, named)), header, dtype=object)
    shown = frame.copy()
    for column, each in _forms(form, names).items():
        shown[column] = [_written(cell, each) for cell in frame[column]]
    return Table(frame, shown, caption)


def mean_and_range(
    seeds: Sequence[float] | np.ndarray, mean: str = ".2f", ends: str = ".2f"
) -> str:
    """Write figures measured over seeds as their mean and, in brackets, their range.

    Each is written as in `format`; without a range where both ends are written alike.
    """
    middle, spread = f"{np.mean(seeds):{mean}}", seed_range(seeds, ends)
    return middle if spread == f"{np.min(seeds):{ends}}" else f"{middle} ({spread})"


def seed_range(seeds: Sequence[float] | np.ndarray, ends: str = ".2f") -> str:
    """Write the range of figures measured over seeds, or one figure where all agree."""
    low, high = f"{np.min(seeds):{ends}}", f"{np.max(seeds):{ends}}"
    return low if low == high else f"{low}-{high}"


def _named(
    name: object, row: Mapping | Collection, columns: Collection | None
) -> dict[str, object]:
    """The cells of a row by column."""
    if isinstance(row, Mapping):
        if columns is None:
            return dict(row)
        if set(row) != set(columns):
            raise ValueError(f"row {name!r} has {[*row]}: expected {[*columns]}")
        return {str(column): row[column] for column in columns}
    if columns is None or len(row) != len(columns):
        expected = "columns to be given" if columns is None else f"{len(columns)}"
        raise ValueError(f"row {name!r} has {len(row)} cells: expected {expected}")
    return dict(zip(map(str, columns), row, strict=True))


def _forms(form: Form, names: Sequence[str]) -> dict[str, str]:
    """The form of each column."""
    if isinstance(form, str):
        return dict.fromkeys(names, form)
    if unknown := set(form) - set(names):
        raise ValueError(
            f"form names {sorted(unknown)}: expected columns among {names}"
        )
    return dict.fromkeys(names, ".2f") | dict(form)


def _written(cell: object, form: str) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    if not isinstance(cell, Real):
        kind = type(cell).__name__
        raise TypeError(f"a cell is a {kind}: expected a number, a text or None")
    if isinstance(cell, Integral):
        return format(cell, DIGITS.sub(r"\1", form))
    text = format(cell, form)
    rounds_to_zero = not NO_ZERO.search(text)
    return format(0.0, form) if rounds_to_zero else text  # without the sign of "-0.00"


def _style(column: pd.Series) -> str:
    """How a column is set: words left, figures right; "89 to 100 %" is a figure."""
    if not any(map(_is_word, column)):
        return ""
    return RIGHT if any(map(_is_figure, column)) else LEFT


def _is_word(cell: object) -> bool:
    return isinstance(cell, str) and any(map(str.isalpha, cell))


def _is_figure(cell: object) -> bool:
    text = re.sub(r"\sto\s", "-", str(cell))
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))
