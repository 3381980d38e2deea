"""Diagrams of networks, drawn from the words they process."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from attention_book.plots.style import INK, PALETTE
from attention_book.shapes import check_filled

ENCODER, DECODER, NECK = PALETTE[0], PALETTE[2], PALETTE[1]
SHAPES = {
    "one to one": (1, 1, 0),
    "one to many": (1, 3, 0),
    "many to one": (3, 1, 2),
    "many to many\n(after reading)": (3, 3, 2),
    "many to many\n(in step)": (3, 3, 0),
}


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


def encoder_decoder(
    source: Sequence[str], target: Sequence[str], ax: Axes | None = None
) -> Axes:
    """Draw the unrolled encoder and decoder with the one context vector c between them.

    Parameters
    ----------
    source, target : sequence of str
        The words; [START] and [STOP] are added where the decoder needs them.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If a side has no word.
    """
    check_filled("source", source, "word")
    check_filled("target", target, "word")
    fed, predicted = ["[START]", *target], [*target, "[STOP]"]
    width = len(source) + len(fed) + 1.6
    ax = plt.subplots(figsize=(max(7.0, 0.85 * width), 2.6))[1] if ax is None else ax
    for t, word in enumerate(source, start=1):
        box(ax, t, 1, f"$h_{{{t}}}$", ENCODER)
        ax.text(t, 0, word, ha="center", va="center")
        arrow(ax, (t, 0.2), (t, 0.73))
        if t > 1:
            arrow(ax, (t - 0.68, 1), (t - 0.33, 1))
    neck, first = len(source) + 1.3, len(source) + 2.6
    arrow(ax, (len(source) + 0.33, 1), (neck - 0.33, 1), NECK)
    box(ax, neck, 1, "$c$", NECK)
    for t, (seen, said) in enumerate(zip(fed, predicted, strict=True), start=1):
        x = first + t - 1
        box(ax, x, 1, f"$s_{{{t}}}$", DECODER)
        ax.text(x, 0, seen, ha="center", va="center", fontsize=9)
        ax.text(x, 2, said, ha="center", va="center", fontsize=9, fontweight="bold")
        arrow(ax, (x, 0.2), (x, 0.73))
        arrow(ax, (x, 1.27), (x, 1.8))
        arrow(ax, (x - 0.17, 1.56), (x - 0.17, 1.27), NECK)
        arrow(ax, (x - 0.68, 1) if t > 1 else (neck + 0.33, 1), (x - 0.33, 1))
    ax.text((neck + first) / 2, 0.8, "$s_0$", ha="center", color=DECODER)
    ax.plot([neck, neck, x - 0.17], [1.27, 1.56, 1.56], color=NECK, lw=1.4)
    ax.set(xlim=(0.4, first + len(fed) - 0.4), ylim=(-0.35, 2.3))
    ax.set_axis_off()
    return ax


def sequence_shapes(ax: Axes | None = None) -> Axes:
    """Draw five shapes of sequence problems: inputs below, states, outputs above."""
    ax = plt.subplots(figsize=(7.6, 2.7))[1] if ax is None else ax
    left = 0.0
    for name, (n_in, n_out, delay) in SHAPES.items():
        steps = max(n_in, n_out + delay)
        for t in range(steps):
            box(ax, left + t, 1, "", ENCODER, width=0.5, height=0.42)
            if t:
                arrow(ax, (left + t - 0.72, 1), (left + t - 0.27, 1))
            if t < n_in:
                box(ax, left + t, 0.1, "", INK, width=0.34, height=0.26)
                arrow(ax, (left + t, 0.25), (left + t, 0.77))
            if delay <= t < delay + n_out:
                box(ax, left + t, 1.9, "", DECODER, width=0.34, height=0.26)
                arrow(ax, (left + t, 1.23), (left + t, 1.75))
        ax.text(
            left + (steps - 1) / 2, -0.6, name, ha="center", va="center", fontsize=9
        )
        left += steps + 1.1
    ax.set(xlim=(-0.9, left - 1.2), ylim=(-1.0, 2.2))
    ax.set_axis_off()
    return ax
