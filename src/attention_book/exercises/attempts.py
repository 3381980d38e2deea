"""Attempts that are another function with a few words changed."""

import inspect
import linecache
import sys
from collections.abc import Callable
from textwrap import dedent
from typing import Any


def edited(function: Callable[..., Any], old: str, new: str) -> Callable[..., Any]:
    """Change a function's text; `old` must stand in it exactly once."""
    names = dict(vars(sys.modules[function.__module__]))
    text = dedent(inspect.getsource(function))
    if text.count(old) != 1:
        raise ValueError(
            f"{old!r} stands {text.count(old)} times in {function.__name__}, "
            "expected once"
        )
    text, file = text.replace(old, new), f"<{function.__name__} with {new}>"
    # checks read the line that failed
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), names)
    return names[function.__name__]
