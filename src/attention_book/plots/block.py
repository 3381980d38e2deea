"""A block, drawn: the vectors go straight up, and what attention and the MLP find is
added to them. Only attention leads from one vector to another. Read it from the bottom
to the top.

Inputs are blue, what is made of them violet. What the last vector is given of all the
vectors is dark.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon

from attention_book.plots.diagrams import ASKED, OUT, SIZE, WIDE, box, column, symbol
from attention_book.plots.style import INK
from attention_book.shapes import check_choice

N = 3  # vectors
STEP, ASIDE = 1.45, 0.6  # from vector to vector, and from it to its parts
HALF = 2.36  # from X to Z, and from Z to Y
CELL, EDGE = 0.13, 0.24  # a cell of a vector; from its centre to where lines begin
FORK, PLUS = 0.4, 0.1  # above a vector; radius of a sum
PART, NORM, GAP = 0.75, 0.26, 0.12  # heights of attention or MLP, of a norm; between


def block_drawing(norm: str = "post", ax: Axes | None = None) -> Axes:
    """Draw a block.

    Parameters
    ----------
    norm : "post" or "pre"
        Where the norms stand: behind each sum, or before attention and MLP.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    check_choice("norm", norm, ("post", "pre"))
    ax = plt.subplots(figsize=(WIDE, 4.9))[1] if ax is None else ax
    places = STEP * np.arange(N)
    for k, (name, colour) in enumerate((("$X$", ASKED), ("$Z$", OUT), ("$Y$", OUT))):
        symbol(ax, -0.4, k * HALF, name, colour)
        for x in places:
            column(ax, x, k * HALF, colour, (0.45,) * 3, cell=CELL)
    _half(ax, places, 0.0, "attention", norm)
    _half(ax, places, HALF, "MLP", norm)
    middle = {"ha": "center", "va": "center", "fontsize": SIZE + 1}
    ax.text(-0.22, 0.45 * HALF, "residual", color=ASKED, rotation=90, **middle)
    right = places[-1] + ASIDE + 1.45
    ax.set(xlim=(-0.6, right), ylim=(-0.25, 2 * HALF + 0.25), aspect="equal")
    ax.set_axis_off()
    return ax


def _half(ax: Axes, places: np.ndarray, low: float, name: str, norm: str) -> None:
    """From one row of vectors to the next: a part, a sum, and a norm."""
    fork, high = low + FORK, low + HALF - EDGE
    start = fork + GAP + (NORM + GAP if norm == "pre" else 0)
    end = start + PART
    plus = end + GAP + PLUS
    at_norm = start - GAP - NORM / 2 if norm == "pre" else plus + PLUS + GAP + NORM / 2
    below, above = at_norm - NORM / 2, at_norm + NORM / 2
    stream = {"color": OUT, "lw": 3}
    for x in places:
        aside = x + ASIDE
        carried = ASKED if name == "attention" else OUT
        _way(ax, (x, low + EDGE), (x, plus - PLUS), color=carried, lw=3)
        _way(ax, (x, fork), (aside, fork))
        _way(ax, (aside, end), (aside, plus), (x + PLUS, plus))
        if norm == "pre":
            _way(ax, (aside, fork), (aside, below))
            _way(ax, (aside, above), (aside, start))
            _way(ax, (x, plus + PLUS), (x, high), **stream)
        else:
            _way(ax, (aside, fork), (aside, start))
            _way(ax, (x, plus + PLUS), (x, below), **stream)
            _way(ax, (x, above), (x, high), **stream)
        _sum(ax, x, plus)
        box(ax, aside if norm == "pre" else x, at_norm, "", INK, 0.5, NORM)
        if name == "MLP":
            _mlp(ax, aside, start, end)
    if name == "attention":
        _meet(ax, places + ASIDE, start, end)
    for text, y in ((name, (start + end) / 2), ("norm", at_norm)):
        place = {"ha": "left", "va": "center", "fontsize": SIZE + 1}
        ax.text(places[-1] + ASIDE + 0.45, y, text, **place)


def _way(ax: Axes, *points: tuple[float, float], **style) -> None:
    places = zip(*points, strict=True)
    ax.plot(*places, **{"color": INK, "lw": 1.4, "solid_capstyle": "butt"} | style)


def _meet(ax: Axes, places: np.ndarray, start: float, end: float) -> None:
    """A line from each vector to each."""
    for to in places:
        alpha = 1 if to == places[-1] else 0.35
        for x in places:
            _way(ax, (x, start), (to, end), alpha=alpha, zorder=1)


def _mlp(ax: Axes, x: float, start: float, end: float) -> None:
    """Wider inside than a vector."""
    middle = (start + end) / 2
    corners = [(0.18, start), (0.34, middle), (0.18, end)]
    corners += [(-across, y) for across, y in corners[::-1]]
    shape = [(x + across, y) for across, y in corners]
    ax.add_patch(Polygon(shape, fc=INK + "22", ec=INK, lw=1.6))


def _sum(ax: Axes, x: float, y: float) -> None:
    ax.add_patch(Circle((x, y), PLUS, fill=False, ec=OUT, lw=1.4))
    _way(ax, (x - PLUS, y), (x + PLUS, y), color=OUT)
    _way(ax, (x, y - PLUS), (x, y + PLUS), color=OUT)
