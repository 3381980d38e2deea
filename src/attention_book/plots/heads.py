"""Attention in one head or in several, under a mask, drawn: queries are cut into parts,
each head has its own squares, what the heads find is joined again. Read it from left to
right.

A row of squares is a query, a column an input.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float
from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, TAKEN, Drawing
from attention_book.shapes import check_mask, check_shape

STEP, ROW, CELL = 0.7, 0.78, 0.13  # from square to square, from row to row; of a vector
D = 4  # cells of a vector, divided among the heads
CUT = 0.06  # between the parts of a vector
BELOW = -0.62  # height of keys and values
GAP = 0.55  # between two heads


def heads(
    A: Float[np.ndarray, "N_heads N N"],
    visible: Bool[np.ndarray, "N N"],
    inputs: Sequence[str],
    targets: Sequence[str] = (),
) -> Axes:
    """Draw a layer with one, two or four heads.

    Parameters
    ----------
    A : (N_heads, N, N)
        The weights of each head, 0 to 1.
    visible : (N, N)
        True where a query may look.
    inputs : sequence of N str
        What stands at each input, under its column and before its row.
    targets : sequence of N str
        What each output is to say; left out unless given.
    """
    A, visible = np.asarray(A, float), np.asarray(visible)
    N, N_heads = len(inputs), len(A)
    check_shape("A", A, "N_heads N N", N=N)
    check_mask("visible", visible, "N N", N=N)
    if len(targets) not in (0, N):
        raise ValueError(
            f"targets has {len(targets)} words, expected {N}, one for each input"
        )
    if D % N_heads:
        raise ValueError(f"A has {N_heads} heads, expected 1, 2 or 4")
    if not ((A >= 0) & (A <= 1)).all():  # NaN is neither
        raise ValueError(
            f"A holds numbers from {A.min():g} to {A.max():g}, expected weights, 0 to 1"
        )
    if (A[:, ~visible] != 0).any():
        raise ValueError("A holds a weight where visible is False, expected 0 there")
    draw = Drawing(2.9)
    rows = ROW * np.arange(N)[::-1]  # the first query is on top
    grids = [1.0 + k * (N * STEP + GAP) + STEP * np.arange(N) for k in range(N_heads)]
    joined = grids[-1][-1] + 0.85
    for y, word in zip(rows, inputs, strict=True):
        draw.label(-0.1, y, word, size=SIZE, ha="right")
        _parts(draw, 0.15, y, ASKS, N_heads)
        draw.arrow((0.3, y), (grids[0][0] - 0.32, y), ASKS)
        draw.arrow((grids[-1][-1] + 0.32, y), (joined - 0.15, y), OUT)
        _parts(draw, joined, y, OUT, N_heads)
    for (k, i, j), weight in np.ndenumerate(A):
        draw.square(grids[k][j], rows[i], weight if visible[i, j] else None)
    low = BELOW - CELL * D / N_heads / 2
    for x, word in zip(np.concatenate(grids), inputs * N_heads, strict=True):
        draw.column(x - 0.1, BELOW, ASKED, D // N_heads, width=0.16, tall=CELL)
        draw.column(x + 0.1, BELOW, TAKEN, D // N_heads, width=0.16, tall=CELL)
        draw.label(x, low - 0.27, word, size=SIZE)
    right = _after(draw, joined, rows, targets, N_heads)
    _names(draw, grids, joined, rows[0] + 0.6)
    left = -0.35 - 0.115 * max(map(_letters, inputs))
    limits = {"xlim": (left, right), "ylim": (low - 0.55, rows[0] + 0.85)}
    return draw.cropped(**limits, aspect="equal")


def _parts(draw: Drawing, x: float, y: float, colour: str, N_parts: int) -> None:
    """A vector, cut."""
    height = D // N_parts * CELL + CUT
    for k in range(N_parts):
        middle = y + height * ((N_parts - 1) / 2 - k)
        draw.column(x, middle, colour, D // N_parts, width=0.2, tall=CELL)


def _after(draw: Drawing, joined, rows, targets, N_heads) -> float:
    """W_O after several heads, then the words to be said; where the drawing ends."""
    end = joined
    if N_heads > 1:
        end = joined + 0.95
        for y in rows:
            draw.arrow((joined + 0.15, y), (end - 0.15, y), OUT)
            _parts(draw, end, y, OUT, 1)
        draw.label((joined + end) / 2, rows[0] + 0.2, "$W_O$", OUT)
        draw.label(end, rows[0] + 0.6, "$Y$", OUT)
    for y, word in zip(rows, targets, strict=False):
        draw.arrow((end + 0.15, y), (end + 0.5, y))
        draw.label(end + 0.6, y, word, size=SIZE, ha="left")
    return end + 0.3 + (0.4 + 0.115 * max(map(_letters, targets)) if targets else 0)


def _names(draw: Drawing, grids, joined, top) -> None:
    draw.label(0.15, top, "$Q$", ASKS)
    for k, places in enumerate(grids, start=1):
        number = f"_{k}" if len(grids) > 1 else ""
        draw.label(places.mean(), top, f"$A{number}$", ASKED)
        below = f"$K{number},\\ V{number}$"
        draw.label(places[0] - 0.28, BELOW, below, size=SIZE, ha="right")
    found = ", ".join(f"Y_{k}" for k in range(1, len(grids) + 1))
    draw.label(joined, top, f"${found}$" if len(grids) > 1 else "$Y$", OUT)


def _letters(word: str) -> int:
    return 1 if word.startswith("$") else len(word)
