"""The gates of a GRU: how a new state is mixed, entry by entry, from two vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attention_book.plots.diagrams import ASKED, TAKEN, WIDE, arrow, column
from attention_book.plots.style import INK

TALL, BROAD = 0.24, 0.32  # of a cell


def gru_gates(
    r: Sequence[float] = (0.15, 0.9, 0.5, 0.8),
    z: Sequence[float] = (0.95, 0.1, 0.6, 0.3),
    ax: Axes | None = None,
) -> Axes:
    """Draw one step of a GRU: h_t = (1 - z) * n + z * h_{t-1}.

    Parameters
    ----------
    r, z : D_H numbers, 0 to 1
        What the reset gate and the keep gate let through, entry by entry.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    if len(r) != len(z) or not all(0 <= gate <= 1 for gate in (*r, *z)):
        raise ValueError(
            f"r is {tuple(r)} and z is {tuple(z)}: expected as many of each, 0 to 1"
        )
    ax = plt.subplots(figsize=(WIDE, 3.5))[1] if ax is None else ax
    size, even = {"width": BROAD, "cell": TALL}, (0.5,) * len(z)
    half = len(z) * TALL / 2
    keep, propose, out = 2.9, 1.15, 2.0  # heights of the two ways, and where they meet

    column(ax, 0, keep, ASKED, even, "$h_{t-1}$", **size)
    arrow(ax, (0.2, keep), (3.5, keep), ASKED)
    column(ax, 3.7, keep, INK, z, "$z$", **size)
    arrow(ax, (3.9, keep), (4.95, out + 0.2), ASKED)

    ax.plot([0, 0], [keep - half - 0.03, propose], color=ASKED, lw=1.4)
    arrow(ax, (0, propose), (0.8, propose), ASKED)
    column(ax, 1, propose, INK, r, "$r$", **size)
    arrow(ax, (1.2, propose), (2.15, propose), ASKED)
    column(ax, 2.35, propose, TAKEN, even, "$n$", **size)
    ax.text(2.35, 0.02, "$x_t$", ha="center", va="center", fontsize=12)
    arrow(ax, (2.35, 0.2), (2.35, propose - half - 0.03))
    arrow(ax, (2.55, propose), (3.5, propose), TAKEN)
    opened = [1 - gate for gate in z]
    column(ax, 3.7, propose, INK, opened, "$1 - z$", **size)
    arrow(ax, (3.9, propose), (4.95, out - 0.2), TAKEN)

    for k, gate in enumerate(z):  # each entry: so much of the old, so much of the new
        y = out + half - (k + 1) * TALL
        for left, colour, weight in ((5.0, ASKED, gate), (5.2, TAKEN, 1 - gate)):
            ax.add_patch(
                Rectangle((left, y), 0.2, TALL, facecolor=colour, alpha=weight, lw=0)
            )
        ax.add_patch(Rectangle((5.0, y), 0.4, TALL, fill=False, ec=ASKED, lw=1.1))
    place: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": 11}
    ax.text(5.2, out + half + 0.06, "$h_t$", color=ASKED, **place)
    ax.set(xlim=(-0.25, 5.6), ylim=(-0.2, keep + half + 0.1))
    ax.set_axis_off()
    return ax
