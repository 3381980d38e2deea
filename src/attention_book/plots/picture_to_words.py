"""From a picture to the next word, drawn: a grid over the picture, a vector for each
cell, and one step of attention over the row of them.

Read it from the bottom to the top, as the drawing of chapter 2. Gold is one cell, and
the column that is its vector.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from attention_book.plots.diagrams import ASKED, ASKS, EVEN, GOLD, OUT, SIZE, Drawing
from attention_book.plots.style import INK

SIDE, GRID = 2.3, 3.7  # of the picture, and where the grid beside it starts
ROW, WEIGHTS, CONTEXT = 3.7, 4.85, 6.1  # heights: vectors, weights, what comes out
FIRST, STEP, LAST = 0.35, 0.62, 6.25  # where vectors stand, and from one to the next
ASKER = 7.6  # where the state stands
SHOWN = 3  # vectors drawn on each side of the one that is outlined
FAINTEST = 0.12  # so that a weight near 0 still has its place


def picture_to_words(
    image: Float[np.ndarray, "H W"],
    weights: Float[np.ndarray, "R C"],
    *,
    read: str,
    written: str,
) -> Axes:
    """Draw how a picture becomes a set of vectors, and the set a word.

    Of the row of vectors the first and the last are drawn, and some around the cell
    with the largest weight.

    Parameters
    ----------
    image : (H, W)
        0 is paper, 1 is ink.
    weights : (R, C)
        The weight of each cell, which sum to 1.
    read, written : str
        The word before, which the state has read, and the word that is written.
    """
    image, weights = np.asarray(image, float), np.asarray(weights, float)
    if image.ndim != 2 or not image.size:
        raise ValueError(f"image has shape {image.shape}, expected (H, W)")
    if weights.ndim != 2 or (weights < 0).any() or abs(weights.sum() - 1) > 1e-3:
        raise ValueError(
            f"weights has shape {weights.shape} and the sum {weights.sum():.3f}: "
            "expected (R, C) numbers, at least 0, with the sum 1"
        )
    N_X, strongest = weights.size, int(weights.argmax())
    if N_X < 2 * SHOWN + 3:
        raise ValueError(f"weights has {N_X} cells, expected at least {2 * SHOWN + 3}")
    draw = Drawing(4.5)
    _picture(draw, image, weights.shape)
    _grid(draw, weights.shape, strongest)
    _row(draw, weights.ravel(), strongest)
    _decoder(draw, read, written)
    limits = {"xlim": (-0.1, 8.6), "ylim": (-0.1, CONTEXT + 1.3)}
    return draw.cropped(**limits, aspect="equal")


def drawn(N_X: int, strongest: int) -> list[int]:
    """Which cells have a column: the first, some around the strongest, the last."""
    start = min(max(strongest - SHOWN, 1), N_X - 2 * SHOWN - 2)
    return [0, *range(start, start + 2 * SHOWN + 1), N_X - 1]


def _picture(draw: Drawing, image: np.ndarray, cells: tuple[int, ...]) -> None:
    properties = {"cmap": "gray_r", "vmin": 0, "vmax": 1, "zorder": 1}
    draw.ax.imshow(image, extent=(0, SIDE, 0, SIDE), **properties)
    _lines(draw, 0, cells, INK)
    draw.arrow((SIDE + 0.1, SIDE / 2), (GRID - 0.1, SIDE / 2))
    draw.label((SIDE + GRID) / 2, SIDE / 2 + 0.25, "CNN", va="baseline")


def _grid(draw: Drawing, cells: tuple[int, ...], strongest: int) -> None:
    draw.fill((GRID, 0), SIDE, SIDE, ASKED, EVEN)
    _lines(draw, GRID, cells, ASKED)
    R, C = cells
    r, c = divmod(strongest, C)
    for left in (0, GRID):
        corner = (left + c * SIDE / C, SIDE - (r + 1) * SIDE / R)
        draw.frame(corner, SIDE / C, SIDE / R, GOLD, lw=2, zorder=4)
    middle = GRID + SIDE / 2
    draw.arrow((middle, SIDE + 0.08), (middle, ROW - 0.75), ASKED)


def _lines(draw: Drawing, left: float, cells: tuple[int, ...], colour: str) -> None:
    properties = {"colour": colour, "lw": 0.6, "alpha": 0.7, "zorder": 2}
    for y in SIDE * np.arange(cells[0] + 1) / cells[0]:
        draw.line((left, y), (left + SIDE, y), **properties)
    for x in left + SIDE * np.arange(cells[1] + 1) / cells[1]:
        draw.line((x, 0), (x, SIDE), **properties)


def _row(draw: Drawing, weights: np.ndarray, strongest: int) -> None:
    shown, middle = drawn(len(weights), strongest), FIRST + 1.15 + SHOWN * STEP
    places = [FIRST, *(FIRST + 1.15 + STEP * k for k in range(len(shown) - 2)), LAST]
    for i, x in zip(shown, places, strict=True):
        draw.column(x, ROW, ASKED)
        alpha = max(weights[i] / weights.max(), FAINTEST)
        draw.line((x, ROW + 0.43), (x, WEIGHTS - 0.24), colour=ASKED, lw=1.1)
        draw.square(x, WEIGHTS, alpha, side=0.4)
        way = (x, WEIGHTS + 0.24), (middle, CONTEXT - 0.46)
        draw.line(*way, colour=OUT, alpha=alpha, lw=2.4)
        if i in (0, strongest, len(weights) - 1):
            draw.label(x, ROW - 0.46, f"$h_{{{i + 1}}}$", ASKED, va="top")
        if i == strongest:
            draw.frame((x - 0.16, ROW - 0.43), 0.32, 0.86, GOLD, lw=2)
    for x in ((places[0] + places[1]) / 2, (places[-2] + places[-1]) / 2):
        draw.label(x, ROW, "…", size=SIZE + 2)
    draw.column(middle, CONTEXT, OUT)
    draw.label(FIRST - 0.2, WEIGHTS + 0.45, "$a_t$", ASKED, SIZE + 3)
    draw.label(middle - 0.4, CONTEXT, "$c_t$", OUT, SIZE + 3)
    draw.arrow((middle + 0.2, CONTEXT), (ASKER - 0.2, CONTEXT), OUT)


def _decoder(draw: Drawing, read: str, written: str) -> None:
    for y, up, name in ((ROW, 0, "$s_{t-1}$"), (CONTEXT, 0.35, "$s_t$")):
        draw.column(ASKER, y, ASKS)
        draw.label(ASKER + 0.2, y + up, name, ASKS, ha="left")
    low, high = CONTEXT - 0.43, CONTEXT + 0.43
    draw.arrow((ASKER, ROW + 0.43), (ASKER, low), ASKS)
    draw.arrow((ASKER, WEIGHTS), (LAST + 0.3, WEIGHTS), ASKS)
    draw.arrow((ASKER, high), (ASKER, CONTEXT + 0.85))
    draw.arrow((ASKER + 0.65, CONTEXT - 0.2), (ASKER + 0.18, CONTEXT - 0.2))
    draw.label(ASKER + 0.8, CONTEXT - 0.2, read, size=SIZE + 1)
    draw.label(ASKER, CONTEXT + 1.05, written, size=SIZE + 1, fontweight="bold")
