"""A mutant: our own code with a line or two changed into a mistake that people really
make.

Kept as a change and not as a second copy, so that it stays one when the code it starts
from is rewritten: a change that no longer fits is an error.
"""

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Mutant:
    """A known mistake.

    Attributes
    ----------
    name : str
        What goes wrong, in a few words.
    changes : tuple of (old, new)
        Text of the module that holds the original; each `old` must stand there exactly
        once.
    says : str
        What a reader who wrote this is told: what is wrong, and where to look.
    seen : str
        Where it was met: issues of public repositories, or "common".
    """

    name: str
    changes: tuple[tuple[str, str], ...]
    says: str
    seen: str = "common"

    def of(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Make the mistaken twin of a function.

        Raises
        ------
        ValueError
            If the text to change does not stand in the original's module exactly once.
        """
        return _mutated(original, self.changes)


@cache
def _mutated(
    original: Callable[..., Any], changes: tuple[tuple[str, str], ...]
) -> Callable[..., Any]:
    module = sys.modules[original.__module__]
    text = inspect.getsource(module)
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(
                f"{old!r} stands {text.count(old)} times in {module.__name__}, "
                "expected once"
            )
        text = text.replace(old, new)
    twin = types.ModuleType(module.__name__)
    twin.__file__ = module.__file__
    exec(compile(text, f"<mutant of {module.__name__}>", "exec"), twin.__dict__)
    return getattr(twin, original.__name__)
