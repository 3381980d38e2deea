"""The attention layer, drawn: queries and inputs go in, a mixture for each query comes
out. Read it from the bottom to the top, and each row of squares from left to right.

A row of squares is a query, a column an input; a score is a bar, a weight an opacity.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, TAKEN, Drawing
from attention_book.plots.style import INK

INPUTS, KEYS, SQUARES = 0.0, 1.75, 2.75  # heights: X; K and V; the lowest row of E, A
STEP, ROW, SIDE = 0.62, 0.86, 0.5  # from square to square, from row to row, a square
CELL = 0.15  # of a vector
D_X, D_Q, D_V = 4, 3, 2  # how many cells: three widths, which need not be equal
GAP = 1.15  # between E and A, for the softmax
SYMBOL = SIZE + 3  # points
FAINTEST = 0.12


def attention_layer(
    A: Float[np.ndarray, "N_Q N_X"],
    *,
    self_attention: bool = False,
) -> Axes:
    """Draw an attention layer.

    Parameters
    ----------
    A : (N_Q, N_X)
        The weights, above 0; each row sums to 1. The scores drawn are their logarithms.
    self_attention : bool
        Let the queries come from the inputs, too; the way from X to Q is set off.
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
    draw = Drawing(3.9)
    over_K = 1.0 + STEP * np.arange(N_X)  # columns of E, with the keys below
    over_V = over_K + N_X * STEP + GAP  # columns of A, with the values below
    over_X = (over_K + over_V) / 2
    rows = SQUARES + ROW * np.arange(N_Q)[::-1]  # the first query is on top
    top, asker, out = rows[0] + 0.75, 0.2, over_V[-1] + 0.85
    _inputs(draw, over_X, over_K, over_V, rows)
    _scores(draw, np.log(A), over_K, rows)
    for (i, j), weight in np.ndenumerate(A / A.max()):
        draw.square(over_V[j], rows[i], weight, SIDE, FAINTEST)
    for y in rows:
        draw.column(asker, y, ASKS, D_Q, tall=CELL)
        draw.arrow((asker + 0.16, y), (over_K[0] - 0.3, y), ASKS)
        draw.arrow((over_K[-1] + 0.3, y), (over_V[0] - 0.3, y))
        draw.arrow((over_V[-1] + 0.3, y), (out - 0.16, y), OUT)
        draw.column(out, y, OUT, D_V, tall=CELL)
    if self_attention:  # the way from X to Q
        low = rows[-1]
        way = (over_X[0] - 0.25, INPUTS), (asker, INPUTS), (asker, low - 0.6)
        draw.marked(*way, colour=ASKS)
        draw.arrow((asker, low - 0.65), (asker, low - 0.28), ASKS)
        draw.label(asker + 0.5, (INPUTS + KEYS) / 2, "$W_Q$", ASKS, SYMBOL)
    for x, name, colour in (
        (asker, "$Q$", ASKS),
        (over_K.mean(), "$E$", INK),
        (over_V.mean(), "$A$", ASKED),
        (out, "$Y$", OUT),
    ):
        draw.label(x, top, name, colour, SYMBOL)
    draw.label((over_K[-1] + over_V[0]) / 2, top, "softmax")
    limits = {"xlim": (-0.3, out + 0.4), "ylim": (-0.5, top + 0.3)}
    return draw.cropped(**limits, aspect="equal")


def _inputs(
    draw: Drawing,
    over_X: np.ndarray,
    over_K: np.ndarray,
    over_V: np.ndarray,
    rows: np.ndarray,
) -> None:
    """X at the bottom, K and V above it, and a line from each to its squares."""
    for x in over_X:
        draw.column(x, INPUTS, ASKED, D_X, tall=CELL)
    draw.label(over_X[-1] + 0.45, INPUTS, "$X$", ASKED, SYMBOL)
    for places, colour, name, learned, width, side in (
        (over_K, ASKED, "$K$", "$W_K$", D_Q, -1),
        (over_V, TAKEN, "$V$", "$W_V$", D_V, 1),
    ):
        for x in places:
            draw.column(x, KEYS, colour, width, tall=CELL)
            for start, end in pairwise((KEYS + 0.28 - SIDE / 2, *rows[::-1])):
                draw.line((x, start + SIDE / 2), (x, end - SIDE / 2), colour=colour)
        draw.label(places[-1] + 0.4, KEYS, name, colour, SYMBOL)
        left, right = over_X.mean() + 0.3 * side, places.mean()
        draw.arrow((left, INPUTS + 0.42), (right, KEYS - 0.42), colour)
        middle = (left + right) / 2 + 0.45 * side
        draw.label(middle, (INPUTS + KEYS) / 2 - 0.12, learned, colour, SYMBOL)


def _scores(draw: Drawing, E: np.ndarray, places: np.ndarray, rows: np.ndarray) -> None:
    bars = 0.08 + 0.38 * (E - E.min()) / max(np.ptp(E), 1e-9)
    for (i, j), bar in np.ndenumerate(bars):
        x, low = places[j], rows[i] - SIDE / 2
        draw.frame((x - SIDE / 2, low), SIDE, SIDE, INK, lw=0.8)
        draw.fill((x - 0.11, low), 0.22, bar, INK)
