"""A mutant: our own function changed into a mistake that people really make.

Mostly a line or two are changed (`Change`), so that a mistake stays one when the code
it starts from is rewritten: a change that no longer fits is an error. Where that would
be a contortion, a `twin` makes the mistaken function: by `swap`, one function that the
original calls is another; by `instead`, it is written out.
"""

import inspect
import io
import sys
import tokenize
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from textwrap import dedent, indent
from typing import Any

Function = Callable[..., Any]


@dataclass(frozen=True)
class Change:
    """Whole lines, and what stands in their place; comments and indentation are free.

    Attributes
    ----------
    old, new : str
        Lines of the original; those that replace them, none if empty.
    place : str
        Where the change is written down, for messages.
    """

    old: str
    new: str = ""
    place: str = ""

    @property
    def shown(self) -> str:
        """The lines, marked with - and +."""
        old = [f"- {line}" for line in self.old.split("\n")]
        return "\n".join(
            old + [f"+ {line}" for line in self.new.split("\n") if self.new]
        )


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
        """Make the mistaken twin of a function.

        Raises
        ------
        ValueError
            If the lines to change do not stand in the original's module exactly once.
        """
        return self.twin(original) if self.twin else _mutated(original, self.changes)

    @property
    def shown(self) -> str:
        """The changed lines, or the source of what takes their place."""
        if self.twin is None:
            return "\n".join(change.shown for change in self.changes)
        return getattr(self.twin, "shown", "")


def swap(**helpers: Function) -> Callable[[Function], Function]:
    """Make a twin that calls `helpers` where the original calls functions so named."""

    def twin(original: Function) -> Function:
        return _mutated(original, (), tuple(helpers.items()))

    twin.shown = "\n\n".join(source(helper) for helper in helpers.values())
    return twin


def instead(function: Function) -> Callable[[Function], Function]:
    """Make a twin that is this function, whatever the original is."""

    def twin(original: Function) -> Function:
        return function

    twin.shown = source(function)
    return twin


def source(function: Function) -> str:
    """Read a function's text."""
    return dedent(inspect.getsource(function)).rstrip()


def changed(
    text: str,
    changes: Iterable[Change],
    *,
    name: str = "the text",
    within: tuple[int, int] = (0, 0),
) -> str:
    """Put changes into the text of a module.

    Parameters
    ----------
    text : str
    changes : iterable of Change
    name : str
        Of the module, for the message.
    within : (first, last)
        Lines of the text, from 1, where the old ones stand: it does not matter whether
        they stand elsewhere, too. Only if they do not stand here are they looked for
        everywhere.

    Raises
    ------
    ValueError
        If the old lines of a change stand there more than once or not at all.
    """
    code, lines = _code(text), text.split("\n")
    spots = [(_spot(code, change, name, within), change) for change in changes]
    for (first, last), change in sorted(spots, key=lambda spot: spot[0], reverse=True):
        margin = len(lines[first - 1]) - len(lines[first - 1].lstrip())
        new = indent(change.new, " " * margin).split("\n") if change.new else []
        lines[first - 1 : last] = new
    return "\n".join(lines)


def _spot(code, change, name, within):
    """Find the first and the last of the old lines of a change."""
    old = [line.strip() for line in change.old.split("\n")]
    blocks = (code[i : i + len(old)] for i in range(len(code) - len(old) + 1))
    spots = [(b[0][0], b[-1][0]) for b in blocks if [line for _, line in b] == old]
    spots = [spot for spot in spots if within[0] <= spot[0] <= within[1]] or spots
    if len(spots) != 1:
        raise ValueError(
            f"{change.place}{change.old!r} stands {len(spots)} times in {name}, "
            "expected once (whole lines, without comments)"
        )
    return spots[0]


@cache
def _code(text: str) -> list[tuple[int, str]]:
    """Number the lines of a module, without blank ones, comments and indentation."""
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return [(k, line.strip()) for k, line in enumerate(lines, 1) if line.strip()]


@cache
def _mutated(original, changes, helpers=()):
    module = sys.modules[original.__module__]
    own, first = inspect.getsourcelines(original)
    text = changed(
        inspect.getsource(module),
        changes,
        name=module.__name__,
        within=(first, first + len(own) - 1),
    )
    twin = types.ModuleType(module.__name__)
    twin.__file__ = module.__file__
    exec(compile(text, f"<mutant of {module.__name__}>", "exec"), twin.__dict__)
    vars(twin).update(helpers)
    return getattr(twin, original.__name__)
