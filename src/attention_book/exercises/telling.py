"""How a check writes down what it saw: short, with names and shapes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch


def misshapen(
    values: Sequence[Any],
    right: Sequence[Any],
    gives: Mapping[str, str],
    maybe_none: bool,
) -> str | None:
    """Say how type or shape of results differ from the right ones; None if they do not.

    Parameters
    ----------
    values, right : a result for each example of a case
    gives : the axes of each part of a result, by its name
    maybe_none : whether None may be an answer, if a wrong one: a law knows more
    """
    for value, wanted in zip(values, right, strict=False):
        if value is None and wanted is not None:
            if maybe_none:
                continue
            return "your function returned None. Is the `return` missing?"
        parts, due = (value, wanted) if len(gives) > 1 else ((value,), (wanted,))
        if not isinstance(parts, tuple | list) or len(parts) != len(gives):
            return (
                f"expected {len(gives)} results, {' and '.join(gives)}; your function "
                f"returned {kind_of(value)}."
            )
        complaints = [
            mismatch(name, got, want, axes)
            for (name, axes), got, want in zip(gives.items(), parts, due, strict=True)
        ]
        if len(gives) > 1 and all(complaints) and shapes(parts) == shapes(due):
            return f"you return them in another order: expected {', '.join(gives)}."
        if any(complaints):
            return next(filter(None, complaints))
    if len(values) != len(right):
        return f"your result has no batch axis of length {len(right)} in front."
    return None


def shapes(parts: Sequence[Any]) -> list[tuple[int, ...]]:
    """List shapes, whatever the order of the parts."""
    return sorted(getattr(part, "shape", ()) for part in parts)


def mismatch(name: str, got: Any, want: Any, axes: str) -> str | None:
    """Say how one part of a result differs in type or shape; None if it does not."""
    kind = f"{name} is {kind_of(got)}, expected"
    if isinstance(want, np.ndarray):
        array = np.asarray(got) if isinstance(got, int | float) else got
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
            return f"{kind} numbers of shape {want.shape}."
        if array.shape != want.shape:
            meaning = f" ({', '.join(axes.split())})" if axes else ""
            return f"{name} has shape {array.shape}, expected {want.shape}{meaning}."
        return None
    if want is None or isinstance(want, bool | str):
        return None
    if isinstance(want, int | float):
        number = isinstance(got, int | float | np.ndarray) and np.ndim(got) == 0
        return None if number else f"{kind} one number."
    alike = isinstance(want, tuple | list) and isinstance(got, tuple | list)
    return None if alike or isinstance(got, type(want)) else f"{kind} {kind_of(want)}."


def kind_of(value: Any) -> str:
    """Name what came: "a str", "an array of shape (3, 4)", "2 things"."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, tuple):
        return f"{len(value)} things"
    return "None" if value is None else f"a {type(value).__name__}"


def shown(inputs: Mapping[str, Any]) -> str:
    """Write inputs as lines of "name = value"."""
    return "\n".join(f"{name} = {text_of(value)}" for name, value in inputs.items())


def results(got: Mapping[str, Any]) -> str:
    """Write the parts of a reader's result."""
    return "\n".join(f"your {name} = {text_of(value)}" for name, value in got.items())


def both(name: str, got: Any, want: Any) -> str:
    """Write a result below the right one."""
    return f"your {name} = {text_of(got)}\nexpected {text_of(want)}"


def text_of(value: Any) -> str:
    """Write a value shortly: arrays with three digits, large ones by their shape."""
    if isinstance(value, torch.Tensor):
        return f"{text_of(value.numpy())}  (tensor)"
    if isinstance(value, np.ndarray):
        if value.size > 60:
            return f"array of shape {value.shape}"
        lines = np.array2string(
            value, precision=3, suppress_small=True, separator=", ", max_line_width=100
        )
        return lines if value.ndim < 2 else "\n" + lines
    if isinstance(value, float):
        return f"{value:.4g}"
    several = isinstance(value, tuple | list)
    if several and any(isinstance(each, np.ndarray) for each in value):
        return ", ".join(map(text_of, value))
    return repr(value) if len(repr(value)) < 400 else f"{repr(value)[:400]} ..."
