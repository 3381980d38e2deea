"""The panel of small heat maps side by side: one for each head, say."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np

from attention_book.widgets.fields import ControlValue
from attention_book.widgets.grids import GRID, SAY, strongest
from attention_book.widgets.panel import NARROW, Panel, check_template

CELL = 20, 11  # pixels; the largest cell in the wide and in the narrow layout
NAME, APART = 22, 8  # pixels of a name below its map, and between two maps
WORD, ASIDE = 6.6, 32  # pixels of a letter beside maps; of a name beside its map


class Maps(Panel):
    """Small heat maps."""

    kind = "maps"
    holds = GRID | {"names": "words"}
    along = ("names", "rows", "columns")

    def check(self) -> None:
        if any(leaf.ndim != 3 for leaf in self.fields["values"].every):
            raise ValueError("values must have three axes: maps × rows × columns")
        for axis, name in enumerate(self.along):
            have, named = self.size("values", axis), self.count(name)
            what = "maps" if name == "names" else name
            message = f"values has {{}} {what} but {name} has {{}} entries"
            self.require(np.equal(have, named), message, have, named)
        if "visible" in self.fields:
            self.check_grid("visible")
        if self.options["chooses"] is not None:
            control = self.chosen("chooses")
            values = len(control.labels)
            if (self.count("names") != values).any():
                raise ValueError(
                    f"chooses is {control.name!r}, which has {values} values: "
                    "expected as many names"
                )

    def height(self, width: float) -> float:
        cell, across = self.options["cell"][width == NARROW], self.options["across"]
        rows, columns, count = map(self.most, ("rows", "columns", "names"))
        if across and width != NARROW:
            left, top = (
                ceil(WORD * lean * self.longest(axis) + more)
                for axis, lean, more in (("rows", 1, 6), ("columns", 0.88, 8))
            )
            cell = min(cell, int(((width - left) / across - ASIDE) // columns))
            return top + -(-count // across) * (rows * cell + APART) - APART
        cell = min(cell, int(width // columns))
        per_line = max(1, int((width + APART) // (columns * cell + APART)))
        return -(-count // per_line) * (rows * cell + NAME + APART) - APART

    def static_text(self, index: Sequence[Any]) -> list[str]:
        names, rows, columns, values = self.at(
            index, "names", "rows", "columns", "values"
        )
        return [
            f"{name}: {strongest(rows, columns, each, self.options)}"
            for name, each in zip(names, values, strict=True)
        ]


def maps(
    names: Any,
    rows: Any,
    columns: Any,
    values: Any,
    *,
    label: str = "",
    axes: tuple[str, str, str] = ("head", "query", "input"),
    visible: Any = None,
    chooses: ControlValue | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
    digits: int = 2,
    say: str = SAY,
    half: bool = False,
    cell: tuple[int, int] = CELL,
    across: int = 0,
) -> Panel:
    """Make small heat maps; rows are queries, columns are inputs.

    Parameters
    ----------
    names
        List of words, one for each map; stands below or beside it.
    rows, columns
        Lists of words, the same for all maps.
    values
        Numbers, (maps, rows, columns).
    axes
        Names of the three axes.
    visible
        Numbers, (rows, columns), the same for all maps.
    chooses
        ``control(name)`` with as many values as there are maps: a click chooses one.
    across
        So many stand in a line in the wide layout, with their words; 0 for as many as
        there is room for, without.
    """
    options = {
        "axes": list(axes),
        "limits": list(limits),
        "digits": digits,
        "say": check_template(say, ("row", "column", "value")),
        "cell": cell,
        "across": across,
        "chooses": chooses and chooses.name,
    }
    given = {"names": names, "rows": rows, "columns": columns, "values": values}
    return Maps(given | {"visible": visible}, options, label, half)
