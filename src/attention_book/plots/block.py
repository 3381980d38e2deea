"""A block, drawn: the vectors go straight up, and what attention and the MLP find is
added to them. Only attention leads from one vector to another. Read it from the bottom
to the top. What the last vector is given of all the vectors is dark.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon

from attention_book.plots.diagrams import ASKED, OUT, SIZE, Drawing, Point
from attention_book.plots.style import INK
from attention_book.shapes import check_choice

N = 3  # vectors
STEP, ASIDE = 1.45, 0.6  # from vector to vector, and from it to its parts
HALF = 2.36  # from X to Z, and from Z to Y
CELL, EDGE = 0.13, 0.24  # a cell of a vector; from its centre to where lines begin
FORK, PLUS = 0.4, 0.1  # above a vector; radius of a sum
PART, NORM, GAP = 0.75, 0.26, 0.12  # heights of attention or MLP, of a norm; between


def block_drawing(norm: str = "post") -> Axes:
    """Draw a block.

    Parameters
    ----------
    norm : "post" or "pre"
        Where the norms stand: behind each sum, or before attention and MLP.
    """
    check_choice("norm", norm, ("post", "pre"))
    draw = Drawing(4.9)
    places = STEP * np.arange(N)
    for k, (name, colour) in enumerate((("$X$", ASKED), ("$Z$", OUT), ("$Y$", OUT))):
        draw.label(-0.4, k * HALF, name, colour)
        for x in places:
            draw.column(x, k * HALF, colour, 3, tall=CELL)
    _half(draw, places, 0.0, "attention", norm)
    _half(draw, places, HALF, "MLP", norm)
    draw.label(-0.22, 0.45 * HALF, "residual", ASKED, SIZE + 1, rotation=90)
    right = places[-1] + ASIDE + 1.45
    limits = {"xlim": (-0.6, right), "ylim": (-0.25, 2 * HALF + 0.25)}
    return draw.cropped(**limits, aspect="equal")


def _half(draw: Drawing, places: np.ndarray, low: float, name: str, norm: str) -> None:
    """From one row of vectors to the next: a part, a sum, and a norm."""
    fork, high = low + FORK, low + HALF - EDGE
    start = fork + GAP + (NORM + GAP if norm == "pre" else 0)
    end = start + PART
    plus = end + GAP + PLUS
    at_norm = start - GAP - NORM / 2 if norm == "pre" else plus + PLUS + GAP + NORM / 2
    below, above = at_norm - NORM / 2, at_norm + NORM / 2
    stream = {"colour": OUT, "lw": 3}
    for x in places:
        aside = x + ASIDE
        carried = ASKED if name == "attention" else OUT
        _way(draw, (x, low + EDGE), (x, plus - PLUS), colour=carried, lw=3)
        _way(draw, (x, fork), (aside, fork))
        _way(draw, (aside, end), (aside, plus), (x + PLUS, plus))
        if norm == "pre":
            _way(draw, (aside, fork), (aside, below))
            _way(draw, (aside, above), (aside, start))
            _way(draw, (x, plus + PLUS), (x, high), **stream)
        else:
            _way(draw, (aside, fork), (aside, start))
            _way(draw, (x, plus + PLUS), (x, below), **stream)
            _way(draw, (x, above), (x, high), **stream)
        _sum(draw, x, plus)
        draw.box(aside if norm == "pre" else x, at_norm, "", INK, 0.5, NORM)
        if name == "MLP":
            _mlp(draw, aside, start, end)
    if name == "attention":
        _meet(draw, places + ASIDE, start, end)
    right = places[-1] + ASIDE + 0.45
    draw.label(right, (start + end) / 2, name, size=SIZE + 1, ha="left")
    draw.label(right, at_norm, "norm", size=SIZE + 1, ha="left")


def _way(draw: Drawing, *points: Point, **properties) -> None:
    draw.line(*points, **{"solid_capstyle": "butt"} | properties)


def _meet(draw: Drawing, places: np.ndarray, start: float, end: float) -> None:
    """A line from each vector to each."""
    for to in places:
        alpha = 1 if to == places[-1] else 0.35
        for x in places:
            _way(draw, (x, start), (to, end), alpha=alpha, zorder=1)


def _mlp(draw: Drawing, x: float, start: float, end: float) -> None:
    """Wider inside than a vector."""
    middle = (start + end) / 2
    corners = [(0.18, start), (0.34, middle), (0.18, end)]
    corners += [(-across, y) for across, y in corners[::-1]]
    shape = [(x + across, y) for across, y in corners]
    draw.ax.add_patch(Polygon(shape, fc=INK + "22", ec=INK, lw=1.6))


def _sum(draw: Drawing, x: float, y: float) -> None:
    draw.ax.add_patch(Circle((x, y), PLUS, fill=False, ec=OUT, lw=1.4))
    _way(draw, (x - PLUS, y), (x + PLUS, y), colour=OUT)
    _way(draw, (x, y - PLUS), (x, y + PLUS), colour=OUT)
