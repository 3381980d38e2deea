"""Where positions come in, drawn: added to the inputs, beside them, into the scores, or
as turns of queries and keys.

Inputs and keys are blue, queries orange; what says where something stands is grey.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle, Rectangle

from attention_book.plots.diagrams import (
    ASKED,
    ASKS,
    SIZE,
    WIDE,
    arrow,
    column,
    symbol,
)
from attention_book.plots.style import INK

KINDS = ("sine, learned", "beside", "relative", "rotary")
PANEL, STEP, CELL = 2.55, 0.5, 0.2  # from panel to panel, column to column; of a vector
UP, DOWN = 1.55, 0.45  # heights of words' vectors and of positions below them
X = np.array([[0.7, 0.2, 0.5, 0.3], [0.2, 0.6, 0.4, 0.7], [0.5, 0.5, 0.1, 0.6]])
TURN = 50  # degrees


def position_kinds(ax: Axes | None = None) -> Axes:
    """Draw where five kinds of positions come in; two of them do at the same place.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 1.75))[1] if ax is None else ax
    panels = (_added, _beside, _relative, _rotary)
    for k, (name, panel) in enumerate(zip(KINDS, panels, strict=True)):
        symbol(ax, PANEL * k + STEP, 2.55, name, INK, SIZE)
        panel(ax, PANEL * k)
    ax.set(xlim=(-0.75, 4 * PANEL - 0.7), ylim=(-0.15, 2.8), aspect="equal")
    ax.set_axis_off()
    return ax


def _added(ax: Axes, left: float) -> None:
    """X, and P below it, with a sign between the two."""
    _inputs(ax, left, UP)
    _positions(ax, left, DOWN)
    symbol(ax, left - 0.42, UP, "$X$", ASKED)
    symbol(ax, left - 0.42, DOWN, "$P$", INK)
    for t in range(len(X)):
        symbol(ax, left + STEP * t, (UP + DOWN) / 2, "+", INK, SIZE)


def _beside(ax: Axes, left: float) -> None:
    """X on top of P: one longer vector for each input."""
    _inputs(ax, left, 1 + 2 * CELL)
    _positions(ax, left, 1 - 2 * CELL)


def _relative(ax: Axes, left: float) -> None:
    """A number for each distance, one for each score."""
    numbers = (0.75, 0.4, 0.15, 0.3, 0.55)  # for the distances -2 to 2
    for i in range(len(X)):
        for j in range(len(X)):
            corner = (left + STEP * j - 0.2, 1 + STEP * (1 - i) - 0.2)
            fill = {"fc": INK, "alpha": numbers[j - i + 2], "lw": 0}
            ax.add_patch(Rectangle(corner, 0.4, 0.4, **fill))
            ax.add_patch(Rectangle(corner, 0.4, 0.4, fill=False, ec=INK, lw=1.1))
    symbol(ax, left - 0.48, 1, "$b$", INK)


def _rotary(ax: Axes, left: float) -> None:
    """A query and a key, turned by their positions."""
    centre = np.array([left + STEP, 1.0])
    ax.add_patch(Circle(centre, 0.85, fill=False, ec=INK, lw=0.7, alpha=0.5))
    for degrees, turns, colour, name in (
        (100, 1, ASKS, "$q_1$"),
        (-30, 2, ASKED, "$k_2$"),
    ):
        start, end = np.deg2rad([degrees, degrees + TURN * turns])
        was, now = (np.array([np.cos(a), np.sin(a)]) for a in (start, end))
        ax.plot(*np.array([centre, centre + 0.85 * was]).T, color=colour, alpha=0.4)
        arrow(ax, tuple(centre), tuple(centre + 0.85 * now), colour)
        span = {"theta1": degrees, "theta2": degrees + TURN * turns}
        ax.add_patch(Arc(tuple(centre), 1.0, 1.0, **span, ec=INK, lw=2.4))
        symbol(ax, *(centre + 1.12 * now), name, colour)


def _inputs(ax: Axes, left: float, y: float) -> None:
    for t, cells in enumerate(X):
        column(ax, left + STEP * t, y, ASKED, [*cells], cell=CELL)


def _positions(ax: Axes, left: float, y: float) -> None:
    """Sines and cosines of two clock hands, as opacities."""
    for t in range(len(X)):
        angles = t * np.array([1, 0.3])
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
        column(ax, left + STEP * t, y, INK, [*(0.42 + 0.38 * waves)], cell=CELL)
