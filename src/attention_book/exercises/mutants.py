"""A mutant: our own function changed into a mistake that people really make.

Mostly a line or two are changed (`Change`), so that a mistake stays one when the code
it starts from is rewritten: a change that no longer fits is an error. Where that would
be a contortion, a `twin` makes the mistaken function: by `swap`, one function that the
original calls is another; by `instead`, it is written out.
"""

import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from textwrap import dedent, indent
from typing import Any, NamedTuple

Function = Callable[..., Any]
COMMENT = r"(?: *# .*)?"
NEXT_LINE = rf"{COMMENT}\n(?:{COMMENT}\n)* *"  # after comments and blank lines


class Change(NamedTuple):
    """Whole old lines, the new ones in their place, and where this is written down."""

    old: str
    new: str = ""
    place: str = "a change"

    @property
    def shown(self) -> str:
        """The lines, marked with - and +."""
        old, new = indent(self.old, "- "), indent(self.new, "+ ")
        return f"{old}\n{new}" if new else old


@dataclass(frozen=True)
class Mutant:
    """A known mistake.

    Attributes
    ----------
    name : str
        What goes wrong, in a few words.
    says : str
        What a reader who wrote this is told: what is wrong, and where to look.
    changes : tuple of Change
        Each `old` must stand exactly once in the original, or else in its module.
    twin : callable, optional
        In place of changes: makes the mistaken function from the original.
    seen : str
        Where it was met: issues or code of public repositories, or "common".
    """

    name: str
    says: str
    changes: tuple[Change, ...] = ()
    twin: Callable[[Function], Function] | None = None
    seen: str = "common"

    def of(self, original: Function) -> Function:
        """Make the mistaken twin of a function."""
        return self.twin(original) if self.twin else _mutated(original, self.changes)

    @property
    def shown(self) -> str:
        """The changed lines, or the source of what takes their place."""
        if self.twin:
            return getattr(self.twin, "shown", "")
        return "\n".join(change.shown for change in self.changes)


def swap(**helpers: Function) -> Callable[[Function], Function]:
    """Make a twin that calls `helpers` where the original calls functions so named."""

    def twin(original: Function) -> Function:
        return _mutated(original, (), tuple(helpers.items()))

    twin.shown = "\n\n".join(map(source, helpers.values()))
    return twin


def instead(function: Function) -> Callable[[Function], Function]:
    """Make a twin that is this function, whatever the original is."""

    def twin(original: Function) -> Function:
        return function

    twin.shown = source(function)
    return twin


def source(function: Function) -> str:
    """Read a function's text, or what was changed to make it."""
    return (
        getattr(function, "shown", "") or dedent(inspect.getsource(function)).rstrip()
    )


def changed(text: str, changes: Iterable[Change], own: str = "") -> str:
    """Put changes into the text of a module; comments and indentation are free.

    Parameters
    ----------
    text : str
    changes : iterable of Change
    own : str
        The part of the text that is meant, where lines stand in others as well.
    """
    first = text.index(own)
    spots = []
    for change in changes:
        lines = (re.escape(line.strip()) for line in change.old.split("\n"))
        old = re.compile(f"^( *){NEXT_LINE.join(lines)}{COMMENT}$", re.M)
        found = [*old.finditer(text, first, first + len(own))] or [*old.finditer(text)]
        if len(found) != 1:
            raise ValueError(
                f"{change.place}: {change.old!r} stands {len(found)} times in the text "
                "of the module, expected once (whole lines, without comments)"
            )
        spots.append((found[0], change.new))
    for spot, new in sorted(spots, key=lambda each: each[0].start(), reverse=True):
        text = text[: spot.start()] + indent(new, spot[1]) + text[spot.end() :]
    return text


@cache
def _mutated(original, changes, helpers=()):
    module = sys.modules[original.__module__]
    text = changed(inspect.getsource(module), changes, inspect.getsource(original))
    twin = types.ModuleType(module.__name__)
    twin.__file__ = module.__file__
    exec(compile(text, f"<mutant of {module.__name__}>", "exec"), twin.__dict__)
    vars(twin).update(helpers)
    made = getattr(twin, original.__name__)
    parts = [change.shown for change in changes]
    made.shown = "\n\n".join(parts + [source(helper) for _, helper in helpers])
    return made
