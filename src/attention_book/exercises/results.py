"""What goes into a reader's function and comes out of it: arrays or tensors, one example or a batch of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch


def torch_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Turn arrays into tensors, numbers with a fraction into torch's usual float32."""

    def turn(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return torch.tensor(
            value, dtype=torch.float32 if value.dtype.kind == "f" else None
        )

    return {name: turn(value) for name, value in inputs.items()}


def unstack(value: Any, B: int) -> list[Any]:
    """Take a batched result apart into those of its examples; what has no such axis stays whole."""
    parts = (
        tuple(map(stacked, value)) if isinstance(value, tuple) else (stacked(value),)
    )
    if not all(
        isinstance(part, np.ndarray) and part.ndim and len(part) == B for part in parts
    ):
        return [value]
    return [
        tuple(part[b] for part in parts) if isinstance(value, tuple) else parts[0][b]
        for b in range(B)
    ]


def fit(value: Any, wanted: Any) -> Any:
    """Turn lists of numbers into arrays where an array is expected."""
    if (
        isinstance(wanted, tuple)
        and isinstance(value, tuple | list)
        and len(value) == len(wanted)
    ):
        return tuple(map(fit, value, wanted))
    return stacked(value) if isinstance(wanted, np.ndarray) else value


def stacked(value: Any) -> Any:
    """Turn lists of lists of numbers into an array; what has rows of different lengths stays what it is."""
    if not isinstance(value, list | tuple):
        return value
    try:
        return np.asarray(value)
    except ValueError:
        return value


def as_arrays(value: Any) -> Any:
    """Turn tensors, also inside lists, tuples and dictionaries, into arrays, and the numbers of NumPy into Python's."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        return (value.float() if value.dtype is torch.bfloat16 else value).numpy()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {as_arrays(key): as_arrays(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return (
            [*map(as_arrays, value)]
            if isinstance(value, list)
            else tuple(map(as_arrays, value))
        )
    return value


def same(one: Any, other: Any, *, rtol: float = 1e-4, atol: float = 1e-6) -> bool:
    """Compare results: numbers within half a float's precision, everything else exactly; a NaN equals a NaN."""
    if _is_number(one) and _is_number(other):
        a, b = np.asarray(one), np.asarray(other)
        if a.shape != b.shape:
            return False
        if a.dtype.kind in "biu" and b.dtype.kind in "biu":
            return bool((a == b).all())
        return bool(np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same(one[key], other[key], rtol=rtol, atol=atol) for key in one
        )
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(
            same(a, b, rtol=rtol, atol=atol) for a, b in zip(one, other, strict=True)
        )
    return type(one) is type(other) and bool(one == other)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float | np.ndarray)
        and np.asarray(value).dtype.kind in "biuf"
    )
