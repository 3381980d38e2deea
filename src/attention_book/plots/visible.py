"""Masks, drawn: a row of squares is a query, a column an input; hidden is hatched."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from attention_book.plots.diagrams import ASKED, SIZE, WIDE, symbol
from attention_book.plots.style import INK
from attention_book.shapes import check_filled

FAINTEST = 0.08  # so that a weight near 0 still has its place
SEEN = 0.45  # opacity of a square that may be seen, whatever its weight
GAP = 1.2  # squares between two masks


def square(
    ax: Axes, x: float, y: float, weight: float | None, side: float = 0.5
) -> None:
    """Draw a weight's square with its centre at (x, y); hatched if it is None."""
    corner = (x - side / 2, y - side / 2)
    if weight is None:
        look = {"fill": False, "ec": INK, "lw": 0.5, "hatch": "/////"}
        ax.add_patch(Rectangle(corner, side, side, **look))
        return
    alpha = max(weight, FAINTEST)
    ax.add_patch(Rectangle(corner, side, side, fc=ASKED, alpha=alpha, lw=0))
    ax.add_patch(Rectangle(corner, side, side, fill=False, ec=ASKED, lw=1))


def visible_squares(
    masks: Mapping[str, Bool[np.ndarray, "N_Q N_X"]], ax: Axes | None = None
) -> Axes:
    """Draw masks side by side.

    Parameters
    ----------
    masks : mapping of str to (N_Q, N_X)
        By name; True where a query may look.
    ax : Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
    """
    check_filled("masks", masks, "mask")
    ax = plt.subplots(figsize=(WIDE, 1.6))[1] if ax is None else ax
    left = 0.0
    for name, visible in masks.items():
        visible = np.asarray(visible)
        if visible.ndim != 2 or visible.dtype != bool:
            raise ValueError(
                f"mask {name!r} has shape {visible.shape} and type {visible.dtype}, "
                "expected (N_Q, N_X) of bool"
            )
        for (i, j), seen in np.ndenumerate(visible):
            square(ax, left + j, -i, SEEN if seen else None, side=0.9)
        symbol(ax, left + (visible.shape[1] - 1) / 2, 1.2, name, INK, SIZE)
        left += visible.shape[1] + GAP
    tallest = max(np.shape(visible)[0] for visible in masks.values())
    ax.set(xlim=(-0.6, left - GAP), ylim=(-tallest + 0.4, 1.8), aspect="equal")
    ax.set_axis_off()
    return ax
