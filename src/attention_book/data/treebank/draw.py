"""Draw trees from the grammar."""

from random import Random

from .grammar import START_SYMBOL, label, rules
from .tree import Tree


def draw_tree(rng: Random) -> Tree:
    """A tree of a sentence, as the grammar makes it."""
    (tree,) = _drawn(START_SYMBOL, rng)
    assert isinstance(tree, Tree)  # the start symbol is a phrase
    return tree


def _drawn(symbol: str, rng: Random) -> tuple[str | Tree, ...]:
    """What a symbol becomes: a phrase, or a word."""
    ways = rules()[symbol]
    (rule,) = rng.choices(ways, [each.P for each in ways])
    if rule.word:
        return rule.parts
    parts = tuple(drawn for part in rule.parts for drawn in _drawn(part, rng))
    name = label(symbol)
    return (Tree(name, parts),) if name else parts
