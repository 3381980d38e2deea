"""What was measured: one nested mapping per seed, from words down to numbers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np


def plain(measured: Any, path: Sequence[str] = ()) -> Any:
    """Figures as JSON keeps them: numbers of Python, and lists for arrays.

    ValueError that names a figure if it is not finite, or no number at all.
    """
    if isinstance(measured, Mapping):
        return {
            str(name): plain(value, (*path, str(name)))
            for name, value in measured.items()
        }
    if isinstance(measured, (np.ndarray, np.generic)):
        measured = measured.tolist()
    if isinstance(measured, list):
        return [plain(value, path) for value in measured]
    if not isinstance(measured, (int, float)) or not math.isfinite(measured):
        raise ValueError(
            f"{' / '.join(path)} measured {measured!r}, expected a finite number"
        )
    return measured


def at(measured: Any, path: Sequence[str]) -> Any:
    """Walk down to a figure, or to a group of them."""
    for depth, name in enumerate(path):
        where = "".join(f"{above!r} / " for above in path[:depth])
        if not isinstance(measured, Mapping):
            raise ValueError(f"{where}{name!r} was not measured: expected no name here")
        if name not in measured:
            raise ValueError(
                f"{where}{name!r} was not measured, expected one of "
                f"{', '.join(measured) or 'none'}"
            )
        measured = measured[name]
    return measured


def leaves(
    measured: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All figures, each with the names that lead to it."""
    if not isinstance(measured, Mapping):
        yield path, measured
        return
    for name, value in measured.items():
        yield from leaves(value, (*path, name))
