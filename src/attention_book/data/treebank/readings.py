"""All trees that the grammar gives a sentence, the likeliest first.

A chart of every stretch of words: a phrase over words i to j is made by every rule
whose parts cut the stretch into stretches of their own. Trees that share a part share
its readings, so none is built twice.

Source: [manning1999foundations], ch. 11.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from attention_book.shapes import check_count, check_filled

from .grammar import START_SYMBOL, grammar, label, words
from .tree import Tree

Parts = tuple[str | Tree, ...]


@dataclass(frozen=True)
class Reading:
    """One tree of a sentence.

    Attributes
    ----------
    tree : Tree
    P : float
        P(tree | sentence): the readings of a sentence sum to 1.
    """

    tree: Tree
    P: float


def readings(sentence: Sequence[str], most: int | None = None) -> list[Reading]:
    """Every tree of a sentence, the likeliest first.

    Parameters
    ----------
    sentence : sequence of str
        Words of the grammar.
    most : int, optional
        At most so many, the likeliest; all unless told otherwise.

    Raises
    ------
    TypeError
        If `sentence` is a single string.
    ValueError
        If it is empty, holds a word that is not in the grammar, or is no sentence of
        the grammar.
    """
    check_filled("sentence", sentence, "word")
    if most is not None:
        check_count("most", most)
    known = set(words())
    for place, word in enumerate(sentence):
        if word not in known:
            raise ValueError(f"sentence[{place}] is {word!r}, no word of the grammar")
    found = list(_ways(tuple(sentence)))
    if not found:
        raise ValueError(
            f"the grammar makes no tree of {' '.join(sentence)!r}: expected a sentence"
        )
    total = math.fsum(P for _, P in found)
    found.sort(key=lambda way: -way[1])
    return [Reading(tree, P / total) for tree, P in found[:most]]


def _ways(sentence: tuple[str, ...]) -> Iterator[tuple[Tree, float]]:
    """Trees of a sentence with the product of their rules' probabilities."""

    @cache
    def made(symbol: str, i: int, j: int) -> tuple[tuple[Parts, float], ...]:
        """Ways to make a symbol of words i to j."""
        name, ways = label(symbol), []
        for rule in grammar()[symbol]:
            if rule.word:
                found = [(rule.parts, 1.0)] * (rule.parts == sentence[i:j])
            else:
                found = list(filled(rule.parts, i, j))
            for parts, P in found:
                whole = (Tree(name, parts),) if name else parts
                ways.append((whole, P * rule.P))
        return tuple(ways)

    @cache
    def filled(symbols: tuple[str, ...], i: int, j: int):
        """Ways to fill words i to j with some symbols, each at least one word long."""
        first, *rest = symbols
        if not rest:
            return made(first, i, j)
        return tuple(
            (left + right, P_left * P_right)
            for k in range(i + 1, j - len(rest) + 1)
            for (left, P_left), (right, P_right) in product(
                made(first, i, k), filled(tuple(rest), k, j)
            )
        )

    for (tree,), P in made(START_SYMBOL, 0, len(sentence)):
        yield tree, P
