"""Chapter 3, *Look and say*: worked solutions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from torch import Tensor


def receptive_field(layers: Sequence[tuple[int, int]]) -> int:
    """Count the pixels along one side that an entry sees, after (kernel, stride)s."""
    size, step = 1, 1  # one pixel; neighbours are one pixel apart
    for kernel, stride in layers:
        size += (kernel - 1) * step
        step *= stride
    return size


def pointing(
    A: Float[np.ndarray, "N_rows N_X"],
    centres: Float[np.ndarray, "N_X 2"],
    boxes: Sequence[Sequence[int]],
) -> float:
    """Share of rows of A whose strongest cell has its centre in the row's box."""
    hits = 0
    for weights, (top, left, height, width) in zip(A, boxes, strict=True):
        y, x = centres[weights.argmax()]
        hits += top <= y < top + height and left <= x < left + width
    return float(hits / len(A))


def misread_or_mislooked(said: str, meant: str, looked_at: str | None) -> str:
    """Name what went wrong with one digit word, or say that it is right."""
    if said == meant:
        return "right"
    if looked_at is None:
        return "looked nowhere"
    return "misread" if looked_at == meant else "looked at another"


def which_image(
    picture: Float[np.ndarray, "N_pixels N_pixels"],
    box: Sequence[int],
    images: Float[np.ndarray, "N 8 8"],
) -> int:
    """Find the image that was pasted into a box: the nearest, as there is noise."""
    top, left, height, width = box
    patch = picture[top : top + height, left : left + width]
    return int(((images - patch) ** 2).sum(axis=(1, 2)).argmin())


def encode(model: Any, images: Float[Tensor, "B 1 N_pixels N_pixels"]) -> Any:
    """Turn pictures into the sets that a decoder looks at, each cell with its place."""
    h = model.grid.cnn(images).flatten(2).mT  # (B, N_X, D_H)
    # (N_X, D_H): a row for each cell, the same for every picture
    h = h + model.grid.position
    return model.make_memory(h, None, h.mean(dim=1))
