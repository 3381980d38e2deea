"""The programs of the "Find the bug" exercises, each a worked solution changed into a
mistake of the bug zoo.

The reader's copy stands in the chapter, in the cell with the id `bug`; a test holds the
two together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from attention_book import parts
from attention_book.exercises.mutants import Mutant


@dataclass(frozen=True)
class Hunt:
    """A bug to find: the function as it should be, and the change that spoils it."""

    repaired: Callable[..., Any]
    bug: Mutant

    @property
    def broken(self) -> Callable[..., Any]:
        """The program that the reader is given."""
        return self.bug.of(self.repaired)


def hunts() -> dict[str, Hunt]:
    """Every chapter's hunt, by the name of its package."""
    found = parts.modules("bug")
    return parts.unique("hunts", ((stem, m.HUNT, m.__name__) for stem, m in found))
