"""An example of a sequence-to-sequence task: source, target, and which words match."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence, its target, and the gold alignment.

    Attributes
    ----------
    source, target : tuple of str
        The words, N_X and N_Y of them, without specials.
    alignment : frozenset of (int, int)
        Links (i, j): source word i and target word j stand for the same thing.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: frozenset[tuple[int, int]]
