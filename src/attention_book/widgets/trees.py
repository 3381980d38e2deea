"""The panel of a tree of words: what a search keeps, abandons and likes best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_book.widgets.controls import Control
from attention_book.widgets.panel import Panel, agree

ROW, KEY = 27, 24  # pixels of a row of words, and of the key
STATES = ("later", "kept", "abandoned", "best")


class Tree(Panel):
    """Words in rows, each below the one that it follows."""

    kind = "tree"

    def check(self, controls: Sequence[Control]) -> None:
        if not all(map(len, self.fields["words"].leaves.ravel())):
            raise ValueError("words is empty: expected at least one")
        for name in ("parents", "states"):
            if any(leaf.ndim != 1 for leaf in self.fields[name].leaves.ravel()):
                raise ValueError(f"{name} must be a flat list of numbers")
        for name in ("places", "parents", "values", "states"):
            message = f"{name} has {{}} entries but words has {{}}"
            agree(self.fields[name], self.fields["words"], controls, message)
        rows, columns = 0, 0.0
        for leaf in self.fields["places"].leaves.ravel():
            if leaf.shape[1:] != (2,) or (leaf < 0).any() or (leaf[:, 0] % 1).any():
                raise ValueError("places must hold a row and a column each, from 0")
            rows = max(rows, int(leaf[:, 0].max()) + 1)
            columns = max(columns, float(leaf[:, 1].max()) + 1)
        for leaf in self.fields["parents"].leaves.ravel():
            before = np.arange(len(leaf))
            if (leaf >= before).any() or (leaf < -1).any() or (leaf % 1).any():
                raise ValueError(
                    "parents must be numbers of words that stand before, or -1"
                )
        for leaf in self.fields["states"].leaves.ravel():
            if not np.isin(leaf, range(len(STATES))).all():
                raise ValueError(f"states must be 0 to 3, which is {', '.join(STATES)}")
        self.options |= {"rows": rows, "columns": columns, "row": ROW, "states": STATES}

    def height(self, width: float) -> float:
        return self.options["rows"] * ROW + KEY

    def still(self, index: Sequence[Any]) -> list[str]:
        words, values, states = (
            self.fields[name].at(index) for name in ("words", "values", "states")
        )
        best = np.flatnonzero(np.asarray(states) == STATES.index("best"))
        said = " ".join(words[i] for i in best)
        return [f"best: {said} ({values[best[-1]]})."] if len(best) else []


def tree(
    words: Any, places: Any, parents: Any, values: Any, states: Any, *, label: str = ""
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
        What stands beside each, as n texts: log P of all that ends there, say.
    states
        Of each 0 where it is not there yet, 1 kept, 2 abandoned, 3 on the best way;
        (n,).
    label
        As for `heat_map`.

    Raises
    ------
    ValueError
        If the fields do not have an entry for each word, or one that cannot be.
    """
    given = {
        "words": ("words", words),
        "places": ("numbers", places),
        "parents": ("numbers", parents),
        "values": ("words", values),
        "states": ("numbers", states),
    }
    return Tree(given, {}, label)
