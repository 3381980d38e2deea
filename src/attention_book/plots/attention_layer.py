"""The attention layer, drawn: queries and inputs go in, a mixture for each query comes
out. Read it from the bottom to the top, and each row of squares from left to right.

What asks is orange, what is asked blue, what is taken green, what comes out violet. A
row of squares is a query, a column an input; a score is a bar, a weight an opacity.
"""

from __future__ import annotations

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

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

INPUTS, KEYS, SQUARES = 0.0, 1.75, 2.75  # heights: X; K and V; the lowest row of E, A
STEP, ROW, SIDE = 0.62, 0.86, 0.5  # from square to square, from row to row, a square
CELL = 0.15  # of a vector
D_X, D_Q, D_V = 4, 3, 2  # how many cells: three widths, which need not be equal
GAP = 1.15  # between E and A, for the softmax
SYMBOL = SIZE + 3  # points
FAINTEST = 0.12  # so that a weight near 0 still has its place


def attention_layer(
    A: Float[np.ndarray, "N_Q N_X"],
    *,
    self_attention: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw an attention layer.

    Parameters
    ----------
    A : (N_Q, N_X)
        The weights, above 0; each row sums to 1. The scores drawn are their logarithms.
    self_attention : bool
        Let the queries come from the inputs, too; the way from X to Q is set off.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    A = np.asarray(A, float)
    if A.ndim != 2 or (A <= 0).any() or not np.allclose(A.sum(axis=1), 1, atol=1e-3):
        raise ValueError(
            f"A has shape {A.shape} and the row sums {A.sum(axis=-1).round(3)}: "
            "expected (N_Q, N_X) positive numbers with the row sums 1"
        )
    N_Q, N_X = A.shape
    if self_attention and N_Q != N_X:
        raise ValueError(
            f"A has shape {A.shape}, expected as many queries as inputs: in "
            "self-attention each input asks"
        )
    ax = plt.subplots(figsize=(WIDE, 3.9))[1] if ax is None else ax
    over_K = 1.0 + STEP * np.arange(N_X)  # columns of E, with the keys below
    over_V = over_K + N_X * STEP + GAP  # columns of A, with the values below
    over_X = (over_K + over_V) / 2
    rows = SQUARES + ROW * np.arange(N_Q)[::-1]  # the first query is on top
    top, asker, out = rows[0] + 0.75, 0.2, over_V[-1] + 0.85
    _inputs(ax, over_X, over_K, over_V, rows)
    _scores(ax, np.log(A), over_K, rows)
    _weights(ax, A, over_V, rows)
    for y in rows:
        _vector(ax, asker, y, ASKS, D_Q)
        arrow(ax, (asker + 0.16, y), (over_K[0] - 0.3, y), ASKS)
        arrow(ax, (over_K[-1] + 0.3, y), (over_V[0] - 0.3, y))
        arrow(ax, (over_V[-1] + 0.3, y), (out - 0.16, y), OUT)
        _vector(ax, out, y, OUT, D_V)
    if self_attention:
        _own_queries(ax, asker, over_X[0], rows[-1])
    symbol(ax, asker, top, "$Q$", ASKS, SYMBOL)
    symbol(ax, over_K.mean(), top, "$E$", INK, SYMBOL)
    symbol(ax, over_V.mean(), top, "$A$", ASKED, SYMBOL)
    symbol(ax, out, top, "$Y$", OUT, SYMBOL)
    between = (over_K[-1] + over_V[0]) / 2
    ax.text(between, top, "softmax", ha="center", va="center", fontsize=SIZE)
    ax.set(xlim=(-0.3, out + 0.4), ylim=(-0.5, top + 0.3), aspect="equal")
    ax.set_axis_off()
    return ax


def _inputs(
    ax: Axes,
    over_X: np.ndarray,
    over_K: np.ndarray,
    over_V: np.ndarray,
    rows: np.ndarray,
) -> None:
    """X at the bottom, K and V above it, and a line from each to its squares."""
    for x in over_X:
        _vector(ax, x, INPUTS, ASKED, D_X)
    symbol(ax, over_X[-1] + 0.45, INPUTS, "$X$", ASKED, SYMBOL)
    for places, colour, name, learned, width, side in (
        (over_K, ASKED, "$K$", "$W_K$", D_Q, -1),
        (over_V, TAKEN, "$V$", "$W_V$", D_V, 1),
    ):
        for x in places:
            _vector(ax, x, KEYS, colour, width)
            for start, end in pairwise((KEYS + 0.28 - SIDE / 2, *rows[::-1])):
                ends = [start + SIDE / 2, end - SIDE / 2]
                ax.plot([x, x], ends, color=colour, lw=1.4)
        symbol(ax, places[-1] + 0.4, KEYS, name, colour, SYMBOL)
        left, right = over_X.mean() + 0.3 * side, places.mean()
        arrow(ax, (left, INPUTS + 0.42), (right, KEYS - 0.42), colour)
        middle = (left + right) / 2 + 0.45 * side
        symbol(ax, middle, (INPUTS + KEYS) / 2 - 0.12, learned, colour, SYMBOL)


def _scores(ax: Axes, E: np.ndarray, places: np.ndarray, rows: np.ndarray) -> None:
    bars = 0.08 + 0.38 * (E - E.min()) / max(np.ptp(E), 1e-9)
    for y, of_query in zip(rows, bars, strict=True):
        for x, bar in zip(places, of_query, strict=True):
            corner = (x - SIDE / 2, y - SIDE / 2)
            ax.add_patch(Rectangle(corner, SIDE, SIDE, fill=False, ec=INK, lw=0.8))
            ax.add_patch(Rectangle((x - 0.11, corner[1]), 0.22, bar, fc=INK, lw=0))


def _weights(ax: Axes, A: np.ndarray, places: np.ndarray, rows: np.ndarray) -> None:
    for y, of_query in zip(rows, A / A.max(), strict=True):
        for x, weight in zip(places, of_query, strict=True):
            corner, alpha = (x - SIDE / 2, y - SIDE / 2), max(weight, FAINTEST)
            square = Rectangle(corner, SIDE, SIDE, fc=ASKED, alpha=alpha, lw=0)
            ax.add_patch(square)
            ax.add_patch(Rectangle(corner, SIDE, SIDE, fill=False, ec=ASKED, lw=1))


def _own_queries(ax: Axes, asker: float, first: float, low: float) -> None:
    """The way from X to Q, as marked with a broad pen: what self-attention adds."""
    corners = [first - 0.25, asker, asker], [INPUTS, INPUTS, low - 0.6]
    marked = {"alpha": 0.2, "lw": 12, "solid_joinstyle": "round"}
    ax.plot(*corners, color=ASKS, **marked)
    ax.plot(*corners, color=ASKS, lw=1.4)
    arrow(ax, (asker, low - 0.65), (asker, low - 0.28), ASKS)
    symbol(ax, asker + 0.5, (INPUTS + KEYS) / 2, "$W_Q$", ASKS, SYMBOL)


def _vector(ax: Axes, x: float, y: float, colour: str, width: int) -> None:
    column(ax, x, y, colour, (0.45,) * width, cell=CELL)
