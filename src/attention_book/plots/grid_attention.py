"""Self-attention inside a CNN, drawn: one cell of a grid asks all cells, and what it
finds is added to it.

Read it from the bottom to the top. What asks is orange, what is asked blue, what is
taken green, what comes out violet; a weight is an opacity. The way around, by which the
grid itself is added, is marked with a broad pen.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from attention_book.plots.diagrams import (
    ASKED,
    ASKS,
    OUT,
    SIZE,
    TAKEN,
    WIDE,
    arrow,
    column,
    symbol,
)
from attention_book.plots.style import INK

SIDE = 1.5  # of a grid
GRID, MIDDLE, FOUND, SUM = 0.0, 2.5, 4.7, 5.9  # heights: lower edges; the plus
LEFT, KEYS, MIXED, VALUES = 0.45, 2.0, 4.0, 6.0  # where a thing has its centre
FAINTEST, OF_GRID = 0.06, 0.3  # opacities: of a weight near 0, of a grid's cells
SYMBOL = SIZE + 3  # points


def grid_attention(
    weights: Float[np.ndarray, "N_rows N_columns"],
    asks: tuple[int, int],
    ax: Axes | None = None,
) -> Axes:
    """Draw how one cell of a grid looks at all of them.

    Parameters
    ----------
    weights : (N_rows, N_columns)
        Of the cell that asks, over all cells; they sum to 1.
    asks : (row, column)
        Where the cell stands that asks.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    weights = np.asarray(weights, float)
    fit = weights.ndim == 2 and (weights >= 0).all()  # NaN is not
    if not fit or abs(weights.sum() - 1) > 1e-3:
        raise ValueError(
            f"weights has shape {weights.shape} and the sum {weights.sum():.3f}: "
            "expected (N_rows, N_columns) numbers, at least 0, with the sum 1"
        )
    inside = [0 <= k < n for k, n in zip(asks, weights.shape, strict=False)]
    if len(asks) != 2 or not all(inside):
        raise ValueError(f"asks is {asks}, expected a cell of {weights.shape}")
    ax = plt.subplots(figsize=(WIDE, 5.1))[1] if ax is None else ax
    even = np.full(weights.shape, OF_GRID)
    middle = MIDDLE + SIDE / 2
    _grid(ax, KEYS, MIDDLE, ASKED, even)
    _grid(ax, MIXED, MIDDLE, ASKED, (weights / weights.max()).clip(FAINTEST))
    _grid(ax, VALUES, MIDDLE, TAKEN, even)
    _grid(ax, MIXED, GRID, INK, even)
    tall, wide = SIDE / np.array(weights.shape)
    left, low = asks[1] * wide - SIDE / 2, SIDE - (asks[0] + 1) * tall
    for y in (GRID, MIDDLE):
        marked = {"ec": ASKS, "lw": 2, "fill": False, "zorder": 4}
        ax.add_patch(Rectangle((MIXED + left, y + low), wide, tall, **marked))
    asker = MIXED + left + wide / 2, GRID + low + tall / 2
    for x, colour in ((KEYS, ASKED), (VALUES, TAKEN)):
        start = MIXED + np.sign(x - MIXED) * SIDE / 4
        arrow(ax, (start, GRID + SIDE + 0.08), (x, MIDDLE - 0.08), colour)
    column(ax, LEFT, middle, ASKS, (0.45,) * 3)
    ax.plot([asker[0], LEFT], [asker[1]] * 2, color=ASKS, lw=1.4)
    arrow(ax, (LEFT, asker[1]), (LEFT, middle - 0.36), ASKS)
    arrow(ax, (LEFT + 0.18, middle), (KEYS - SIDE / 2 - 0.06, middle), ASKS)
    for x, colour in ((KEYS, ASKED), (VALUES, TAKEN)):
        side = np.sign(MIXED - x) * (SIDE / 2 + 0.06)
        arrow(ax, (x + side, middle), (MIXED - side, middle), colour)
    column(ax, MIXED, FOUND, OUT, (0.45,) * 3)
    arrow(ax, (MIXED, MIDDLE + SIDE + 0.06), (MIXED, FOUND - 0.36), OUT)
    arrow(ax, (MIXED, FOUND + 0.36), (MIXED, SUM - 0.2), OUT)
    _around(ax, asker)
    for x, y, name, colour in (
        (MIXED + SIDE / 2 + 0.4, GRID + SIDE / 2, "$X$", INK),
        (LEFT + 0.35, middle + 0.45, "$q_i$", ASKS),
        (LEFT + 0.45, asker[1] + 0.25, "$W_Q$", ASKS),
        (KEYS, MIDDLE + SIDE + 0.25, "$K$", ASKED),
        (KEYS + 0.05, MIDDLE - 0.6, "$W_K$", ASKED),
        (MIXED + 0.45, MIDDLE + SIDE + 0.25, "$A_i$", ASKED),
        (VALUES, MIDDLE + SIDE + 0.25, "$V$", TAKEN),
        (VALUES + 0.05, MIDDLE - 0.6, "$W_V$", TAKEN),
        (MIXED + 0.4, FOUND, "$y_i$", OUT),
        (MIXED + 0.75, FOUND + 0.7, "$W_O$, gate", OUT),
    ):
        symbol(ax, x, y, name, colour, SYMBOL)
    ax.set(xlim=(-0.1, 7.3), ylim=(-0.25, SUM + 1.1), aspect="equal")
    ax.set_axis_off()
    return ax


def _grid(
    ax: Axes,
    x: float,
    y: float,
    colour: str,
    alphas: Float[np.ndarray, "N_rows N_columns"],
) -> None:
    """A grid around x, with its lower edge at y."""
    rows, columns = alphas.shape
    tall, wide = SIDE / rows, SIDE / columns
    for (r, c), alpha in np.ndenumerate(alphas):
        corner = (x - SIDE / 2 + c * wide, y + SIDE - (r + 1) * tall)
        ax.add_patch(Rectangle(corner, wide, tall, fc=colour, alpha=alpha, lw=0))
        style = {"ec": colour, "lw": 0.5, "alpha": 0.7, "fill": False}
        ax.add_patch(Rectangle(corner, wide, tall, **style))


def _around(ax: Axes, asker: tuple[float, float]) -> None:
    """The way of the cell itself to the plus, and what comes out there."""
    right = VALUES + SIDE / 2 + 0.35
    corners = (
        [asker[0], right, right, MIXED + 0.2],
        [GRID - 0.02, GRID - 0.02, SUM, SUM],
    )
    ax.plot(*corners, color=INK, alpha=0.2, lw=12, solid_joinstyle="round")
    ax.plot([asker[0]] * 2, [asker[1], GRID - 0.02], color=INK, lw=1.4)
    ax.plot(*corners, color=INK, lw=1.4)
    arrow(ax, (MIXED + 0.4, SUM), (MIXED + 0.2, SUM))
    ax.add_patch(Circle((MIXED, SUM), 0.19, fill=False, ec=INK, lw=1.4))
    ax.text(MIXED, SUM, "+", ha="center", va="center", fontsize=SIZE + 2)
    arrow(ax, (MIXED, SUM + 0.2), (MIXED, SUM + 0.6), OUT)
    ax.text(MIXED, SUM + 0.75, "the new cell $i$", ha="center", fontsize=SIZE)
