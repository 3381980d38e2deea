"""All trees that the grammar gives a sentence, the likeliest first.

A chart of every stretch of words: a phrase over words i to j is made by every rule
whose parts cut the stretch into stretches of their own. Trees that share a part share
its readings, so none is built twice.

Source: [manning1999foundations], ch. 11.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from attention_book.shapes import check_count, check_filled

from .grammar import START_SYMBOL, label, rules, words
from .tree import Tree

Way = tuple[tuple[str | Tree, ...], float]  # what it is made of, and P of its rules
Ways = tuple[list[Way], float]  # the likeliest, and P of all together


@dataclass(frozen=True)
class Reading:
    """One tree of a sentence."""

    tree: Tree
    P: float  # P(tree | sentence): the readings of a sentence sum to 1


def readings(sentence: Sequence[str], most: int | None = None) -> list[Reading]:
    """Every tree of a sentence, the likeliest first.

    Every phrase that may belong to several others multiplies them: with *in the garden*
    thirteen times in a row they are more than a million. `most` keeps the search short.

    """
    check_filled("sentence", sentence, "word")
    if most is not None:
        check_count("most", most)
    known = set(words())
    for place, word in enumerate(sentence):
        if word not in known:
            raise ValueError(f"sentence[{place}] is {word!r}, no word of the grammar")
    ways, total = _ways(tuple(sentence), most)
    if not ways:
        raise ValueError(
            f"the grammar makes no tree of {' '.join(sentence)!r}: expected a sentence"
        )
    trees = [(part, P) for (part,), P in ways if isinstance(part, Tree)]
    return [Reading(tree, P / total) for tree, P in trees]


def _ways(sentence: tuple[str, ...], most: int | None) -> Ways:
    """The likeliest trees of a sentence, and P of all its trees together."""

    @cache
    def made(symbol: str, i: int, j: int) -> Ways:
        """Ways to make a symbol of words i to j."""
        name, total = label(symbol), 0.0
        found: list[Way] = []
        for rule in rules()[symbol]:
            if rule.word:
                said: list[Way] = [(rule.parts, 1.0)] * (rule.parts == sentence[i:j])
                ways, P_all = said, float(len(said))
            else:
                ways, P_all = filled(rule.parts, i, j)
            total += P_all * rule.P
            for parts, P in ways:
                found.append(((Tree(name, parts),) if name else parts, P * rule.P))
        return likeliest(found), total

    @cache
    def filled(symbols: tuple[str, ...], i: int, j: int) -> Ways:
        """Ways to fill words i to j with some symbols, each at least one word long."""
        first, *rest = symbols
        if not rest:
            return made(first, i, j)
        found, total = [], 0.0
        for k in range(i + 1, j - len(rest) + 1):
            left, P_left = made(first, i, k)
            if not left:
                continue
            right, P_right = filled(tuple(rest), k, j)
            total += P_left * P_right
            found += [(a + b, P * Q) for (a, P), (b, Q) in product(left, right)]
        return likeliest(found), total

    def likeliest(ways: list[Way]) -> list[Way]:
        """What is not among a part's likeliest is in none of the whole's."""
        return sorted(ways, key=lambda way: -way[1])[:most]

    return made(START_SYMBOL, 0, len(sentence))
