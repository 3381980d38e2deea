"""Draw trees from the grammar."""

from random import Random

from .grammar import START_SYMBOL, label, rules
from .tree import Tree


def draw_tree(rng: Random) -> Tree:
    """A tree of a sentence, as the grammar makes it."""
    return Tree(label(START_SYMBOL), _parts(START_SYMBOL, rng))


def _parts(symbol: str, rng: Random) -> tuple[str | Tree, ...]:
    """What a symbol is made of: words and phrases."""
    ways = rules()[symbol]
    (rule,) = rng.choices(ways, [each.P for each in ways])
    if rule.word:
        return rule.parts
    found: list[str | Tree] = []
    for part in rule.parts:
        below, name = _parts(part, rng), label(part)
        found += [Tree(name, below)] if name else below
    return tuple(found)
