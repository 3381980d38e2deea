"""Run a reader's function the way one runs code one does not trust.

On copies, for a limited time, in its own thread. Whatever happens comes back as a
value: `Returned`, `Raised` or `Stopped`. A thread, because it can be left behind: a
signal would only reach the main thread, and another process cannot be sent a function
that was typed into a notebook.
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

from attention_book.exercises.patience import Patience
from attention_book.exercises.results import as_arrays, same

POLL = 0.02  # seconds between two looks at the clock


@dataclass(frozen=True)
class Returned:
    """A result, tensors as arrays, and the names of the arguments written into."""

    value: Any
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Raised:
    """An exception, the line of the function's own code, and what it was given."""

    error: BaseException
    where: str
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Stopped:
    """Patience was over: the line it was in, what it was given, and `Patience.over`."""

    where: str
    inputs: Mapping[str, Any]
    reason: str


Outcome = Returned | Raised | Stopped


class _TimeIsUp(BaseException):
    """No Exception, so that `except Exception` in a reader's loop does not take it."""


def call(
    function: Callable[..., Any], inputs: Mapping[str, Any], patience: Patience
) -> Outcome:
    """Call `function` on copies of `inputs`, by position, and say how it ended.

    A loop that is written in Python is ended when patience is. One that runs inside a
    single call of a library cannot be ended from within Python: it is left behind in
    its thread if it lets others run, and waited for if it does not.
    """
    given, result, inside = deepcopy(dict(inputs)), [], [function]
    clock = []

    def run() -> None:
        clock.append(patience.clock())
        with suppress(_TimeIsUp):  # after `_end` nobody waits for a result
            try:
                value = function(*given.values())
                inside.clear()
                result.append(value)
            except BaseException as error:  # also a reader's `exit()`
                inside.clear()
                if not isinstance(error, _TimeIsUp):
                    frames = traceback.extract_tb(error.__traceback__)
                    result.append(Raised(error, _line_of(function, frames), inputs))
            patience.computed += clock[0]()

    thread = threading.Thread(target=run, daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an overflow is told by its result
        thread.start()
        if reason := _wait(thread, clock, patience):
            frame = sys._current_frames().get(thread.ident)
            where = _line_of(function, traceback.extract_stack(frame)) if frame else ""
            _end(thread, inside)
            return Stopped(where, inputs, reason)
    (value,) = result
    if isinstance(value, Raised):
        return value
    arrays = ((name, as_arrays(given[name]), as_arrays(inputs[name])) for name in given)
    changed = (n for n, now, then in arrays if not (callable(then) or same(now, then)))
    return Returned(as_arrays(value), frozenset(changed))


def _wait(thread: threading.Thread, clock: list[Any], patience: Patience) -> str:
    """Wait until a thread ends or patience does; give the reason why it did."""
    while True:
        thread.join(POLL)
        if not thread.is_alive():
            return ""
        if reason := patience.over(clock[0]() if clock else 0.0):
            return reason


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
