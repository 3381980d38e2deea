"""Run a reader's function the way one runs code one does not trust.

On copies, for a limited time, in its own thread. Whatever happens comes back as a
value: `Returned`, `Raised` or `Stopped`. A thread, because it can be left behind: a
signal would only reach the main thread, and another process cannot be sent a function
that was typed into a notebook.
"""

import ctypes
import inspect
import sys
import sysconfig
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from attention_book.exercises.results import as_arrays, same
from attention_book.exercises.time_limit import TimeLimit

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
    """The time was up: why, the line it was in, and what it was given."""

    reason: str
    where: str
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Refused:
    """An exception that a check asked for."""


Outcome = Returned | Raised | Stopped | Refused


def call(
    function: Callable[..., Any], inputs: Mapping[str, Any], time_limit: TimeLimit
) -> Outcome:
    """Call `function` on copies of `inputs`, by position, and say how it ended.

    A loop that is written in Python is ended when its time is up. One that runs inside
    a single call of a library cannot be ended from within Python: it is left behind in
    its thread if it lets others run, and waited for if it does not.
    """
    given, clock, ended = deepcopy(dict(inputs)), [], []
    inside, inspecting = [function], threading.Lock()

    def run() -> None:
        clock.append(time_limit.clock())
        with suppress(SystemExit):  # `_end` may come late
            try:
                value = function(*given.values())
                inside.clear()
                changed = (n for n in given if _differs(given[n], inputs[n]))
                outcome = Returned(as_arrays(value), frozenset(changed))
            except BaseException as error:  # also a reader's `exit()`
                inside.clear()
                frames = traceback.extract_tb(error.__traceback__)
                outcome = Raised(error, _line_of(function, frames), inputs)
            with inspecting:
                ended.append(outcome)

    thread, began = threading.Thread(target=run, daemon=True), time_limit.now()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an overflow is told by its result
        thread.start()
        while True:
            thread.join(POLL)
            with inspecting:  # a thread that has ended has no clock and no frame
                if ended:
                    return ended[0]
                reason = time_limit.over(began, clock[0]() if clock else 0.0)
                frame = sys._current_frames()[thread.ident]
            if reason:
                where = _line_of(function, traceback.extract_stack(frame))
                _end(thread, inside)
                return Stopped(reason, where, inputs)


def _differs(now: Any, then: Any) -> bool:
    if callable(then):
        return False
    tracked = (getattr(each, "requires_grad", False) for each in (now, then))
    return len({*tracked}) > 1 or not same(as_arrays(now), as_arrays(then))


def _end(thread: threading.Thread, inside: list[Any]) -> None:
    """Raise SystemExit in a thread for as long as it is inside the reader's function.

    A bare `except:` catches it, unless it arrives between two rounds of the loop: so
    often, and at many moments. Threads take turns more often meanwhile, as it arrives
    when the thread's turn begins. After a second the thread is left behind.
    """
    until, interval = time.monotonic() + 1, sys.getswitchinterval()
    sys.setswitchinterval(interval / 100)
    try:
        while inside and thread.is_alive() and time.monotonic() < until:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
            )
            thread.join(interval / 50)
    finally:
        sys.setswitchinterval(interval)


def _line_of(function: Callable[..., Any], frames: traceback.StackSummary) -> str:
    """Find the last line of the reader's own file or cell among the frames."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code and code.co_filename.startswith(sysconfig.get_path("purelib")):
        return ""  # a library's own
    own = [frame for frame in frames if code and frame.filename == code.co_filename]
    return f"line {own[-1].lineno}: {own[-1].line}" if own else ""
