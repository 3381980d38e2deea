"""Directions of translation among three languages, drawn: those that are trained, those
that never were, and the way around through English.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from attention_book.plots.diagrams import OUT, SIZE, WIDE, box
from attention_book.plots.style import INK

LANGUAGES = {"EN": (2.6, 2.1), "FR": (0.9, 0.5), "ES": (4.3, 0.5)}
TRAINED = (("EN", "FR"), ("EN", "ES"))
ZERO_SHOT = ("FR", "ES")


def directions_drawing(ax: Axes | None = None) -> Axes:
    """Draw which directions one model is trained in, and two ways from FR to ES.

    Parameters
    ----------
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    ax = plt.subplots(figsize=(WIDE, 2.7))[1] if ax is None else ax
    for name, (x, y) in LANGUAGES.items():
        box(ax, x, y, name, INK, 0.7, 0.44)
    for pair in TRAINED:
        _way(ax, *pair, "<|-|>")
    _way(ax, *ZERO_SHOT, "<|-|>", ls=(0, (4, 3)))
    for pair in (("FR", "EN"), ("EN", "ES")):
        _way(ax, *pair, "-|>", OUT, bend=-0.42, lw=2.4)
    for x, y, text, colour in (
        (2.6, 1.25, "trained", INK),
        (2.6, 0.24, "zero-shot", INK),
        (2.6, 2.72, "pivot through EN", OUT),
    ):
        ax.text(x, y, text, ha="center", va="center", color=colour, fontsize=SIZE)
    ax.set(xlim=(0, 5.2), ylim=(0.05, 2.95), aspect="equal")
    ax.set_axis_off()
    return ax


def _way(ax: Axes, start: str, end: str, kind: str, colour=INK, bend=0.0, **look):
    style = {
        "arrowstyle": kind,
        "color": colour,
        "mutation_scale": 14,
        "shrinkA": 20,
        "shrinkB": 20,
        "connectionstyle": f"arc3,rad={bend}",
    }
    ends = LANGUAGES[end], LANGUAGES[start]
    ax.annotate("", *ends, arrowprops=style | {"lw": 1.4} | look)
