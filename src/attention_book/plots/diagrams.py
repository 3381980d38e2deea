"""What the drawings are made of: the book's one visual language.

What asks is orange, what is asked blue, what is taken green, what comes out violet. A
vector is a column of cells, a weight is opacity, hidden is hatched, gold is an outline.
Drawn 5 inches wide, so that the labels can still be read on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from attention_book.plots.style import INK, PALETTE

ASKED, ASKS, TAKEN = PALETTE[:3]  # input or key; query or decoder state; value
OUT = "#9a5bb5"  # context, output
GOLD = PALETTE[4]
SIZE = 10  # points of a label, about as many pixels on a phone
WIDE = 5.2  # inches
EVEN = 0.45  # opacity of a cell that stands for any number

Point = tuple[float, float]


class Drawing:
    """Draws into the Axes of a new figure, so many inches large, or into those given.

    A thing stands at its centre, (x, y), or at its lower left corner, as it says.
    """

    def __init__(self, height: float, width: float = WIDE, ax: Axes | None = None):
        self.ax = plt.subplots(figsize=(width, height))[1] if ax is None else ax

    def cropped(self, **limits: Any) -> Axes:
        """Set the limits of what is drawn, and give it without its axes."""
        self.ax.set(**limits)
        self.ax.set_axis_off()
        return self.ax

    def label(
        self,
        x: float,
        y: float,
        text: str,
        colour: str = INK,
        size: float | None = None,
        **properties: Any,
    ) -> None:
        """Write a text with its centre at (x, y); a symbol is larger than a word."""
        size = size or (SIZE + 2 if text.startswith("$") else SIZE)
        place = {"ha": "center", "va": "center", "fontsize": size}
        self.ax.text(x, y, text, color=colour, **place | properties)

    def line(self, *points: Point, colour: str = INK, **properties: Any) -> None:
        """Draw a line through some points."""
        places = zip(*points, strict=True)
        self.ax.plot(*places, **{"color": colour, "lw": 1.4} | properties)

    def marked(self, *points: Point, colour: str = INK) -> None:
        """Draw a line as marked with a broad pen."""
        pen = {"alpha": 0.2, "lw": 12, "solid_joinstyle": "round"}
        self.line(*points, colour=colour, **pen)
        self.line(*points, colour=colour)

    def arrow(
        self, start: Point, end: Point, colour: str = INK, **properties: Any
    ) -> None:
        """Draw a straight arrow."""
        style = {"arrowstyle": "-|>", "color": colour, "lw": 1.4}
        style |= {"shrinkA": 0, "shrinkB": 0}
        self.ax.annotate("", end, start, arrowprops=style | properties)

    def box(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        width: float = 0.62,
        height: float = 0.5,
    ) -> None:
        """Draw a rounded box with its centre at (x, y)."""
        corner = (x - width / 2, y - height / 2)
        style = {"boxstyle": "round,pad=0,rounding_size=0.1", "fc": colour + "22"}
        patch = FancyBboxPatch(corner, width, height, ec=colour, lw=1.6, **style)
        self.ax.add_patch(patch)
        bold = {"ha": "center", "va": "center", "fontweight": "bold"}
        self.ax.text(x, y, text, color=colour, **bold)

    def fill(
        self,
        corner: Point,
        width: float,
        height: float,
        colour: str,
        weight: float = 1,
    ) -> None:
        """Fill a rectangle from its corner, as opaque as a weight."""
        properties = {"fc": colour, "alpha": weight, "lw": 0}
        self.ax.add_patch(Rectangle(corner, width, height, **properties))

    def frame(
        self, corner: Point, width: float, height: float, colour: str, **properties: Any
    ) -> None:
        """Draw the outline of a rectangle from its corner."""
        properties |= {"fill": False, "ec": colour}
        self.ax.add_patch(Rectangle(corner, width, height, **properties))

    def cell(
        self,
        corner: Point,
        width: float,
        height: float,
        colour: str,
        weight: float,
        **edge: Any,
    ) -> None:
        """Fill a rectangle as opaque as its weight, and outline it."""
        self.fill(corner, width, height, colour, weight)
        self.frame(corner, width, height, colour, **{"lw": 1.1} | edge)

    def square(
        self,
        x: float,
        y: float,
        weight: float | None,
        side: float = 0.5,
        faintest: float = 0.08,
    ) -> None:
        """Draw a weight's square with its centre at (x, y); hatched if it is None.

        A weight below `faintest` still has its place.
        """
        corner = (x - side / 2, y - side / 2)
        if weight is None:
            self.frame(corner, side, side, INK, lw=0.5, hatch="/////")
        else:
            self.cell(corner, side, side, ASKED, max(weight, faintest), lw=1)

    def column(
        self,
        x: float,
        y: float,
        colour: str,
        weights: Sequence[float] | int = 4,
        name: str = "",
        *,
        width: float = 0.26,
        tall: float = 0.2,
        hidden: bool = False,
    ) -> None:
        """Draw a vector as a column of cells with its centre at (x, y).

        Parameters
        ----------
        weights : N_cells numbers, 0 to 1, or N_cells
            The opacity of each cell, the first on top.
        name : str
            Its symbol, written at the upper right of the column.
        width, tall : float
            The size of a cell.
        hidden : bool
            Hatch it.
        """
        if isinstance(weights, int):
            weights = [0.0 if hidden else EVEN] * weights
        height = len(weights) * tall
        for k, weight in enumerate(weights, start=1):
            corner = (x - width / 2, y + height / 2 - k * tall)
            self.cell(corner, width, tall, colour, weight)
        if hidden:
            low = (x - width / 2, y - height / 2)
            self.frame(low, width, height, colour, lw=0, hatch="//////")
        if name:
            at = x + width / 2 + 0.05, y + height / 2 - 0.1
            self.label(*at, name, colour, SIZE + 2, ha="left")
