"""Curves measured over several seeds: their mean, and every seed's range as a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from attention_book.shapes import check_finite, check_shape

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
    """Draw each series' mean over seeds, in a band from the lowest to the highest.

    Parameters
    ----------
    x : sequence of N_points positions
        Anything but numbers is spaced evenly and used as labels.
    series : mapping of str to (N_seeds, N_points)
        By the name of the line, its figures, one row a seed.
    x_label, y_label : str
        What the axes mean, with units.
    """
    ax = plt.subplots()[1] if ax is None else ax
    numeric = all(isinstance(value, int | float) for value in x)
    places = np.asarray(x, dtype=float) if numeric else np.arange(len(x))
    for number, (name, figures) in enumerate(series.items()):
        figures = np.asarray(figures, dtype=float)
        check_shape(f"series {name!r}", figures, "N_seeds N", N=len(places))
        check_finite(f"series {name!r}", figures)
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
