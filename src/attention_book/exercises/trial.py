"""Run a reader's function the way one runs code one does not trust: on copies, against
the clock, in its own thread.

Whatever happens comes back as a value: `Returned`, `Raised` or `Stopped`. A thread,
because it can be left behind: a signal would only reach the main thread, and another
process cannot be sent a function that was typed into a notebook.
"""

import ctypes
import inspect
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass(frozen=True)
class Returned:
    """What the function returned, tensors as arrays, and the names of the arguments it wrote into."""

    value: Any
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Raised:
    """The exception the function ended with, the line of its own code where that happened, and what it was given."""

    error: BaseException
    where: str
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Stopped:
    """The function was still running when time was up: the line it was in, and what it was given."""

    where: str
    inputs: Mapping[str, Any]


Outcome = Returned | Raised | Stopped


class _TimeIsUp(BaseException):
    """Not an Exception, so that `except Exception` in a reader's loop does not swallow it."""


def call(
    function: Callable[..., Any], inputs: Mapping[str, Any], *, seconds: float
) -> Outcome:
    """Call `function` on copies of `inputs`, by position, and say how it ended.

    A loop that is written in Python is ended when `seconds` are over. One that runs
    inside a single call of a library cannot be ended from within Python: it is left
    behind in its thread if it lets others run, and waited for if it does not.
    """
    given, result, inside = deepcopy(dict(inputs)), [], [function]

    def run() -> None:
        with suppress(_TimeIsUp):  # after `_end` nobody waits for a result
            try:
                value = function(*given.values())
                inside.clear()
                result.append(value)
            except BaseException as error:  # also SystemExit: a reader's `exit()` must not end the notebook
                inside.clear()
                if not isinstance(error, _TimeIsUp):
                    where = _line_of(
                        function, traceback.extract_tb(error.__traceback__)
                    )
                    result.append(Raised(error, where, inputs))

    thread = threading.Thread(target=run, daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an overflow is told by its result
        thread.start()
        thread.join(seconds)
        if thread.is_alive():
            frame = sys._current_frames().get(thread.ident)
            where = _line_of(function, traceback.extract_stack(frame)) if frame else ""
            _end(thread, inside)
            return Stopped(where, inputs)
    (value,) = result
    if isinstance(value, Raised):
        return value
    kept = [
        name
        for name, old in inputs.items()
        if callable(old) or same(as_arrays(given[name]), as_arrays(old))
    ]
    changed = frozenset(inputs) - frozenset(
        kept
    )  # a function has nothing to write into
    return Returned(as_arrays(value), changed)


def _end(thread: threading.Thread, inside: list[Any], patience: float = 1.0) -> None:
    """Raise `_TimeIsUp` in a thread for as long as it is inside the reader's function.

    A bare `except:` catches it, unless it arrives between two rounds of the loop: so
    often, and at many moments. Threads take turns more often meanwhile, as it arrives
    when the thread's turn begins.
    """
    until, interval = time.monotonic() + patience, sys.getswitchinterval()
    sys.setswitchinterval(interval / 100)
    try:
        while inside and thread.is_alive() and time.monotonic() < until:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident), ctypes.py_object(_TimeIsUp)
            )
            thread.join(interval / 50)
    finally:
        sys.setswitchinterval(interval)


def _line_of(function: Callable[..., Any], frames: traceback.StackSummary) -> str:
    """Find the last line of the reader's own file or cell among the frames."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    own = [frame for frame in frames if code and frame.filename == code.co_filename]
    return f"line {own[-1].lineno}: {own[-1].line}" if own else ""


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
