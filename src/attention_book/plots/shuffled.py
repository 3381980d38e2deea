"""Self-attention over inputs in two orders, drawn: the same vectors come out, in the
other order. Each side is read from the bottom to the top, and then to the right.

The shades of a vector's cells are its numbers: by them it is found on the other side.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, OUT, Drawing
from attention_book.shapes import check_shape

STEP, SIDE, CELL = 0.62, 0.5, 0.15
SQUARES = 1.3  # height of the lowest row of weights
FAINTEST, STRONGEST = 0.08, 0.9


def shuffled(
    words: Sequence[str],
    X: Float[np.ndarray, "N D_X"],
    A: Float[np.ndarray, "N N"],
    Y: Float[np.ndarray, "N D_V"],
    order: Sequence[int],
) -> Axes:
    """Draw a self-attention layer's inputs, weights and outputs, as they are and with
    the inputs in another order.

    Parameters
    ----------
    words : sequence of N str
        What the inputs stand for.
    X, A, Y : (N, D_X), (N, N), (N, D_V)
        Inputs, weights and outputs, in the first order.
    order : sequence of N int
        Which input stands at each place in the other order.
    """
    X, A, Y = np.asarray(X, float), np.asarray(A, float), np.asarray(Y, float)
    N = len(words)
    check_shape("X", X, "N D_X", N=N)
    check_shape("A", A, "N N", N=N)
    check_shape("Y", Y, "N D_V", N=N)
    if sorted(order) != list(range(N)):
        raise ValueError(f"order is {[*order]}, expected each of 0 to {N - 1} once")
    draw = Drawing(2.9)
    width, height = N * STEP + 1.45, SQUARES + N * STEP
    for side, (names, places) in enumerate(
        ((("X", "A", "Y"), range(N)), (("SX", "SAS^\\top", "SY"), order))
    ):
        _side(draw, side * width, names, places, words, _shades(X), A, _shades(Y))
    limits = {"xlim": (-1.25, 2 * width - 0.55), "ylim": (-0.85, height + 0.3)}
    return draw.cropped(**limits, aspect="equal")


def _side(
    draw: Drawing,
    left: float,
    names: Sequence[str],
    places: Sequence[int],
    words: Sequence[str],
    X: np.ndarray,
    A: np.ndarray,
    Y: np.ndarray,
) -> None:
    """The layer over the inputs in one order."""
    N = len(places)
    columns = left + STEP * np.arange(N)
    rows = SQUARES + STEP * np.arange(N)[::-1]  # the first query is on top
    for x, j in zip(columns, places, strict=True):
        draw.label(x, -0.6, words[j])
        draw.column(x, 0, ASKED, [*X[j]], tall=CELL)
        draw.arrow((x, 0.4), (x, SQUARES - 0.32), ASKED)
    right = columns[-1] + 0.74
    for y, i in zip(rows, places, strict=True):
        draw.label(left - SIDE / 2 - 0.08, y, words[i], ha="right")
        for x, j in zip(columns, places, strict=True):
            draw.square(x, y, A[i, j], SIDE, FAINTEST)
        draw.arrow((columns[-1] + 0.3, y), (columns[-1] + 0.56, y), OUT)
        draw.column(right, y, OUT, [*Y[i]], tall=CELL)
    top = rows[0] + 0.55
    spots = (left - 0.38, 0.0), (columns.mean(), top), (right, top)
    for name, spot, colour in zip(names, spots, (ASKED, ASKED, OUT), strict=True):
        draw.label(*spot, f"${name}$", colour)


def _shades(vectors: np.ndarray) -> np.ndarray:
    """Numbers as opacities."""
    spread = max(np.ptp(vectors), 1e-9)
    return FAINTEST + (STRONGEST - FAINTEST) * (vectors - vectors.min()) / spread
