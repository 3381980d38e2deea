"""How a check writes down what it saw: short, with names and shapes."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import torch

from attention_book.exercises.results import is_one_number


def misshapen(value: Any, wanted: Any, gives: Mapping[str, str]) -> str | None:
    """Say how a result differs from the right one in type or shape, if it does."""
    if not in_parts(value, gives):
        return (
            f"expected {len(gives)} results, {' and '.join(gives)}; your function "
            f"returned {kind_of(value)}."
        )
    several = len(gives) > 1
    parts, due = (value, wanted) if several else ((value,), (wanted,))
    complaints = [*map(mismatch, gives, parts, due, gives.values())]
    turned = list(permutations(parts)) if several and all(complaints) else []
    if any(
        not any(map(mismatch, gives, other, due, gives.values())) for other in turned
    ):
        return f"you return them in another order: expected {', '.join(gives)}."
    return next(filter(None, complaints), None)


def right_parts(value: Any, wanted: Sequence[Any], gives: Mapping[str, str]) -> int:
    """Count the parts of a result that are of the right type and shape."""
    if not in_parts(value, gives):
        return 0
    pairs = (value, wanted[0]) if len(gives) > 1 else ((value,), wanted[:1])
    return [*map(mismatch, gives, *pairs, gives.values())].count(None)


def in_parts(value: Any, gives: Mapping[str, str]) -> bool:
    """Whether a result comes in as many parts as it has names."""
    parts = len(value) if isinstance(value, tuple | list) else 1
    return len(gives) in (1, parts)


def mismatch(name: str, got: Any, want: Any, axes: str) -> str | None:
    """Say how one part of a result differs in type or shape; None if it does not."""
    kind = f"{name} is {kind_of(got)}, expected"
    if isinstance(want, np.ndarray):
        array = np.asarray(got) if isinstance(got, int | float) else got
        if isinstance(array, np.ndarray) and array.dtype.kind not in "biuf":
            text, other = "holds text", f"is an array of {array.dtype.name}"
            kind = f"{name} {text if array.dtype.kind == 'U' else other}, expected"
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
            ragged = isinstance(got, list) * " Are its rows of unequal length?"
            return f"{kind} numbers of shape {want.shape}.{ragged}"
        named = ["B", *axes.split()][-want.ndim :]
        meaning = f" ({', '.join(named)})" if axes else ""
        wrong = f"{name} has shape {array.shape}, expected {want.shape}{meaning}."
        return wrong if array.shape != want.shape else None
    if want is None:
        return None if got is None or is_one_number(got) else f"{kind} None."
    if isinstance(want, int | float):
        due = "True or False" if isinstance(want, bool) else "one number"
        if not is_one_number(got):
            return f"{kind} {due}."
        if type(want) is int and np.asarray(got).dtype.kind == "f":
            return f"{name} is {got}, expected a whole number."
        return None
    if isinstance(want, dict) and isinstance(got, dict):
        if got.keys() != want.keys():
            return f"{name} has the keys {text_of([*got])}, expected {[*want]}."
        parts = (mismatch(f"{name}[{k!r}]", got[k], want[k], "") for k in want)
        return next(filter(None, parts), None)
    if isinstance(want, tuple | list):
        numbers = all(map(is_one_number, want))  # for texts, a law knows more
        right = isinstance(got, tuple | list) and (
            not numbers
            or all(isinstance(each, str) or is_one_number(each) for each in got)
        )
        return None if right else f"{kind} a list{' of numbers' * numbers}."
    return None if isinstance(got, type(want)) else f"{kind} {kind_of(want)}."


def error_text(error: BaseException) -> str:
    """Write an exception's kind and message, if it has one that can be read."""
    try:
        return cut(f"{type(error).__name__}: {error}".rstrip(": "), 300)
    except Exception:
        return type(error).__name__


def kind_of(value: Any) -> str:
    """Name what came: "a str", "an array of shape (3, 4)", "2 things"."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, tuple):
        return f"{len(value)} things"
    return "None" if value is None else f"a {type(value).__name__}"


def shown(values: Mapping[str, Any], whose: str = "") -> str:
    """Write inputs or results as lines of "name = value"."""
    lines = (f"{whose}{name} = {text_of(value)}" for name, value in values.items())
    return "\n".join(lines)


def text_of(value: Any) -> str:
    """Write a value shortly: arrays with three digits, large ones by their shape."""
    if isinstance(value, torch.Tensor):
        return f"{text_of(value.numpy())}  (tensor)"
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return text_of(value.item())
    if isinstance(value, np.ndarray):
        if value.size > 60:
            return f"array of shape {value.shape}"
        lines = np.array2string(
            value, precision=3, suppress_small=True, separator=", ", max_line_width=100
        )
        return lines if value.ndim < 2 else f"\n{lines}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple | list) and any(
        isinstance(v, np.ndarray | torch.Tensor) for v in value
    ):
        return ", ".join(map(text_of, value))
    try:
        text = repr(value)
    except Exception:  # of a type of the reader's
        text = kind_of(value)
    return cut(text, 400)


def cut(text: str, most: int) -> str:
    """Show no more than `most` characters."""
    return text if len(text) <= most else f"{text[:most]} ..."
