"""Mistakes that people make in many places, each written once.

A family takes what differs from place to place: how a wrong helper becomes the mistaken
twin of a check's reference, and which of its mistakes can be made there, if not all.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from attention_book.exercises.mutants import Function, Mutant, source


class Mistake(NamedTuple):
    """A wrong helper, and what its author is told."""

    name: str
    helper: Function
    says: str
    seen: str = "common"


def family(
    mistakes: Sequence[Mistake],
    twin: Callable[[Function], Callable[[Function], Function]],
    only: Sequence[str] = (),
) -> tuple[Mutant, ...]:
    """Make mutants of mistakes.

    Parameters
    ----------
    mistakes : sequence of Mistake
    twin : of a wrong helper; gives the `twin` of a `Mutant`, as `instead` does
    only : names of the mistakes to take; all if empty
    """
    known = {mistake.name: mistake for mistake in mistakes}
    if unknown := {*only} - {*known}:
        raise ValueError(f"no mistake is named {sorted(unknown)}: there are {[*known]}")

    def mutant(name: str) -> Mutant:
        _, helper, says, seen = known[name]
        made = twin(helper)
        made.shown = source(helper)
        return Mutant(name, says, twin=made, seen=seen)

    return tuple(mutant(name) for name in only or known)
