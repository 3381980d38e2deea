"""Drawings of networks, in the book's one visual language.

What asks is orange, what is asked blue, what is taken green, what comes out violet. A
vector is a column of cells, and a weight is the opacity of its cell. Time runs to the
right. Drawn 5 inches wide, so that the labels can still be read on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from attention_book.plots.style import INK, PALETTE
from attention_book.shapes import check_filled

ASKED, ASKS, TAKEN = PALETTE[:3]  # input or key; query or decoder state; value
OUT = "#9a5bb5"  # context, output
SIZE = 10  # points of a label, about as many pixels on a phone
WIDE = 5.2  # inches
ENCODER, DECODER, NECK = ASKED, ASKS, OUT
SHAPES = {
    "one to one": (1, 1, 0),
    "one to many": (1, 3, 0),
    "many to one": (3, 1, 2),
    "many to many\n(after reading)": (3, 3, 2),
    "many to many\n(in step)": (3, 3, 0),
}
ROWS = (tuple(SHAPES)[:3], tuple(SHAPES)[3:])


def box(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    colour: str,
    width: float = 0.62,
    height: float = 0.5,
) -> None:
    """Draw one rounded box with its centre at (x, y)."""
    corner = (x - width / 2, y - height / 2)
    style = "round,pad=0,rounding_size=0.1"
    ax.add_patch(
        FancyBboxPatch(
            corner, width, height, boxstyle=style, fc=colour + "22", ec=colour, lw=1.6
        )
    )
    ax.text(x, y, text, ha="center", va="center", color=colour, fontweight="bold")


def symbol(
    ax: Axes, x: float, y: float, name: str, colour: str, size: float = SIZE + 2
) -> None:
    """Write a symbol with its centre at (x, y)."""
    ax.text(x, y, name, ha="center", va="center", color=colour, fontsize=size)


def arrow(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = INK
) -> None:
    """Draw a straight arrow."""
    style = {
        "arrowstyle": "-|>",
        "color": colour,
        "lw": 1.4,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    ax.annotate("", end, start, arrowprops=style)


def column(
    ax: Axes,
    x: float,
    y: float,
    colour: str,
    weights: Sequence[float] = (0.45,) * 4,
    label: str = "",
    width: float = 0.26,
    cell: float = 0.2,
) -> None:
    """Draw a vector as a column of cells with its centre at (x, y).

    Parameters
    ----------
    weights : N_cells numbers, 0 to 1
        The opacity of each cell, the first on top.
    label : str
        Its symbol, written at the upper right of the column.
    width, cell : float
        The size of a cell.
    """
    height = len(weights) * cell
    for k, weight in enumerate(weights):
        corner = (x - width / 2, y + height / 2 - (k + 1) * cell)
        ax.add_patch(
            Rectangle(corner, width, cell, facecolor=colour, alpha=weight, lw=0)
        )
        ax.add_patch(Rectangle(corner, width, cell, fill=False, ec=colour, lw=1.1))
    if label:
        place: dict[str, Any] = {"ha": "left", "va": "center", "fontsize": SIZE + 2}
        ax.text(
            x + width / 2 + 0.05, y + height / 2 - 0.1, label, color=colour, **place
        )


def encoder_decoder(
    source: Sequence[str], target: Sequence[str], ax: Axes | None = None
) -> Axes:
    """Draw the unrolled encoder, the decoder above it, and the one context c between.

    Parameters
    ----------
    source, target : sequence of str
        The words; [START] and [STOP] are added where the decoder needs them.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    check_filled("source", source, "word")
    check_filled("target", target, "word")
    fed, predicted = ["[START]", *target], [*target, "[STOP]"]
    steps = max(len(source), len(fed))
    size = (WIDE * max(1.0, (steps + 1.7) / 5.7), 4.1)
    ax = plt.subplots(figsize=size)[1] if ax is None else ax
    neck, read, write, bus = (
        steps + 0.8,
        1.0,
        3.75,
        2.2,
    )  # where c, h, s and its way are
    for t, word in enumerate(source, start=1):
        x = t + steps - len(source)
        column(ax, x, read, ENCODER, label=f"$h_{{{t}}}$")
        ax.text(x, 0, word, ha="center", va="center", fontsize=SIZE)
        arrow(ax, (x, 0.2), (x, 0.56))
        if t > 1:
            arrow(ax, (x - 0.83, read), (x - 0.17, read))
    arrow(ax, (steps + 0.17, read), (neck - 0.17, read), NECK)
    column(ax, neck, read, NECK, label="$c$")
    ax.plot([neck, neck, 0], [read + 0.42, bus, bus], color=NECK, lw=1.4)
    column(ax, 0, write, DECODER, label="$s_0$")
    arrow(ax, (0, bus), (0, write - 0.44), NECK)
    for t, (seen, said) in enumerate(zip(fed, predicted, strict=True), start=1):
        column(ax, t, write, DECODER, label=f"$s_{{{t}}}$")
        ax.text(t, 2.75, seen, ha="center", va="center", fontsize=SIZE)
        ax.text(
            t, 4.75, said, ha="center", va="center", fontsize=SIZE, fontweight="bold"
        )
        arrow(ax, (t, 2.95), (t, write - 0.44))
        arrow(ax, (t, write + 0.44), (t, 4.55))
        arrow(ax, (t - 0.83, write), (t - 0.17, write))
        ax.plot([t - 0.42, t - 0.42], [bus, 3.1], color=NECK, lw=1.4)
        arrow(ax, (t - 0.42, 3.1), (t - 0.14, write - 0.36), NECK)
    ax.set(xlim=(-0.3, neck + 0.45), ylim=(-0.25, 5.0))
    ax.set_axis_off()
    return ax


def sequence_shapes(ax: Axes | None = None) -> Axes:
    """Draw five shapes of sequence problems: inputs below, states, outputs above."""
    ax = plt.subplots(figsize=(WIDE, 3.3))[1] if ax is None else ax
    for down, names in enumerate(ROWS):
        left, y = 0.0, -3.4 * down
        for name in names:
            n_in, n_out, delay = SHAPES[name]
            steps = max(n_in, n_out + delay)
            for t in range(steps):
                x = left + t
                box(ax, x, y + 1, "", ENCODER, width=0.5, height=0.42)
                if t:
                    arrow(ax, (x - 0.72, y + 1), (x - 0.27, y + 1))
                if t < n_in:
                    box(ax, x, y + 0.1, "", INK, width=0.34, height=0.26)
                    arrow(ax, (x, y + 0.25), (x, y + 0.77))
                if delay <= t < delay + n_out:
                    box(ax, x, y + 1.9, "", OUT, width=0.34, height=0.26)
                    arrow(ax, (x, y + 1.23), (x, y + 1.75))
            middle = left + (steps - 1) / 2
            place: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": SIZE}
            ax.text(middle, y - 0.3, name, **place)
            left += steps + 1.3
    ax.set(xlim=(-0.9, 9.2), ylim=(-4.9, 2.2))
    ax.set_axis_off()
    return ax
