"""Masks, drawn: a row of squares is a query, a column an input; hidden is hatched."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool
from matplotlib.axes import Axes

from attention_book.plots.diagrams import EVEN, GOLD, SIZE, Drawing
from attention_book.shapes import check_filled

GAP = 1.2  # squares between two masks


def visible_squares(
    masks: Mapping[str, Bool[np.ndarray, "N_Q N_X"]],
    marked: Mapping[str, tuple[int, str]] | None = None,
) -> Axes:
    """Draw masks side by side.

    Parameters
    ----------
    masks : mapping of str to (N_Q, N_X)
        By name; True where a query may look.
    marked : mapping of str to (int, str), optional
        By name, a column to be outlined, counted from 0, and what is written below it.
    """
    check_filled("masks", masks, "mask")
    marked = marked or {}
    if unknown := marked.keys() - masks.keys():
        raise ValueError(f"marked names {sorted(unknown)}, which are not among masks")
    draw = Drawing(1.8 if marked else 1.6)
    left = 0.0
    for name, visible in masks.items():
        visible = np.asarray(visible)
        if visible.ndim != 2 or visible.dtype != bool:
            raise ValueError(
                f"mask {name!r} has shape {visible.shape} and type {visible.dtype}, "
                "expected (N_Q, N_X) of bool"
            )
        for (i, j), seen in np.ndenumerate(visible):
            draw.square(left + j, -i, EVEN if seen else None, side=0.9)
        draw.label(left + (visible.shape[1] - 1) / 2, 1.2, name, size=SIZE)
        if name in marked:
            (j, text), N_Q = marked[name], len(visible)
            draw.frame((left + j - 0.5, 0.5 - N_Q), 1, N_Q, GOLD, lw=2)
            draw.label(left + j, -N_Q - 0.2, text)
        left += visible.shape[1] + GAP
    tallest = max(np.shape(visible)[0] for visible in masks.values())
    limits = {"xlim": (-0.6, left - GAP), "ylim": (-tallest + 0.4 - bool(marked), 1.8)}
    return draw.cropped(**limits, aspect="equal")
