"""From a picture to the next word, drawn: a grid over the picture, a vector for each
cell, and one step of attention over the row of them.

Read it from the bottom to the top, as the drawing of chapter 2. What asks is orange,
what is asked blue, what comes out violet; a weight is opacity, and gold an outline: one
cell, and the column that is its vector.
"""

from __future__ import annotations

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
    WIDE,
    arrow,
    column,
)
from attention_book.plots.style import INK, PALETTE

GOLD = PALETTE[4]
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
    ax: Axes | None = None,
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
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
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
    ax = plt.subplots(figsize=(WIDE, 4.5))[1] if ax is None else ax
    _picture(ax, image, weights.shape)
    _grid(ax, weights.shape, strongest)
    _row(ax, weights.ravel(), strongest)
    _decoder(ax, read, written)
    ax.set(xlim=(-0.1, 8.6), ylim=(-0.1, CONTEXT + 1.3), aspect="equal")
    ax.set_axis_off()
    return ax


def drawn(N_X: int, strongest: int) -> list[int]:
    """Which cells have a column: the first, some around the strongest, the last."""
    start = min(max(strongest - SHOWN, 1), N_X - 2 * SHOWN - 2)
    return [0, *range(start, start + 2 * SHOWN + 1), N_X - 1]


def _picture(ax: Axes, image: np.ndarray, cells: tuple[int, ...]) -> None:
    ax.imshow(image, cmap="gray_r", vmin=0, vmax=1, extent=(0, SIDE, 0, SIDE), zorder=1)
    _lines(ax, 0, cells, INK)
    arrow(ax, (SIDE + 0.1, SIDE / 2), (GRID - 0.1, SIDE / 2))
    middle = (SIDE + GRID) / 2
    ax.text(middle, SIDE / 2 + 0.25, "CNN", ha="center", fontsize=SIZE)


def _grid(ax: Axes, cells: tuple[int, ...], strongest: int) -> None:
    square = {"facecolor": ASKED, "alpha": 0.45, "lw": 0}
    ax.add_patch(Rectangle((GRID, 0), SIDE, SIDE, **square))
    _lines(ax, GRID, cells, ASKED)
    R, C = cells
    r, c = divmod(strongest, C)
    for left in (0, GRID):
        corner = (left + c * SIDE / C, SIDE - (r + 1) * SIDE / R)
        gold = {"ec": GOLD, "lw": 2, "zorder": 4}
        ax.add_patch(Rectangle(corner, SIDE / C, SIDE / R, fill=False, **gold))
    arrow(ax, (GRID + SIDE / 2, SIDE + 0.08), (GRID + SIDE / 2, ROW - 0.75), ASKED)


def _lines(ax: Axes, left: float, cells: tuple[int, ...], colour: str) -> None:
    style = {"color": colour, "lw": 0.6, "alpha": 0.7, "zorder": 2}
    for k in range(cells[0] + 1):
        ax.plot([left, left + SIDE], [k * SIDE / cells[0]] * 2, **style)
    for k in range(cells[1] + 1):
        ax.plot([left + k * SIDE / cells[1]] * 2, [0, SIDE], **style)


def _row(ax: Axes, weights: np.ndarray, strongest: int) -> None:
    shown, middle = drawn(len(weights), strongest), FIRST + 1.15 + SHOWN * STEP
    places = [FIRST, *(FIRST + 1.15 + STEP * k for k in range(len(shown) - 2)), LAST]
    for i, x in zip(shown, places, strict=True):
        column(ax, x, ROW, ASKED)
        alpha = max(weights[i] / weights.max(), FAINTEST)
        square = (x - 0.2, WEIGHTS - 0.2)
        ax.plot([x, x], [ROW + 0.43, WEIGHTS - 0.24], color=ASKED, lw=1.1)
        ax.add_patch(Rectangle(square, 0.4, 0.4, fc=ASKED, alpha=alpha, lw=0))
        ax.add_patch(Rectangle(square, 0.4, 0.4, fill=False, ec=ASKED, lw=1))
        ends = [x, middle], [WEIGHTS + 0.24, CONTEXT - 0.46]
        ax.plot(*ends, color=OUT, alpha=alpha, lw=2.4)
        if i in (0, strongest, len(weights) - 1):
            name = {"color": ASKED, "ha": "center", "va": "top", "fontsize": SIZE + 2}
            ax.text(x, ROW - 0.46, f"$h_{{{i + 1}}}$", **name)
        if i == strongest:
            corner = (x - 0.16, ROW - 0.43)
            ax.add_patch(Rectangle(corner, 0.32, 0.86, fill=False, ec=GOLD, lw=2))
    for x in ((places[0] + places[1]) / 2, (places[-2] + places[-1]) / 2):
        ax.text(x, ROW, "…", ha="center", va="center", fontsize=SIZE + 2)
    column(ax, middle, CONTEXT, OUT)
    for x, y, name, colour in (
        (FIRST - 0.2, WEIGHTS + 0.45, "$a_t$", ASKED),
        (middle - 0.4, CONTEXT, "$c_t$", OUT),
    ):
        ax.text(x, y, name, color=colour, ha="center", va="center", fontsize=SIZE + 3)
    arrow(ax, (middle + 0.2, CONTEXT), (ASKER - 0.2, CONTEXT), OUT)


def _decoder(ax: Axes, read: str, written: str) -> None:
    symbol = {"color": ASKS, "ha": "left", "va": "center", "fontsize": SIZE + 2}
    for y, name in ((ROW, "$s_{t-1}$"), (CONTEXT, "$s_t$")):
        column(ax, ASKER, y, ASKS)
        ax.text(ASKER + 0.2, y + 0.35 * (y == CONTEXT), name, **symbol)
    arrow(ax, (ASKER, ROW + 0.43), (ASKER, CONTEXT - 0.43), ASKS)
    arrow(ax, (ASKER, WEIGHTS), (LAST + 0.3, WEIGHTS), ASKS)
    arrow(ax, (ASKER, CONTEXT + 0.43), (ASKER, CONTEXT + 0.85))
    arrow(ax, (ASKER + 0.65, CONTEXT - 0.2), (ASKER + 0.18, CONTEXT - 0.2))
    place = {"ha": "center", "va": "center", "fontsize": SIZE + 1}
    ax.text(ASKER + 0.8, CONTEXT - 0.2, read, **place)
    ax.text(ASKER, CONTEXT + 1.05, written, fontweight="bold", **place)
