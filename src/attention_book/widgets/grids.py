"""Panels of rows × columns: the heat map and the arcs.

Rows are queries, columns are inputs, always. A gold link is (i, j), input i and query
j: a column and a row, as in `plots` and `data.Pair`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from attention_book.widgets.panel import (
    NARROW,
    Panel,
    check_ends,
    check_template,
    fill,
    fixed,
    holding,
)

CELL = 30, 26  # pixels; the largest cell in the wide and in the narrow layout
TALL = 448  # pixels; cells shrink beyond, down to SMALLEST
SMALLEST = 4
ROOMY = 36  # pixels that the roomiest frames have beyond WIDE and NARROW
LETTER, BOLD = 7.8, 8.5  # pixels of a letter of a label
SHORT = 3  # letters of a column label that never needs to be tilted
LABEL = 14  # letters of a label that are drawn; the rest is read out
PRESETS = 40  # pixels of the line of buttons
SAY = "{row} attends {value} to {column}"
SAY_MOST = f"{SAY}, the most of all"
NOWHERE = "{row} may look nowhere"


def breadth(word: str) -> float:
    """Measure a word in letters of usual width; m and w are broader."""
    return len(word) + 0.4 * sum(letter in "mwMW" for letter in word)


GRID = holding(
    words="rows columns marks", numbers="values visible", cells="gold", text="still"
)


class Grid(Panel):
    """What heat map, arcs and spotlight share."""

    holds = GRID
    along = ("rows", "columns")

    def check(self) -> None:
        self.check_grid("values")
        if "gold" in self.fields:
            self._check_gold()
        self.options["limits"] = list(self.options["limits"] or self._limits())
        words = [word for leaf in self.fields["rows"].every for word in leaf]
        self.options["letters"] = [
            min(max(map(breadth, words), default=0), LABEL),
            min(self.longest("columns"), LABEL),
        ]

    def _check_gold(self) -> None:
        for which, name in enumerate(("columns", "rows")):
            last = self.fields["gold"].spread(
                lambda cells, i=which: max((cell[i] for cell in cells), default=-1),
                self.controls,
            )
            beyond = f"gold names a cell beyond the {name}"
            self.require(np.less(last, self.count(name)), beyond)

    def _limits(self) -> tuple[float, float]:
        low, high = self.extent("values")
        if self.options.get("diverging"):
            reach = max(abs(low), abs(high)) or 1.0
            return -reach, reach
        if low >= 0 and 0.5 <= high <= 1:
            return 0.0, 1.0
        low = min(low, 0.0)
        return low, high if high > low else low + 1.0

    def static_text(self, index: Sequence[Any]) -> list[str]:
        if "still" in self.fields:
            return self.at(index, "still")
        rows, columns, values = self.at(index, "rows", "columns", "values")
        return [strongest(rows, columns, values, self.options)] if columns else []


class HeatMap(Grid):
    """A colour for each cell."""

    kind = "heat_map"

    def check(self) -> None:
        super().check()
        rows = max(self.most("rows"), 1)
        self.options["cell"] = [
            min(cell, max(SMALLEST, TALL // rows)) for cell in self.options["cell"]
        ]
        painted = None
        if "visible" in self.fields:
            self.check_grid("visible")
            painted = self.fields["visible"].recipe.get("control")
        self.options["control"] = painted
        if self.options["presets"] is not None:
            if painted is None:
                raise ValueError(
                    "presets are masks of a free array: expected visible=control(...)"
                )
            self.read_presets(self.controls[painted])

    def height(self, width: float) -> float:
        rows, columns = max(self.most("rows"), 1), max(self.most("columns"), 1)
        letters = self.options["letters"]
        cell = self.options["cell"][width == NARROW]
        room = width + ROOMY - letters[0] * BOLD - 16
        cell = max(4, min(cell, int(room // columns)))
        level = letters[1] <= SHORT or letters[1] * LETTER + 4 <= cell
        top = 22 if level else letters[1] * 6.8 + 18
        presets = PRESETS if self.options["presets"] else 0
        return presets + top + rows * cell + 34


MANY = 12  # rows of arcs; more stand closer, as in js/panels/arcs.mjs


class Arcs(Grid):
    """A curve from each row to each column, as strong as its value."""

    kind = "arcs"

    def height(self, width: float) -> float:
        N = max(self.most("rows"), self.most("columns"), 1)
        return N * (24 if N <= MANY else 16) + 10


def strongest(
    rows: Sequence[str],
    columns: Sequence[str],
    values: np.ndarray,
    options: Mapping[str, Any],
) -> str:
    """Say each row's value that is furthest from 0; of at most twelve rows."""
    said = [
        fill(
            NOWHERE if np.isnan(given[i]) else options["say"],
            row=row,
            column=columns[i],
            value=fixed(given[i], options["digits"]),
        )
        for row, given in zip(rows, values, strict=True)
        for i in [(abs(given) if options.get("diverging") else given).argmax()]
    ]
    return "; ".join(said[:12]) + ("; …" if len(said) > 12 else ".")


