"""One step of attention, drawn: a state asks, every input gets a score and a weight,
and their mixture helps to write the next word.

Read it from the bottom to the top. What asks is orange, what is asked blue, what comes
out violet; a weight is opacity.
"""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attention_book.plots.diagrams import ASKED, ASKS, OUT, SIZE, arrow, column
from attention_book.plots.style import INK
from attention_book.shapes import check_filled

WORDS, INPUTS, SCORES, WEIGHTS, CONTEXT = 0.0, 0.95, 2.0, 2.95, 4.2  # heights
FAINTEST = 0.2  # so that a weight near 0 still has its place


def attention_step(
    source: Sequence[str],
    weights: Sequence[float],
    *,
    read: str,
    written: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw one step of a decoder that attends.

    Parameters
    ----------
    source : sequence of N_X str
        The words of the inputs.
    weights : sequence of N_X float
        The weight of each input, 0 to 1; they sum to 1. The scores drawn below are
        their logarithms.
    read, written : str
        The word before, which the state has read, and the word that is written.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    check_filled("source", source, "word")
    if len(weights) != len(source):
        raise ValueError(
            f"weights has {len(weights)} numbers, expected {len(source)}: one for each "
            "word of source"
        )
    if min(weights) <= 0 or abs(sum(weights) - 1) > 1e-3:
        raise ValueError(
            f"weights is {list(weights)}: expected positive numbers that sum to 1"
        )
    N_X = len(source)
    asker, middle = N_X + 1.4, (N_X + 1) / 2
    ax = plt.subplots(figsize=(4.8, 3.9))[1] if ax is None else ax
    scores = np.log(weights)
    bars = 0.12 + 0.38 * (scores - scores.min()) / max(np.ptp(scores), 1e-9)
    for i, (word, weight, bar) in enumerate(zip(source, weights, bars, strict=True), 1):
        _words(ax, i, WORDS, word)
        column(ax, i, INPUTS, ASKED)
        _line(ax, (i, 0.18), (i, INPUTS - 0.47), INK)
        _line(ax, (i, INPUTS + 0.47), (i, SCORES - 0.3), ASKED)
        ax.add_patch(Rectangle((i - 0.14, SCORES - 0.25), 0.28, bar, fc=INK, lw=0))
        arrow(ax, (i, SCORES + 0.32), (i, WEIGHTS - 0.24))
        alpha = max(weight / max(weights), FAINTEST)
        square = (i - 0.2, WEIGHTS - 0.2)
        ax.add_patch(Rectangle(square, 0.4, 0.4, fc=ASKED, alpha=alpha, lw=0))
        ax.add_patch(Rectangle(square, 0.4, 0.4, fill=False, ec=ASKED, lw=1))
        _line(ax, (i, WEIGHTS + 0.24), (middle, CONTEXT - 0.47), OUT, alpha, 2.6)
    for i, name in ((1, "$h_1$"), (N_X, "$h_T$")):
        _symbol(ax, i + 0.32, INPUTS, name, ASKED)
    _symbol(ax, 0.35, SCORES, "$e_t$", INK)
    _symbol(ax, 0.35, WEIGHTS, "$a_t$", ASKED)
    column(ax, middle, CONTEXT, OUT)
    _symbol(ax, middle - 0.42, CONTEXT, "$c_t$", OUT)
    _words(ax, asker, WORDS, read)
    _line(ax, (asker, 0.18), (asker, INPUTS - 0.47), INK)
    column(ax, asker, INPUTS, ASKS)
    _symbol(ax, asker + 0.34, INPUTS, "$s$", ASKS)
    _line(ax, (asker - 0.15, INPUTS + 0.2), (asker - 0.4, INPUTS + 0.2), ASKS)
    _line(ax, (asker - 0.4, INPUTS + 0.2), (asker - 0.4, SCORES - 0.32), ASKS)
    arrow(ax, (asker - 0.4, SCORES - 0.32), (0.75, SCORES - 0.32), ASKS)
    arrow(ax, (asker, INPUTS + 0.47), (asker, CONTEXT - 0.3), ASKS)
    arrow(ax, (middle + 0.2, CONTEXT), (asker - 0.62, CONTEXT), OUT)
    _words(ax, asker, CONTEXT, written, "bold")
    ax.set(xlim=(0, N_X + 2.2), ylim=(-0.3, CONTEXT + 0.5))
    ax.set_axis_off()
    return ax


def _line(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str,
    alpha: float = 1.0,
    width: float = 1.4,
) -> None:
    ax.plot(*zip(start, end, strict=True), color=colour, alpha=alpha, lw=width)


def _symbol(ax: Axes, x: float, y: float, name: str, colour: str) -> None:
    ax.text(x, y, name, ha="center", va="center", color=colour, fontsize=SIZE + 3)


def _words(ax: Axes, x: float, y: float, word: str, weight: str = "normal") -> None:
    ax.text(x, y, word, ha="center", va="center", fontsize=SIZE + 1, fontweight=weight)
