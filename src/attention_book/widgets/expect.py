"""Checks of what a widget is given: shapes, weights, collections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def expect_shape(
    name: str, array: np.ndarray, shape: Sequence[int], meaning: str
) -> None:
    """Check the shape of an array."""
    if np.shape(array) != tuple(shape):
        raise ValueError(
            f"{name} has shape {np.shape(array)} but {meaning} is {tuple(shape)}"
        )


def expect_weights(name: str, A: np.ndarray) -> None:
    """Check that the last axis holds weights that sum to 1, in half precision too."""
    A = np.asarray(A, dtype=float)
    if A.min(initial=0) < 0:
        raise ValueError(
            f"{name} has the weight {A.min():g}: weights cannot be negative"
        )
    sums = A.sum(axis=-1).ravel()
    worst = sums[np.abs(sums - 1).argmax()] if sums.size else 1.0
    if not abs(worst - 1) <= 0.01:
        raise ValueError(
            f"{name} has a row that sums to {worst:.3f}: weights sum to 1 over the "
            "inputs (last axis)"
        )


def expect_some(**collections: Sequence | dict) -> None:
    """Check that the named collections are not empty."""
    for name, given in collections.items():
        if not len(given):
            raise ValueError(f"{name} is empty: expected at least one")
