"""Self-attention inside a CNN, drawn: one cell of a grid asks all cells, and what it
finds is added to it. Read it from the bottom to the top.

The way around, by which the grid itself is added, is marked with a broad pen.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, TAKEN, Drawing
from attention_book.plots.style import INK

SIDE = 1.5  # of a grid
GRID, MIDDLE, FOUND, SUM = 0.0, 2.5, 4.7, 5.9  # heights: lower edges; the plus
LEFT, KEYS, MIXED, VALUES = 0.45, 2.0, 4.0, 6.0  # where a thing has its centre
FAINTEST, OF_GRID = 0.06, 0.3  # opacities: of a weight near 0, of a grid's cells


def grid_attention(
    weights: Float[np.ndarray, "N_rows N_columns"],
    asks: tuple[int, int],
) -> Axes:
    """Draw how one cell of a grid looks at all of them.

    Parameters
    ----------
    weights : (N_rows, N_columns)
        Of the cell that asks, over all cells; they sum to 1.
    asks : (row, column)
        Where the cell stands that asks.
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
    draw = Drawing(5.1)
    even = np.full(weights.shape, OF_GRID)
    _grid(draw, KEYS, MIDDLE, ASKED, even)
    _grid(draw, MIXED, MIDDLE, ASKED, (weights / weights.max()).clip(FAINTEST))
    _grid(draw, VALUES, MIDDLE, TAKEN, even)
    _grid(draw, MIXED, GRID, INK, even)
    tall, wide = SIDE / np.array(weights.shape)
    left, low = asks[1] * wide - SIDE / 2, SIDE - (asks[0] + 1) * tall
    for y in (GRID, MIDDLE):
        draw.frame((MIXED + left, y + low), wide, tall, ASKS, lw=2, zorder=4)
    asker = MIXED + left + wide / 2, GRID + low + tall / 2
    _ways(draw, asker)
    _around(draw, asker)
    middle = MIDDLE + SIDE / 2
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
        draw.label(x, y, name, colour, SIZE + 3)
    limits = {"xlim": (-0.1, 7.3), "ylim": (-0.25, SUM + 1.1)}
    return draw.cropped(**limits, aspect="equal")


def _grid(
    draw: Drawing,
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
        draw.cell(corner, wide, tall, colour, alpha, lw=0.5, alpha=0.7)


def _ways(draw: Drawing, asker: tuple[float, float]) -> None:
    """From the grid to the query, the keys and the values, and on to what is found."""
    middle = MIDDLE + SIDE / 2
    draw.column(LEFT, middle, ASKS, 3)
    draw.line(asker, (LEFT, asker[1]), colour=ASKS)
    draw.arrow((LEFT, asker[1]), (LEFT, middle - 0.36), ASKS)
    draw.arrow((LEFT + 0.18, middle), (KEYS - SIDE / 2 - 0.06, middle), ASKS)
    for x, colour in ((KEYS, ASKED), (VALUES, TAKEN)):
        toward = np.sign(MIXED - x)
        start = MIXED - toward * SIDE / 4
        draw.arrow((start, GRID + SIDE + 0.08), (x, MIDDLE - 0.08), colour)
        side = toward * (SIDE / 2 + 0.06)
        draw.arrow((x + side, middle), (MIXED - side, middle), colour)
    draw.column(MIXED, FOUND, OUT, 3)
    draw.arrow((MIXED, MIDDLE + SIDE + 0.06), (MIXED, FOUND - 0.36), OUT)
    draw.arrow((MIXED, FOUND + 0.36), (MIXED, SUM - 0.2), OUT)


def _around(draw: Drawing, asker: tuple[float, float]) -> None:
    """The way of the cell itself to the plus, and what comes out there."""
    right, low = VALUES + SIDE / 2 + 0.35, GRID - 0.02
    draw.line(asker, (asker[0], low))
    draw.marked((asker[0], low), (right, low), (right, SUM), (MIXED + 0.2, SUM))
    draw.arrow((MIXED + 0.4, SUM), (MIXED + 0.2, SUM))
    draw.ax.add_patch(Circle((MIXED, SUM), 0.19, fill=False, ec=INK, lw=1.4))
    draw.label(MIXED, SUM, "+", size=SIZE + 2)
    draw.arrow((MIXED, SUM + 0.2), (MIXED, SUM + 0.6), OUT)
    draw.label(MIXED, SUM + 0.75, "the new cell $i$", va="baseline")
