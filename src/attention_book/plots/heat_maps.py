"""Attention as a heat map: rows are queries, columns inputs; one scale, 0 to 1."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.patches import Rectangle

from attention_book.plots.diagrams import ASKED, GOLD

# From no colour at all, so that on a light page and on a dark one more weight stands
# further off the page.
WEIGHT = LinearSegmentedColormap.from_list(
    "weight", [to_rgba(ASKED, 0.02), to_rgba(ASKED, 1)]
)
CELL = 0.36  # inches of a cell, or less: a wide map is read on a phone, too
NARROWEST = 0.2  # room for a label


def attention_map(
    A: Float[np.ndarray, "N_Y N_X"],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    gold: Collection[tuple[int, int]] = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw attention weights, a row for each word written, and outline gold links.

    Parameters
    ----------
    A : (N_Y, N_X)
        Weights, 0 to 1.
    rows, columns : sequence of str
        The N_Y words that are written, and the N_X inputs.
    gold : collection of (i, j)
        Links of input i and written word j, as in `data.Pair`.
    ax : Axes, optional
        Where to draw; a new figure, as large as it needs, when left out.
    """
    A = np.asarray(A, dtype=float)
    if A.shape != (len(rows), len(columns)):
        raise ValueError(
            f"A has shape {A.shape}, but rows × columns is {len(rows)} × {len(columns)}"
        )
    if not ((A >= 0) & (A <= 1 + 1e-6)).all():
        raise ValueError("A holds numbers outside [0, 1]: expected attention weights")
    if outside := [
        link
        for link in gold
        if not (0 <= link[0] < len(columns) and 0 <= link[1] < len(rows))
    ]:
        raise ValueError(
            f"gold holds the link {outside[0]}, but there are {len(columns)} inputs "
            f"and {len(rows)} rows"
        )
    if ax is None:
        room = plt.rcParams["figure.figsize"][0] - 1.6  # beside the labels
        cell = np.clip(room / max(1, len(columns)), NARROWEST, CELL)
        _, ax = plt.subplots(
            figsize=(1.6 + cell * len(columns), 1.2 + cell * len(rows))
        )
    sns.heatmap(
        A,
        vmin=0,
        vmax=1,
        cmap=WEIGHT,
        square=True,
        xticklabels=list(columns),
        yticklabels=list(rows),
        cbar_kws={"shrink": 0.6, "label": "attention"},
        ax=ax,
    )
    for i, j in gold:
        ax.add_patch(
            Rectangle(
                (i + 0.08, j + 0.08), 0.84, 0.84, fill=False, edgecolor=GOLD, lw=2
            )
        )
    ax.grid(visible=False)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.tick_params(axis="x", rotation=60)
    ax.tick_params(axis="y", rotation=0)
    plt.setp(ax.get_xticklabels(), ha="left", rotation_mode="anchor")
    return ax
