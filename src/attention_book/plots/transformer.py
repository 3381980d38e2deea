"""The Transformer, drawn: the encoder on the left, the decoder on the right, each from
the bottom to the top.

A line from one vector to another is a look. In the decoder's own attention none leads
to the left, as later words are hidden; its cross-attention looks at the encoder's X.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from attention_book.plots.diagrams import (
    ASKED,
    ASKS,
    OUT,
    SIZE,
    TAKEN,
    WIDE,
    arrow,
    box,
    column,
)
from attention_book.plots.style import INK

N, STEP, ASIDE = 3, 0.8, 3.6  # words a side; from word to word, to the decoder
CELL, EDGE = 0.13, 0.25  # a cell of a vector; from its centre to where lines begin
PART, HALF = 0.62, 0.21  # height of a look; half that of an MLP
WORDS, READ, SELF, MLP, X = -0.55, 0.45, 1.05, 2.1, 3.0  # heights in the encoder
CROSS, THINK, S, SAID = 2.42, 3.62, 4.45, 5.45  # in the decoder, above its READ, SELF


def transformer_drawing(ax: Axes | None = None) -> Axes:
    """Draw an encoder block, a decoder block, and what leads from one to the other.

    Sums and norms, which stand around each part, are left out.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 5.3))[1] if ax is None else ax
    left = STEP * np.arange(N)
    right = left + ASIDE
    for places, words, colour in (
        (left, ("he", "sleeps", "[STOP]"), ASKED),
        (right, ("[START]", "il", "dort"), ASKS),
    ):
        for x, word in zip(places, words, strict=True):
            ax.text(x, WORDS, word, ha="center", va="center", fontsize=SIZE)
            arrow(ax, (x, WORDS + 0.25), (x, READ - EDGE))
            column(ax, x, READ, colour, (0.45,) * 3, cell=CELL)
        _looks(ax, places, SELF, colour, causal=colour == ASKS)
    _mlp(ax, left, MLP, ASKED)
    for x in left:
        _line(ax, (x, SELF + PART), (x, MLP - HALF), ASKED)
        arrow(ax, (x, MLP + HALF), (x, X - EDGE), ASKED)
        column(ax, x, X, ASKED, (0.45,) * 3, cell=CELL)
    for x in right:
        _line(ax, (x, SELF + PART), (x, CROSS - HALF), ASKS)
        _line(ax, (x, CROSS + HALF), (x, THINK - HALF), OUT)
        arrow(ax, (x, THINK + HALF), (x, S - EDGE), OUT)
        column(ax, x, S, OUT, (0.45,) * 3, cell=CELL)
        arrow(ax, (x, S + EDGE), (x, SAID - 0.22))
    _cross(ax, left, right)
    _mlp(ax, right, THINK, OUT)
    for x, word in zip(right, ("il", "dort", "[STOP]"), strict=True):
        style = {"ha": "center", "va": "center", "fontweight": "bold"}
        ax.text(x, SAID, word, fontsize=SIZE, **style)
    _labels(ax, left, right)
    ax.set(xlim=(-0.75, right[-1] + 1.05), ylim=(WORDS - 0.3, SAID + 0.3))
    ax.set_axis_off()
    return ax


def _line(ax: Axes, start, end, colour: str = INK, alpha: float = 1) -> None:
    both = zip(start, end, strict=True)
    ax.plot(*both, color=colour, lw=1.4, alpha=alpha, zorder=1)


def _looks(ax: Axes, places, low: float, colour: str, *, causal: bool) -> None:
    """A line from each vector to each that looks at it; those to the last are dark."""
    for t, to in enumerate(places):
        _line(ax, (places[t], READ + EDGE), (places[t], low), colour)
        for i, x in enumerate(places):
            if not causal or i <= t:
                alpha = 1 if to == places[-1] else 0.4
                _line(ax, (x, low), (to, low + PART), INK, alpha)


def _mlp(ax: Axes, places, y: float, colour: str) -> None:
    for x in places:
        box(ax, x, y, "", colour, 0.44, 2 * HALF)


def _cross(ax: Axes, left, right) -> None:
    """Keys and values of every X go to each word's cross-attention."""
    turn = (left[-1] + right[0]) / 2
    for x in left:
        _line(ax, (x, X + EDGE), (x, X + 0.5), TAKEN)
    _line(ax, (left[0], X + 0.5), (turn, X + 0.5), TAKEN)
    _line(ax, (turn, X + 0.5), (turn, CROSS), TAKEN)
    arrow(ax, (turn, CROSS), (right[0] - 0.36, CROSS), TAKEN)
    middle, width = right.mean(), right[-1] - right[0] + 0.66
    box(ax, middle, CROSS, "cross-attention", OUT, width, 2 * HALF)


def _labels(ax: Axes, left, right) -> None:
    style = {"va": "center", "fontsize": SIZE}
    aside = left[-1] + 0.3
    ax.text(aside, SELF + PART / 2, "all see\nall", ha="left", **style)
    beside = right[-1] + 0.3
    ax.text(beside, SELF + PART / 2, "none\nsees\nlater", ha="left", **style)
    for x, y in ((aside, MLP), (beside, THINK)):
        ax.text(x, y, "MLP", ha="left", **style)
    ax.text(left[0] - 0.3, X, "$X$", color=ASKED, ha="right", **style)
    ax.text(right[0] - 0.3, S, "$S$", color=OUT, ha="right", **style)
    ax.text(left.mean(), X + 0.75, "$K, V$", color=TAKEN, ha="center", **style)
    ax.text(beside, (SELF + PART + CROSS - HALF) / 2, "$Q$", color=ASKS, **style)
    for x in (aside, beside):
        ax.text(x, READ, "+ position", ha="left", **style)
