"""How a check writes down what it saw: short, with names and shapes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch


def mismatch(name: str, got: Any, want: Any, axes: str) -> str | None:
    """Say how the type or shape of a result differs from what is expected; None if it does not."""
    if isinstance(want, np.ndarray):
        array = np.asarray(got) if isinstance(got, int | float) else got
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
            return f"{name} is {kind_of(got)}, expected numbers of shape {want.shape}."
        if array.shape != want.shape:
            meaning = f" ({', '.join(axes.split())})" if axes else ""
            return f"{name} has shape {array.shape}, expected {want.shape}{meaning}."
        return None
    if isinstance(want, bool) or want is None or isinstance(want, str):
        return None
    if isinstance(want, int | float):
        number = isinstance(got, int | float) or (
            isinstance(got, np.ndarray) and got.ndim == 0
        )
        return None if number else f"{name} is {kind_of(got)}, expected one number."
    if isinstance(got, tuple | list) and isinstance(want, tuple | list):
        return None
    return (
        None
        if isinstance(got, type(want))
        else f"{name} is {kind_of(got)}, expected {kind_of(want)}."
    )


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
    if isinstance(value, tuple | list) and any(
        isinstance(each, np.ndarray) for each in value
    ):
        return ", ".join(map(text_of, value))
    return repr(value) if len(repr(value)) < 400 else f"{repr(value)[:400]} ..."
