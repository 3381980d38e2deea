"""Where positions come in, drawn: added to the inputs, beside them, into the scores, or
as turns of queries and keys. What says where something stands is grey.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle

from attention_book.plots.diagrams import ASKED, ASKS, SIZE, Drawing
from attention_book.plots.style import INK

KINDS = ("sine, learned", "beside", "relative", "rotary")
PANEL, STEP, CELL = 2.55, 0.5, 0.2  # from panel to panel, column to column; of a vector
UP, DOWN = 1.55, 0.45  # heights of words' vectors and of positions below them
X = np.array([[0.7, 0.2, 0.5, 0.3], [0.2, 0.6, 0.4, 0.7], [0.5, 0.5, 0.1, 0.6]])
TURN = 50  # degrees


def position_kinds() -> Axes:
    """Draw where five kinds of positions come in; two of them do at the same place."""
    draw = Drawing(1.75)
    panels = (_added, _beside, _relative, _rotary)
    for k, (name, panel) in enumerate(zip(KINDS, panels, strict=True)):
        draw.label(PANEL * k + STEP, 2.55, name)
        panel(draw, PANEL * k)
    limits = {"xlim": (-0.75, 4 * PANEL - 0.7), "ylim": (-0.15, 2.8)}
    return draw.cropped(**limits, aspect="equal")


def _added(draw: Drawing, left: float) -> None:
    """X, and P below it, with a sign between the two."""
    _vectors(draw, left, UP, DOWN)
    draw.label(left - 0.42, UP, "$X$", ASKED)
    draw.label(left - 0.42, DOWN, "$P$")
    for t in range(len(X)):
        draw.label(left + STEP * t, (UP + DOWN) / 2, "+")


def _beside(draw: Drawing, left: float) -> None:
    """X on top of P: one longer vector for each input."""
    _vectors(draw, left, 1 + 2 * CELL, 1 - 2 * CELL)


def _relative(draw: Drawing, left: float) -> None:
    """A number for each distance, one for each score."""
    numbers = (0.75, 0.4, 0.15, 0.3, 0.55)  # for the distances -2 to 2
    for i in range(len(X)):
        for j in range(len(X)):
            corner = (left + STEP * j - 0.2, 1 + STEP * (1 - i) - 0.2)
            draw.cell(corner, 0.4, 0.4, INK, numbers[j - i + 2])
    draw.label(left - 0.48, 1, "$b$")


def _rotary(draw: Drawing, left: float) -> None:
    """A query and a key, turned by their positions."""
    centre = np.array([left + STEP, 1.0])
    draw.ax.add_patch(Circle(centre, 0.85, fill=False, ec=INK, lw=0.7, alpha=0.5))
    for degrees, turns, colour, name in (
        (100, 1, ASKS, "$q_1$"),
        (-30, 2, ASKED, "$k_2$"),
    ):
        start, end = np.deg2rad([degrees, degrees + TURN * turns])
        was, now = (np.array([np.cos(a), np.sin(a)]) for a in (start, end))
        hands = [tuple(centre + 0.85 * hand) for hand in (was, now)]
        draw.line(tuple(centre), hands[0], colour=colour, alpha=0.4, lw=2)
        draw.arrow(tuple(centre), hands[1], colour)
        span = {"theta1": degrees, "theta2": degrees + TURN * turns}
        draw.ax.add_patch(Arc(tuple(centre), 1.0, 1.0, **span, ec=INK, lw=2.4))
        draw.label(*(centre + 1.12 * now), name, colour, SIZE + 2)


def _vectors(draw: Drawing, left: float, y: float, low: float) -> None:
    """X, and below it sines and cosines of two clock hands, as opacities."""
    for t, cells in enumerate(X):
        draw.column(left + STEP * t, y, ASKED, [*cells], tall=CELL)
        angles = t * np.array([1, 0.3])
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
        cells = [*(0.42 + 0.38 * waves)]
        draw.column(left + STEP * t, low, INK, cells, tall=CELL)
