"""Attention over a picture: once per word, coloured where the model looked."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from attention_book.plots.heat_maps import GOLD

PER_LINE = 5  # pictures; more would be too small on a page
DENSEST = 0.85  # opacity of a cell that has all the weight


def masks(
    image: Float[np.ndarray, "H W"],
    A: Float[np.ndarray, "N_Y R C"],
    words: Sequence[str],
) -> list[Axes]:
    """Draw a picture once per word, each cell as coloured as its weight is large.

    Ink is dark on paper.

    Parameters
    ----------
    image : (H, W)
        0 is paper, 1 is ink.
    A : (N_Y, R, C)
        The weights of each word over R × C cells, which sum to 1.
    words : sequence of str
        The N_Y words.

    Returns
    -------
    list of Axes

    Raises
    ------
    ValueError
        If there is no word, A does not have a mask for each, or the cells do not divide
        the picture.
    """
    image, A = np.asarray(image, dtype=float), np.asarray(A, dtype=float)
    if not len(words) or A.ndim != 3 or len(A) != len(words):
        raise ValueError(
            f"A has shape {A.shape}, expected (N_Y, R, C) with one mask for each of "
            f"{len(words)} words"
        )
    if any(
        pixels % cells for pixels, cells in zip(image.shape, A.shape[1:], strict=True)
    ):
        raise ValueError(
            f"image has shape {image.shape}, expected a multiple of the cells "
            f"{A.shape[1:]}"
        )
    N_lines = -(-len(words) // PER_LINE)
    _, axes = plt.subplots(N_lines, PER_LINE, figsize=(8, 1.9 * N_lines), squeeze=False)
    height, width = image.shape
    for ax in axes.flat:
        ax.axis("off")
    for ax, mask, word in zip(axes.flat, A, words, strict=False):
        ax.imshow(1 - image, cmap="gray", vmin=0, vmax=1)
        colour = np.broadcast_to(to_rgb(GOLD), (*mask.shape, 3))
        veil = np.dstack(
            [colour, DENSEST * mask / max(mask.max(), 0.25)]
        )  # a weak mask stays faint
        ax.imshow(veil, extent=(-0.5, width - 0.5, height - 0.5, -0.5))
        ax.set_title(word, fontsize=10)
    return list(axes.flat[: len(words)])
