"""A treebank drawn from a probabilistic grammar: sentences, their gold trees, and every
other way to read them.
"""

from .corpus import (
    BUCKETS,
    Treebank,
    draw_tree,
    tree_pair,
    tree_vocabularies,
    treebank,
)
from .grammar import Rule, rules, words
from .readings import Reading, readings
from .tree import Tree, tree_of, tree_over

__all__ = [
    "BUCKETS",
    "Reading",
    "Rule",
    "Tree",
    "Treebank",
    "draw_tree",
    "readings",
    "rules",
    "tree_of",
    "tree_over",
    "tree_pair",
    "tree_vocabularies",
    "treebank",
    "words",
]
