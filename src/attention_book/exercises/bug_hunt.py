"""The program of a "Find the bug" exercise: a worked solution with a known mistake.

The reader's copy stands in the chapter, in the cell with the id `bug`; a test holds the
two together.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from attention_book.exercises.mutants import Mutant


class BugHunt(NamedTuple):
    """A bug to find: the function as it should be, and the change that spoils it."""

    repaired: Callable[..., Any]
    bug: Mutant

    @property
    def broken(self) -> Callable[..., Any]:
        """The program that the reader is given."""
        return self.bug.of(self.repaired)
