"""What goes into a reader's function and what comes out of it."""

from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import torch


def torch_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Turn arrays, also those in a tuple, into tensors."""
    return {name: as_tensors(value) for name, value in inputs.items()}


def as_tensors(value: Any) -> Any:
    """Turn arrays into tensors, numbers with a fraction into torch's usual float32."""
    if isinstance(value, tuple):
        return tuple(map(as_tensors, value))
    if not isinstance(value, np.ndarray):
        return value
    tensor = torch.tensor(value)
    return tensor.float() if tensor.is_floating_point() else tensor


def as_arrays(value: Any) -> Any:
    """Turn tensors into arrays and NumPy's numbers into Python's, also inside.

    What stands in a list and has no axis is a number.
    """
    if isinstance(value, torch.Tensor):
        # NumPy knows no bfloat16
        known = value.half() if value.dtype == torch.bfloat16 else value
        return known.to_dense().numpy(force=True)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Real | Decimal) and not isinstance(value, int | float):
        return float(value)  # a fraction, a long double
    if isinstance(value, dict):
        return {as_arrays(key): as_arrays(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        each = (
            one.item() if isinstance(one, np.ndarray) and is_one_number(one) else one
            for one in map(as_arrays, value)
        )
        return tuple(each) if isinstance(value, tuple) else [*each]
    return value


def unstack(value: Any, B: int) -> list[Any]:
    """Take a batched result apart into its examples; else it stays whole."""
    several = isinstance(value, tuple)
    parts = [stacked(part) for part in (value if several else (value,))]
    if any(not isinstance(p, np.ndarray) or p.shape[:1] != (B,) for p in parts):
        return [value]
    return list(zip(*parts, strict=True)) if several else list(parts[0])


def fit(value: Any, wanted: Any) -> Any:
    """Turn lists of numbers into arrays where an array is expected, 2.0 into 2."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return {key: fit(each, wanted.get(key)) for key, each in value.items()}
    if type(wanted) is int and isinstance(value, float | np.ndarray):
        one = np.ndim(value) == 0 and is_number(value)
        whole = one and float(value).is_integer()
        return int(value) if whole else value
    several = isinstance(wanted, tuple)
    if isinstance(value, np.ndarray) and (
        (several and value.shape == (len(wanted),))
        or (isinstance(wanted, list) and value.ndim == 1)
    ):
        value = value.tolist()  # what was put into an array
    if several and isinstance(value, tuple | list) and len(value) == len(wanted):
        return tuple(map(fit, value, wanted))
    array = stacked(value) if isinstance(wanted, np.ndarray) else value
    apart = isinstance(value, tuple) and isinstance(array, np.ndarray)
    # "2 things" are no rows
    return value if apart and array.shape != wanted.shape else array


def stacked(value: Any) -> Any:
    """Turn lists of lists of numbers into an array, if their lengths agree."""
    try:
        return np.asarray(value) if isinstance(value, list | tuple) else value
    except ValueError:
        return value


def same(one: Any, other: Any) -> bool:
    """Compare results: numbers to half a float's precision, all else exactly."""
    if is_number(one) and is_number(other):
        arrays = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
        if arrays and (one.dtype.kind == "b") != (other.dtype.kind == "b"):
            return False  # one is a mask, the other holds numbers
        if "f" not in (np.asarray(one).dtype.kind, np.asarray(other).dtype.kind):
            return np.array_equal(one, other)
        close = {"rtol": 1e-4, "atol": 1e-6, "equal_nan": True}
        one, other = (np.asarray(each, dtype=float) for each in (one, other))
        return one.shape == other.shape and np.allclose(one, other, **close)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):  # no numbers
        alike = (one.shape, one.dtype.kind) == (other.shape, other.dtype.kind)
        return alike and same(one.tolist(), other.tolist())
    try:
        return isinstance(one, type(other)) and bool(one == other)
    except Exception:  # a type of the reader's, or one that compares by entries
        return False


def roughly_same(one: Any, other: Any) -> bool:
    """Compare to two digits or three, as half precision has, or after the point."""
    floats = is_number(one) and is_number(other) and np.shape(one) == np.shape(other)
    if floats and np.asarray(other).dtype.kind == "f":
        due = np.asarray(other)
        small = 5e-3 * np.abs(due[np.isfinite(due)]).max(initial=0)
        nothing = due == 0  # what is hidden has no digits
        came = np.asarray(one, dtype=float)
        close = np.allclose(came, due, rtol=1e-2, atol=small, equal_nan=True)
        right = close and same(np.asarray(one)[nothing], due[nothing])
        rounded = any(same(one, due.round(digits)) for digits in (2, 3))
        return right or (rounded and bool(np.any(one)))
    return same(one, other)


def is_fraction(value: Any) -> bool:
    """Whether it holds numbers that are not whole."""
    floats = is_number(value) and np.asarray(value).dtype.kind == "f"
    return floats and bool((np.rint(value) != value).any())


def is_whole_of(got: Any, due: Any) -> bool:
    """Tell whether it holds the expected numbers, rounded or truncated."""
    if not is_number(got) or np.shape(got) != np.shape(due) or is_fraction(got):
        return False
    off = np.abs(np.asarray(got, dtype=float) - due)
    towards_0 = np.abs(got) <= np.abs(due) + 1e-3
    ways = (off < 0.501, (off < 1.001) & towards_0, (off < 1.001) & (got < due + 1e-3))
    return any(way.all() for way in map(np.asarray, ways))


def is_one_number(value: Any) -> bool:
    """Whether it is a number, or an array that holds one and has no axis."""
    return is_number(value) and np.ndim(value) == 0


def is_number(value: Any) -> bool:
    """Whether it is a number or an array of numbers."""
    if isinstance(value, int):  # of 64 bits or more, while a float can hold it
        return abs(value) < 2**1000
    numeric = isinstance(value, float | np.ndarray)
    return numeric and np.asarray(value).dtype.kind in "biuf"


def is_no_number(got: Any, want: Any) -> bool:
    """Tell whether it holds NaN or infinity where numbers are expected."""
    floats = is_number(want) and np.asarray(got).dtype.kind == "f"
    return floats and bool((~np.isfinite(got) & np.isfinite(want)).any())
