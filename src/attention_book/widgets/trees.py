"""The panel of a tree of words: what a search keeps, abandons and likes best, or the
phrases of a sentence, closed and open, over what is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_book.widgets.panel import (
    Panel,
    holding,
)

ROW, KEY = 27, 24  # pixels of a row of words, and of the key
READ = 30  # pixels of a row of what is read
STATES = ("later", "kept", "abandoned", "best")
PHRASES = ("later", "closed", "open", "new")


class Tree(Panel):
    """Words in rows, each below the one that it follows."""

    kind = "tree"
    along = ("read",)
    holds = holding(
        words="words values read", numbers="places parents states spots weights"
    )

    def check(self) -> None:
        names = self.options["states"]
        if not all(self.fields["words"].every):
            raise ValueError("words is empty: expected at least one")
        for name in ("parents", "states"):
            self.check_flat(name)
        words = dict.fromkeys(("places", "parents", "values", "states"), "words")
        for name, of in (words | {"spots": "read", "weights": "read"}).items():
            if name in self.fields:
                self.agree(name, of)
        rows, columns = self._extent("places")
        beneath, across = 0, 0.0
        if "read" in self.fields:
            beneath, across = self._extent("spots")
            low, high = self.extent("weights")
            if low < 0 or high > 1:
                raise ValueError(
                    f"weights must be numbers from 0 to 1, not {low:g} to {high:g}"
                )
        for leaf in self.fields["parents"].every:
            before = np.arange(len(leaf))
            if (leaf >= before).any() or (leaf < -1).any() or (leaf % 1).any():
                raise ValueError(
                    "parents must be numbers of words that stand before, or -1"
                )
        for leaf in self.fields["states"].every:
            if not np.isin(leaf, range(len(names))).all():
                raise ValueError(f"states must be 0 to 3, which is {', '.join(names)}")
        self.options |= {"rows": rows, "row": ROW, "beneath": beneath * READ}
        self.options["line"] = READ
        self.options["columns"] = self.options["columns"] or max(columns, across)

    def _extent(self, name: str) -> tuple[int, float]:
        """How many rows and columns places take at most."""
        rows, columns = 0, 0.0
        for leaf in self.fields[name].every:
            if leaf.shape[1:] != (2,) or (leaf < 0).any() or (leaf[:, 0] % 1).any():
                raise ValueError(f"{name} must hold a row and a column each, from 0")
            rows = max(rows, int(leaf[:, 0].max()) + 1)
            columns = max(columns, float(leaf[:, 1].max()) + 1)
        return rows, columns

    def height(self, width: float) -> float:
        return self.options["rows"] * ROW + self.options["beneath"] + KEY

    def static_text(self, index: Sequence[Any]) -> list[str]:
        fields = {name: field.at(index) for name, field in self.fields.items()}
        best = np.flatnonzero(np.asarray(fields["states"]) == STATES.index("best"))
        said = []
        if len(best) and "values" in fields:
            words = " ".join(fields["words"][i] for i in best)
            said += [f"best: {words} ({fields['values'][best[-1]]})."]
        if "read" in fields and fields["weights"].any():
            i = int(fields["weights"].argmax())
            said += [f"looks most at {fields['read'][i]} ({fields['weights'][i]:.2f})."]
        return said


def tree(
    words: Any,
    places: Any,
    parents: Any,
    values: Any,
    states: Any,
    *,
    label: str = "",
    names: tuple[str, ...] = STATES,
    columns: float | None = None,
    read: tuple[Any, Any, Any] | None = None,
) -> Panel:
    """Make a tree of words, from the top down.

    Parameters
    ----------
    words
        n words.
    places
        Row and column of each, from 0; (n, 2). A column may lie between two.
    parents
        The number of the word that each follows, which stands before it; -1 for none.
        (n,)
    values
        What stands beside each, as n texts: log P of all that ends there, say; None for
        nothing.
    states
        Of each 0 where it is not there yet, or 1 to 3 as `names` says; (n,).
    names
        `STATES`, of a search: later, kept, abandoned, on the best way. Or `PHRASES`, of
        a sentence: later, closed, open, new.
    columns
        How many there is room for; as many as there are when None.
    read
        What stands below, as (m words, the row and column of each, m weights): what is
        looked at now, along the axis "input", each word as opaque as its weight, from 0
        to 1.
    """
    if names not in (STATES, PHRASES):
        raise ValueError(f"names is {names!r}: expected STATES or PHRASES")
    if read is not None and len(read) != 3:
        raise ValueError(f"read has {len(read)} parts: expected words, places, weights")
    below, spots, weights = read or (None,) * 3
    given = {"words": words, "places": places, "parents": parents, "values": values}
    given |= {"states": states, "read": below, "spots": spots, "weights": weights}
    options = {"states": names, "columns": columns, "axis": read and "input"}
    return Tree(given, options, label)
