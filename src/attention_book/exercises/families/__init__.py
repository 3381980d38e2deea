"""Mistakes that people make in many places, each written once.

A family is a function that takes what differs from place to place and gives mutants:
how a wrong helper becomes the mistaken twin of a check's reference, and which of its
mistakes can be made there, if not all.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from attention_book.exercises.mutants import Function, Mutant, source


class Mistake(NamedTuple):
    """A wrong helper, and what its author is told; may hold names to fill in."""

    name: str
    helper: Function
    says: str
    seen: str = "common"


def family(
    mistakes: Sequence[Mistake],
    twin: Callable[[Function], Callable[[Function], Function]],
    only: Sequence[str] = (),
    **names: Any,
) -> tuple[Mutant, ...]:
    """Make mutants of mistakes.

    Parameters
    ----------
    mistakes : sequence of Mistake
    twin : callable
        Of a wrong helper; gives the `twin` of a `Mutant`, as `instead` does.
    only : names of the mistakes to take; all if empty
    **names : what the sentences' placeholders stand for

    Raises
    ------
    ValueError
        If `only` names a mistake that there is not.
    """
    known = {mistake.name: mistake for mistake in mistakes}
    if unknown := {*only} - {*known}:
        raise ValueError(f"no mistake is named {sorted(unknown)}: there are {[*known]}")

    def mutant(name: str) -> Mutant:
        _, helper, says, seen = known[name]
        made = twin(helper)
        made.shown = source(helper)
        return Mutant(name, says.format(**names), twin=made, seen=seen)

    return tuple(mutant(name) for name in only or known)
