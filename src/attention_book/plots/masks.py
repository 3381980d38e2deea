"""Attention over a picture: once per word, coloured where the model looked."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from attention_book.plots.diagrams import ASKED, WIDE

PER_LINE = 4  # pictures; more would be too small on a page


def masks(
    image: Float[np.ndarray, "H W"],
    A: Float[np.ndarray, "N_Y R C"],
    words: Sequence[str],
) -> list[Axes]:
    """Draw a picture once per word, each cell as coloured as its weight is large.

    The ink lies over the colour.

    Parameters
    ----------
    image : (H, W)
        0 is paper, 1 is ink.
    A : (N_Y, R, C)
        The weights of each word over R × C cells, which sum to 1.
    words : sequence of str
        The N_Y words.
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
    size = (WIDE, 1.55 * N_lines)
    _, axes = plt.subplots(N_lines, PER_LINE, figsize=size, squeeze=False)
    (height, width), (R, C) = image.shape, A.shape[1:]
    for ax in axes.flat:
        ax.axis("off")
    for ax, mask, word in zip(axes.flat, A, words, strict=False):
        strength = mask / max(mask.max(), 0.25)  # a weak mask stays faint
        strength = np.kron(strength, np.ones((height // R, width // C)))[..., None]
        paper = 1 - strength * (1 - np.array(to_rgb(ASKED)))
        ax.imshow(paper * (1 - image.clip(0, 1)[..., None]))
        ax.set_title(word, fontsize=10)
    return list(axes.flat[: len(words)])
