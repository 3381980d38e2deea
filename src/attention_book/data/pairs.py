"""An example of a sequence-to-sequence task: source, target, and which words match."""

from collections.abc import Sequence
from dataclasses import dataclass

from attention_book.shapes import check_filled, check_type


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence, its target, and the gold alignment where it is known.

    Links (i, j): source word i and target word j stand for the same thing.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: frozenset[tuple[int, int]] = frozenset()


def check_pairs(name: str, pairs: Sequence[Pair]) -> None:
    """Raise ValueError if there is no pair, TypeError if one is something else."""
    check_filled(name, pairs, "pair")
    for i, pair in enumerate(pairs):
        check_type(f"{name}[{i}]", pair, Pair)
