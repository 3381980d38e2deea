"""Chapter 3, *Look and say*: worked solutions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float


def receptive_field(layers: Sequence[tuple[int, int]]) -> int:
    """Count the pixels, along one side, that an entry depends on after layers of (kernel, stride)."""
    size, step = 1, 1  # one pixel; neighbours are one pixel apart
    for kernel, stride in layers:
        size += (kernel - 1) * step
        step *= stride
    return size


def cells_inside(centres: Float[np.ndarray, "N_X 2"], box: Sequence[int]) -> Bool[np.ndarray, N_X]:
    """Say which cells have their centre (y, x) in a box (top, left, height, width)."""
    top, left, height, width = box
    y, x = centres.T
    return (top <= y) & (y < top + height) & (left <= x) & (x < left + width)


def misread_or_mislooked(said: str, meant: str, looked_at: str | None) -> str:
    """Name what went wrong with one digit word: "right", "misread", "looked at another" or "looked nowhere"."""
    if said == meant:
        return "right"
    if looked_at is None:
        return "looked nowhere"
    return "misread" if looked_at == meant else "looked at another"
