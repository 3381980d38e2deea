"""Curves measured over several seeds: their mean, and every seed's range as a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

MARKERS = ("o", "s", "^", "D", "v", "P")
MOST_MARKERS = 20  # beyond, they would hide the line
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))


def bands(
    x: Sequence[object],
    series: Mapping[str, Float[np.ndarray, "N_seeds N_points"]],
    *,
    x_label: str,
    y_label: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw one line a series (the mean over seeds) inside a band from the lowest to the
    highest seed.

    Parameters
    ----------
    x : N_points positions; anything but numbers is spaced evenly and used as labels.
    series : name of the line -> figures, one row a seed.
    x_label, y_label : what the axes mean, with units.
    ax : where to draw; a new figure when left out.

    Raises
    ------
    ValueError
        A series that is not seeds by points, or holds no finite figures.
    """
    ax = plt.subplots()[1] if ax is None else ax
    numeric = all(isinstance(value, int | float) for value in x)
    places = np.asarray(x, dtype=float) if numeric else np.arange(len(x))
    for number, (name, figures) in enumerate(series.items()):
        figures = np.asarray(figures, dtype=float)
        if figures.ndim != 2 or figures.shape[1] != len(places):
            raise ValueError(
                f"series {name!r} has shape {figures.shape}; expected (N_seeds, "
                f"{len(places)})"
            )
        if not np.isfinite(figures).all():
            raise ValueError(f"series {name!r} holds figures that are not finite")
        marker = MARKERS[number % len(MARKERS)] if len(places) <= MOST_MARKERS else None
        style = {"marker": marker, "linestyle": DASHES[number % len(DASHES)]}
        (line,) = ax.plot(places, figures.mean(axis=0), label=name, **style)
        ax.fill_between(
            places,
            figures.min(axis=0),
            figures.max(axis=0),
            color=line.get_color(),
            alpha=0.18,
            lw=0,
        )
    if not numeric:
        ax.set_xticks(places, [str(value) for value in x])
    ax.set(xlabel=x_label, ylabel=y_label)
    ax.legend()
    return ax
