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
    """Read an array: "1 2; 3 4" has two rows, "1 2; 3 4 / 5 6; 7 8" two tables.

    Parameters
    ----------
    text : numbers, rows after ";", tables after "/"; inf and -inf are numbers
    dtype : of the array
    """

    def row(cells: str) -> list[float]:
        return [float(cell) for cell in cells.split()]

    def rows(lines: str) -> list[Any]:
        return [row(line) for line in lines.split(";")] if ";" in lines else row(lines)

    tables = [rows(part) for part in text.split("/")]
    return np.array(tables if len(tables) > 1 else tables[0], dtype=dtype)


def mask(text: str) -> np.ndarray:
    """Read a mask: "110" is a row, "110 011" has two, "110 011 / 101 110" is two."""

    def row(digits: str) -> list[bool]:
        return [digit == "1" for digit in digits]

    masks = [[row(digits) for digits in part.split()] for part in text.split("/")]
    if len(masks) > 1:
        return np.array(masks)
    return np.array(masks[0] if len(masks[0]) > 1 else masks[0][0])
