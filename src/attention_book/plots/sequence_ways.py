"""Four ways to process a sequence, drawn: one layer each, over the same inputs.

Inputs are blue, outputs violet. The ways that lead to the last output are dark, all
others faint, and an input that it does not see is hatched.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attention_book.plots.diagrams import ASKED, OUT, SIZE, WIDE, column, symbol
from attention_book.plots.style import INK

N = 5  # inputs
STEP, HIGH, CELL = 0.62, 1.25, 0.13  # from input to input, from X to Y, a vector's cell
ACROSS, DOWN = 3.6, 2.45  # from drawing to drawing
REACH = {  # how far an output looks to either side; a recurrent one: back to its state
    "recurrent": 0,
    "convolution, k = 3": 1,
    "self-attention": N,
    "restricted, r = 3": 2,
}


def sequence_ways(ax: Axes | None = None) -> Axes:
    """Draw a recurrent, a convolutional and two attention layers.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 3.7))[1] if ax is None else ax
    for place, (name, reach) in enumerate(REACH.items()):
        left, low = ACROSS * (place % 2), -DOWN * (place // 2)
        _layer(ax, left, low, reach, recurrent=name == "recurrent")
        middle = left + (N - 1) / 2 * STEP
        style = {"ha": "center", "va": "center", "fontsize": SIZE}
        ax.text(middle, low + HIGH + 0.55, name, **style)
        symbol(ax, left - 0.42, low, "$X$", ASKED)
        symbol(ax, left - 0.42, low + HIGH, "$Y$", OUT)
    ax.set(xlim=(-0.65, ACROSS + N * STEP - 0.3), ylim=(-DOWN - 0.4, HIGH + 0.8))
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def _layer(ax: Axes, left: float, low: float, reach: int, *, recurrent: bool) -> None:
    """One layer: inputs, outputs, and who is made from whom."""
    high, last = low + HIGH, N - 1
    for i in range(N):
        x = left + i * STEP
        seen = recurrent or last - i <= reach
        column(ax, x, low, ASKED, (0.45,) * 3 if seen else (0.0,) * 3, cell=CELL)
        if not seen:
            corner = (x - 0.13, low - 1.5 * CELL)
            hidden = {"fill": False, "ec": ASKED, "hatch": "//////", "lw": 0}
            ax.add_patch(Rectangle(corner, 0.26, 3 * CELL, **hidden))
        column(ax, x, high, OUT, cell=CELL, weights=(0.45 if i == last else 0.2,) * 3)
        for j in range(max(0, i - reach), min(N, i + reach + 1)):
            _edge(
                ax,
                (left + j * STEP, low + 0.24),
                (x, high - 0.24),
                dark=recurrent or i == last,
            )
        if recurrent and i:
            _edge(ax, (x - STEP + 0.16, high), (x - 0.16, high), dark=True)


def _edge(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], *, dark: bool
) -> None:
    style = {
        "arrowstyle": "-|>",
        "mutation_scale": 8,
        "color": INK,
        "alpha": 1 if dark else 0.25,
        "lw": 1.4 if dark else 0.9,
        "shrinkA": 0,
        "shrinkB": 0,
        "zorder": 2 if dark else 1,
    }
    ax.annotate("", end, start, arrowprops=style)