def heat_map(
    rows: Any,
    columns: Any,
    values: Any,
    *,
    label: str = "",
    axes: tuple[str, str] = ("query", "input"),
    gold: Any = None,
    gold_label: str = "gold",
    visible: Any = None,
    presets: Mapping[str, Any] | None = None,
    limits: tuple[float, float] | None = None,
    diverging: bool = False,
    digits: int = 2,
    say: str = SAY,
    still: Any = None,
    half: bool = False,
    cell: tuple[int, int] = CELL,
) -> Panel:
    """Make a heat map; rows are queries, columns are inputs.

    Parameters
    ----------
    rows, columns
        Lists of words.
    values
        Numbers, (rows, columns).
    label
        A line above it; also names it for screen readers.
    axes
        Names of the two axes; panels with an axis of the same name are highlighted
        together.
    gold
        Links (input, query), so (column, row), outlined on top and called `gold_label`
        in the legend.
    visible
        Numbers, (rows, columns): where they are 0 a mask hides the input, and the cell
        is hatched. With ``control("visible")`` of a free array of 0 and 1 the reader
        paints the mask.
    presets
        Name -> such a mask, a button for each.
    limits
        Values of the two ends of the colours (from the data when None).
    diverging
        Colours with a neutral middle, for values of both signs.
    digits
        Decimals read out.
    say
        The sentence read out, with {row}, {column} and {value}.
    still
        What a reader without JavaScript is told, a text that may be `over` controls
        (each row's value that is furthest from 0 when None).
    half
        Share a line with the next half panel where the page is wide.
    cell
        Largest side of a cell in pixels, where the page is wide and where it is narrow.
    """
    options = {
        "axes": pair_of_axes(axes),
        "limits": None if limits is None else check_ends("limits", limits),
        "digits": digits,
        "say": check_template(say, ("row", "column", "value")),
        "diverging": diverging,
        "gold_label": gold_label,
        "presets": presets,
        "cell": cell,
    }
    given = {"rows": rows, "columns": columns, "values": values}
    given |= {"gold": gold, "visible": visible, "still": still}
    return HeatMap(given, options, label, half)


def arcs(
    rows: Any,
    columns: Any,
    values: Any,
    *,
    label: str = "",
    axes: tuple[str, str] = ("query", "input"),
    limits: tuple[float, float] | None = None,
    digits: int = 2,
    say: str = SAY_MOST,
    marks: Any = None,
    half: bool | Literal["always"] = False,
) -> Panel:
    """Make arcs from rows (left) to columns (right); parameters as for `heat_map`.

    `marks` says of each row "" or "wrong", which is underlined. With "always" a `half`
    shares a line where the page is narrow, too.
    """
    options = {
        "axes": pair_of_axes(axes),
        "limits": None if limits is None else check_ends("limits", limits),
        "digits": digits,
        "say": check_template(say, ("row", "column", "value")),
    }
    given = {"rows": rows, "columns": columns, "values": values, "marks": marks}
    return Arcs(given, options, label, half)


def pair_of_axes(axes: Sequence[str]) -> list[str]:
    """Check the names of the two axes of a grid."""
    if isinstance(axes, str) or len(axes) != 2 or axes[0] == axes[1]:
        raise ValueError(
            f"axes is {axes!r}: expected two different names, of the rows and of the "
            "columns"
        )
    return list(axes)
