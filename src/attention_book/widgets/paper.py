"""A sheet on which a reader lays small pictures and draws: its state is a short text,
from which its pixels are computed, here and by the twin `js/paper.mjs`.

    2.4.4_9.16.18       picture 2 at row 4, column 4; picture 9 at row 16, column 18
    -20.16.20.40        a stroke, through (row, column) (5, 4) and (5, 10): in quarters
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_book.shapes import check_count
from attention_book.widgets.controls import Control, Text, check_name

LEVELS = 16  # of the ink of a picture that is laid
QUARTERS = 4  # of a pixel, in which strokes are written down
MOST_MARKS, MOST_POINTS = 12, 64  # on a sheet, and of a stroke
_MARK = re.compile(r"-?\d+(\.\d+)+")


@dataclass(frozen=True, eq=False)  # arrays do not compare to one truth value
class Paper(Text):
    """A sheet; make it with `paper`. Its position is a text, as above."""

    names: tuple[str, ...] = ()
    inks: tuple[np.ndarray, ...] = ()  # (tile, tile) each, whole numbers up to LEVELS
    side: int = 0
    brush: float = 0.0
    count: int = 0

    @property
    def tile(self) -> int:
        """Pixels along a side of a picture that is laid."""
        return len(self.inks[0])

    def marks(self, text: str) -> list[list[int]]:
        """The numbers of each mark: three of a picture; -1, and points, of a stroke."""
        pieces = text.split("_") if text else []
        made = [self._read(piece) for piece in pieces]
        if len(made) > MOST_MARKS:
            raise ValueError(
                f"{self.name!r} has {len(made)} marks: expected {MOST_MARKS} at most"
            )
        if self.count and (len(made) != self.count or any(k < 0 for k, *_ in made)):
            raise ValueError(
                f"{self.name!r} holds {self.said_of(made) or 'nothing'}: expected "
                f"{self.count} pictures"
            )
        return made

    def _read(self, piece: str) -> list[int]:
        if _MARK.fullmatch(piece):
            numbers = [int(x) for x in piece.lstrip("-").split(".")]
            if piece[0] != "-":
                k, *at = numbers
                last = self.side - self.tile
                if len(at) == 2 and k < len(self.names) and max(at) <= last:
                    return numbers
            elif (
                len(numbers) % 2 == 0
                and len(numbers) <= 2 * MOST_POINTS
                and max(numbers) <= QUARTERS * self.side
            ):
                return [-1, *numbers]
        raise ValueError(
            f"{self.name!r} has the mark {piece!r:.80}: expected picture.row.column of "
            f"{len(self.names)} pictures on {self.side} pixels, or a stroke"
        )

    def check(self, position: Any) -> None:
        self.marks(self.place_of(position))

    def said(self, position: Any) -> str:
        return self.said_of(self.marks(position))

    def said_of(self, marks: list[list[int]]) -> str:
        """Say what lies where."""
        said = [
            "a stroke" if k < 0 else f"{self.names[k]} at row {at[0]}, column {at[1]}"
            for k, *at in marks
        ]
        return "; ".join(said)

    def pixels(self, text: str) -> np.ndarray:
        """How much ink is on each pixel, from 0 to 1, (side, side)."""
        sheet = np.zeros((self.side, self.side))
        middles = np.arange(self.side) + 0.5
        for k, *at in self.marks(text):
            if k >= 0:
                row, column = at
                part = sheet[row : row + self.tile, column : column + self.tile]
                np.maximum(part, self.inks[k] / LEVELS, out=part)
                continue
            points = np.reshape(at, (-1, 2)) / QUARTERS
            ends = points[1:] if len(points) > 1 else points  # a dot is its own end
            moves = ends - points[: len(ends)]
            for (y, x), (dy, dx) in zip(points, moves, strict=False):
                down, right = middles[:, None] - y, middles - x
                along = (down * dy + right * dx) / ((dy**2 + dx**2) or 1)
                along = along.clip(0, 1)
                away = np.hypot(down - along * dy, right - along * dx)
                np.maximum(sheet, (self.brush + 0.5 - away).clip(0, 1), out=sheet)
        return sheet

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {
            "names": self.names,
            "inks": [ink.ravel().tolist() for ink in self.inks],
            "side": self.side,
            "tile": self.tile,
            "brush": self.brush,
            "count": self.count,
        }


def paper(
    name: str,
    pictures: Mapping[str, Any],
    start: str,
    *,
    side: int,
    brush: float = 0.0,
    count: int = 0,
) -> Control:
    """Make a sheet that the reader changes in a `picture`, which shows `pixels` of it.

    It has no place among the controls.

    Parameters
    ----------
    pictures
        What can be laid on it, by name: grey values in [0, 1] in sixteenths, all square
        and of one size.
    start
        What is on it first, as at the head of this module.
    side
        Pixels along a side of the sheet.
    brush
        Half the width of a stroke, in pixels.
    count
        So many pictures are always on it, and no strokes: what the reader lays takes
        the place of the one that was last chosen. 0 for any number.
    """
    check_name(name)
    check_count("count", count, 0, MOST_MARKS)
    if (count > 0) == (brush > 0):
        raise ValueError(f"{name!r} has brush={brush}, count={count}: expected one")
    inks = tuple(
        np.rint(LEVELS * np.asarray(each)).astype(int) for each in pictures.values()
    )
    if not inks or {each.shape for each in inks} != {(len(inks[0]),) * 2}:
        raise ValueError(
            f"pictures of {name!r} have the shapes {[each.shape for each in inks]}: "
            "expected one or more, all square and of one size"
        )
    made = Paper(
        "paper", name, (), start, False, tuple(pictures), inks, side, brush, count
    )
    made.check(start)
    return made
