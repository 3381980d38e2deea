"""The panel of a residual stream: a vector, and what one part after another adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attention_book.widgets.panel import (
    Panel,
    fixed,
    holding,
)

DRAWN = 76  # pixels of a drawing; below it come a name, a length, a cosine and the key
LINES = 20 + 2 * 18 + 24
MOST = 8  # parts side by side
ROUNDING = 1e-6  # a cosine of float32 may be beyond 1 by so much


class Stream(Panel):
    """For each part, the stream before, what is added, and the stream behind it."""

    kind = "stream"
    holds = holding(words="parts", numbers="before added cosines carried")

    def check(self) -> None:
        columns = self.most("parts")
        if not 1 <= columns <= MOST:
            raise ValueError(f"parts has {columns} names: expected 1 to {MOST}")
        for name in ("before", "added", "cosines"):
            self.check_flat(name)
            self.agree(name, "parts")
        low, high = self.extent("cosines")
        if low < -1 - ROUNDING or high > 1 + ROUNDING:
            raise ValueError(f"cosines go from {low:g} to {high:g}, expected -1 to 1")
        if (low := self.extent("before")[0]) <= 0:
            raise ValueError(f"before holds {low:g}, expected lengths above 0")
        if (low := self.extent("added")[0]) < 0:
            raise ValueError(f"added holds {low:g}, expected lengths, 0 or more")
        for carried in self.fields["carried"].every:
            if carried.shape or carried not in (0, 1):
                raise ValueError(f"carried is {carried}, expected 1 or 0")
        self.options |= {"columns": columns, "drawn": DRAWN}

    def height(self, width: float) -> float:
        return DRAWN + LINES

    def static_text(self, index: Sequence[Any]) -> list[str]:
        parts, before, added, cosines = self.at(
            index, "parts", "before", "added", "cosines"
        )
        said = [
            f"{part} {fixed(long, 2)} as long, cosine {fixed(cosine, 2)}"
            if long
            else f"{part} nothing"
            for part, long, cosine in zip(parts, added / before, cosines, strict=True)
        ]
        return ["; ".join(said) + "."]


def stream(
    parts: Any, before: Any, added: Any, cosines: Any, *, carried: Any = 1, label=""
) -> Panel:
    """Make a drawing of a vector that goes up, and of what each part adds to it.

    Lengths and angles are true, and to one scale in all parts.

    Parameters
    ----------
    parts
        Their names, n words; at most eight.
    before, added
        The length of the stream where a part stands, and of what it adds; (n,). A part
        that adds 0 is said to add nothing.
    cosines
        Of the two; (n,).
    carried
        1, or 0 where what a part finds takes the stream's place.
    """
    given = {"parts": parts, "before": before, "added": added}
    return Stream(given | {"cosines": cosines, "carried": carried}, {}, label)
