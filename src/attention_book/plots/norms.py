"""Drawings of norms and residuals: a stream past two blocks, over which numbers a norm
averages, and where it stands.

Inputs are blue, what a part finds green, the sums violet; gold is an outline, around
the numbers that one mean is taken over. Padding is hatched.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attention_book.plots.diagrams import (
    ASKED,
    OUT,
    SIZE,
    TAKEN,
    WIDE,
    arrow,
    box,
    column,
)
from attention_book.plots.heat_maps import GOLD
from attention_book.plots.style import INK

D, CELL, STEP = 5, 0.2, 0.42  # cells of a vector, a cell's height, from word to word
LENGTHS, N_X = (4, 3), 4  # words of the two sentences, and places
ACROSS = 4.6  # from drawing to drawing
FORK, TOP, SIDE = 0.5, 2.75, 0.9  # heights; how far aside a part stands
BOXES = {"$f$": (TAKEN, 0.86, 0.4), "norm": (INK, 0.86, 0.4)}  # colour, width, height
PLACES = {  # what stands beside the stream, and what in it, behind the sum
    "no norm": (("$f$",), ()),
    "post-norm": (("$f$",), ("norm",)),
    "pre-norm": (("norm", "$f$"), ()),
}


def residual_stream(ax: Axes | None = None) -> Axes:
    """Draw two blocks beside the stream, each of attention and an MLP.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 4.2))[1] if ax is None else ax
    column(ax, 0, 0, ASKED, cell=0.13)
    middle = {"ha": "center", "va": "center"}
    parts = ("attention", "MLP") * 2
    for k, part in enumerate(parts):
        y = 0.5 + k + 0.25 * (k // 2)  # where its side road leaves
        ax.plot([0, SIDE, SIDE], [y, y, y + 0.15], color=TAKEN, lw=1.4)
        box(ax, SIDE, y + 0.35, part, TAKEN, 1.5, 0.4)
        ax.plot([SIDE] * 2, [y + 0.55, y + 0.7], color=TAKEN, lw=1.4)
        arrow(ax, (SIDE, y + 0.7), (0.15, y + 0.7), TAKEN)
        ax.text(0, y + 0.7, "+", color=OUT, fontsize=SIZE + 3, **middle)
        below = 0.26 if k == 0 else 0.25 + k + 0.25 * ((k - 1) // 2) + 0.08
        ax.plot([0, 0], [below, y + 0.57], color=ASKED if k == 0 else OUT, lw=3)
        if k % 2 == 0:
            frame = Rectangle((-0.3, y - 0.12), 2.2, 1.96, fill=False, ec=INK, ls=":")
            ax.add_patch(frame)
            ax.text(2.05, y + 0.86, f"block {k // 2 + 1}", fontsize=SIZE, va="center")
    ax.plot([0, 0], [y + 0.83, y + 1.1], color=OUT, lw=3)
    column(ax, 0, y + 1.36, OUT, cell=0.13)
    for name, height, colour in (("$X$", 0, ASKED), ("$Y$", y + 1.36, OUT)):
        ax.text(-0.35, height, name, color=colour, fontsize=SIZE + 1, **middle)
    ax.set(xlim=(-1.6, 3.4), ylim=(-0.35, y + 1.75))
    ax.set_axis_off()
    return ax


def norm_axes(ax: Axes | None = None) -> Axes:
    """Draw over which numbers layer norm and batch norm average, for one output.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 2.3))[1] if ax is None else ax
    middle = (2 * N_X * STEP) / 2
    for left, name in ((0.0, "layer norm"), (ACROSS, "batch norm")):
        for b, length in enumerate(LENGTHS):
            for i in range(N_X):
                _word(ax, left + _place(b, i), hidden=i >= length)
            style = {"ha": "center", "va": "center", "fontsize": SIZE}
            ax.text(left + _place(b, 1.5), -0.85, f"sentence {b + 1}", **style)
        ax.text(left + middle - 0.1, 0.95, name, ha="center", fontsize=SIZE + 1)
    gold = {"fill": False, "ec": GOLD, "lw": 2.6, "zorder": 4}
    one = (_place(0, 1) - 0.17, -D * CELL / 2 - 0.05)
    ax.add_patch(Rectangle(one, 0.34, D * CELL + 0.1, **gold))
    feature = (ACROSS - 0.19, CELL / 2 - 0.02)
    width = _place(1, N_X - 1) + 0.38
    ax.add_patch(Rectangle(feature, width, CELL + 0.04, **gold))
    ax.set(xlim=(-0.35, ACROSS + _place(1, N_X)), ylim=(-1.05, 1.25))
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def _place(b: int, i: float) -> float:
    """Where word i of sentence b stands."""
    return b * (N_X * STEP + 0.35) + i * STEP


def _word(ax: Axes, x: float, *, hidden: bool) -> None:
    column(ax, x, 0, ASKED, (0.0 if hidden else 0.45,) * D, cell=CELL)
    if hidden:
        style = {"fill": False, "ec": ASKED, "hatch": "//////", "lw": 0}
        ax.add_patch(Rectangle((x - 0.13, -D * CELL / 2), 0.26, D * CELL, **style))


def norm_places(ax: Axes | None = None) -> Axes:
    """Draw one part with its residual, without a norm, post-norm and pre-norm.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 3.0))[1] if ax is None else ax
    for k, (name, (beside, behind)) in enumerate(PLACES.items()):
        x, y = 2.6 * k, FORK
        column(ax, x, 0, ASKED, cell=0.13)
        ax.plot([x, x + SIDE], [FORK, FORK], color=TAKEN, lw=1.4)
        for part in beside:
            ax.plot([x + SIDE] * 2, [y, y + 0.2], color=TAKEN, lw=1.4)
            box(ax, x + SIDE, y + 0.4, part, *BOXES[part])
            y += 0.6
        ax.plot([x + SIDE] * 2, [y, y + 0.2], color=TAKEN, lw=1.4)
        plus = y + 0.2
        arrow(ax, (x + SIDE, plus), (x + 0.15, plus), TAKEN)
        ax.plot([x, x], [0.26, plus - 0.13], color=ASKED, lw=3)
        style = {"ha": "center", "va": "center"}
        ax.text(x, plus, "+", color=OUT, fontsize=SIZE + 3, fontweight="bold", **style)
        stops = [plus + 0.13]
        for part in behind:
            box(ax, x, plus + 0.6, part, *BOXES[part])
            stops += [plus + 0.4, plus + 0.8]
        for low, high in zip(stops[::2], [*stops[1::2], TOP], strict=True):
            ax.plot([x, x], [low, high], color=OUT, lw=3)
        column(ax, x, TOP + 0.26, OUT, cell=0.13)
        ax.text(x + SIDE / 2, -0.55, name, fontsize=SIZE, **style)
    ax.set(xlim=(-0.5, 7.0), ylim=(-0.75, TOP + 0.65))
    ax.set_axis_off()
    return ax
