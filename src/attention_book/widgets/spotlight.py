"""The panel of two strips of words, where pointing at a word of one lights up what it
looks at in the other.

It shows one row of weights at a time and so needs little room: for long sentences, and
for narrow pages.
"""

from __future__ import annotations

from typing import Any

from attention_book.widgets.grids import SAY_MOST, Grid, pair_of_axes
from attention_book.widgets.panel import LINE, NARROW, Panel, check_template, lines_of
from attention_book.widgets.strips import BEFORE

# pixels: a line of words, between the strips, around a word
ROW, GAP, AROUND = 30, 6, 16


class Spotlight(Grid):
    """Two strips of words and the weights between them."""

    kind = "spotlight"

    def height(self, width: float) -> float:
        beside = width == NARROW  # the name then takes the room of a word
        room = width if beside else width - BEFORE

        def strip(name: str, title: str) -> float:
            leaves = self.fields[name].every
            words = [[title, *leaf] if beside else leaf for leaf in leaves]
            return ROW * lines_of(words, room, AROUND)

        rows, columns = self.options["names"]
        legend = LINE + 4 if "gold" in self.fields and self.options["gold_label"] else 0
        return strip("columns", columns) + GAP + strip("rows", rows) + legend


def spotlight(
    rows: Any,
    columns: Any,
    values: Any,
    *,
    names: tuple[str, str] = ("queries", "inputs"),
    axes: tuple[str, str] = ("query", "input"),
    gold: Any = None,
    gold_label: str = "gold",
    say: str = SAY_MOST,
) -> Panel:
    """Make two strips of words: pointing at one lights up where it looks in the other.

    An input lights up what looks at it.

    Parameters
    ----------
    rows, columns
        Lists of words; the columns, the inputs, stand above.
    values
        Weights in [0, 1], (rows, columns).
    names
        What stands before the strip of the rows and before that of the columns.
    gold_label
        What the outline means, in a legend; "" leaves the legend out, where the text
        around says it.
    """
    if isinstance(names, str) or len(names) != 2:
        raise ValueError(
            f"names is {names!r}: expected two, of the rows and of the columns"
        )
    options = {
        "axes": pair_of_axes(axes),
        "limits": [0.0, 1.0],
        "names": list(names),
        "digits": 2,
        "say": check_template(say, ("row", "column", "value")),
        "gold_label": gold_label,
    }
    given = {"rows": rows, "columns": columns, "values": values, "gold": gold}
    return Spotlight(given, options)
