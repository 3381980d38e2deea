"""Arrays for cases, written shortly."""

from typing import Any

import numpy as np


def numbers(seed: int, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Draw numbers with one digit after the point, so that they can be read."""
    return np.random.default_rng(seed).normal(scale=scale, size=shape).round(1)


def drawn(seed: int, scale: float = 1.0, **shapes: tuple[int, ...]) -> dict[str, Any]:
    """Draw such numbers for inputs by name, each from the seed after the last."""
    names = enumerate(shapes, seed)
    return {name: numbers(k, *shapes[name], scale=scale) for k, name in names}


def table(text: str, dtype: Any = float) -> np.ndarray:
    """Read numbers: "1 -inf; 3 4" has two rows, "1 2; 3 4 / 5 6; 7 8" two tables."""
    tables = [[row.split() for row in rows.split(";")] for rows in text.split("/")]
    return _without_single(np.array(tables, dtype=dtype))


def mask(text: str) -> np.ndarray:
    """Read a mask: "110" is a row, "110 011" has two, "110 011 / 101 110" is two."""
    masks = [[[*row] for row in rows.split()] for rows in text.split("/")]
    return _without_single(np.array(masks) == "1")


def _without_single(array: np.ndarray) -> np.ndarray:
    """Drop the axis of tables and that of rows, where there is but one."""
    return array.squeeze(tuple(axis for axis in (0, 1) if array.shape[axis] == 1))
