"""A treebank: sentences of the grammar with the trees they were drawn as.

A sentence belongs to training, validation or test by a checksum of its words, so no
tree of a test sentence is ever trained on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from zlib import crc32

from attention_book.data.pairs import Pair
from attention_book.data.vocabulary import Vocabulary
from attention_book.shapes import check_count, check_type
from attention_book.trees import CLOSE, OPEN

from .grammar import START_SYMBOL, label, rules, words
from .tree import Tree

LONGEST = 30  # words: about one drawn sentence in twenty is longer, and left out
BUCKETS = ((2, 5), (6, 10), (11, 15), (16, 20), (21, 25), (26, LONGEST))
MOST = 500  # of a bucket: the test has 640 sentences of the shortest, some very rare
N_PARTS = 10  # of sentences: one for the test, one for validation, eight for training
TEST, VALIDATION, TRAIN = "test", "validation", "train"


@dataclass(frozen=True)
class Treebank:
    """Trees, each part as the grammar draws them; no sentence stands in two."""

    train: tuple[Tree, ...]
    validation: tuple[Tree, ...]
    test: tuple[Tree, ...]
    # further ones of the test part, as many of each length of `BUCKETS`
    by_length: dict[tuple[int, int], tuple[Tree, ...]]


def treebank(
    seed: int = 7, *, N_train: int = 20_000, N_test: int = 500, per_bucket: int = 100
) -> Treebank:
    """Draw a treebank.

    Parameters
    ----------
    N_train, N_test : int
        How many trees for training, and for the test and validation each.
    per_bucket : int
        How many test trees of each length, at most 500.
    """
    check_type("seed", seed, int)
    check_count("N_train", N_train, 0)
    check_count("N_test", N_test, 0)
    check_count("per_bucket", per_bucket, 0, MOST)
    validation, test = (tuple(_some(name, N_test, seed)) for name in (VALIDATION, TEST))
    return Treebank(
        train=tuple(_some(TRAIN, N_train, seed)),
        validation=validation,
        test=test,
        by_length=_in_buckets(per_bucket, seed),
    )


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


def _in_buckets(per_bucket: int, seed: int) -> dict[tuple[int, int], tuple[Tree, ...]]:
    """Test trees, so many of each length, no sentence twice."""
    found: dict[tuple[int, int], dict[tuple[str, ...], Tree]] = {b: {} for b in BUCKETS}
    missing = per_bucket * len(BUCKETS)
    stream = _trees(TEST, f"{seed} {TEST} by length") if missing else iter(())
    for tree in stream:
        N = len(tree.words)
        (bucket,) = (some for (low, high), some in found.items() if low <= N <= high)
        if len(bucket) < per_bucket and tree.words not in bucket:
            bucket[tree.words] = tree
            missing -= 1
        if not missing:
            break
    return {bounds: tuple(some.values()) for bounds, some in found.items()}


def part(tree: Tree) -> str:
    """Which part a tree's sentence belongs to."""
    place = crc32(" ".join(tree.words).encode()) % N_PARTS
    return {0: TEST, 1: VALIDATION}.get(place, TRAIN)


def _trees(name: str, seed: str) -> Iterator[Tree]:
    """Trees of one part, without end."""
    rng = Random(seed)
    while True:
        tree = draw_tree(rng)
        if len(tree.words) <= LONGEST and part(tree) == name:
            yield tree


def _some(name: str, N: int, seed: int) -> Iterator[Tree]:
    return islice(_trees(name, f"{seed} {name}"), N)


def tree_pair(tree: Tree) -> Pair:
    """A sentence, and the flat sequence of brackets and words that is its tree."""
    return Pair(tree.words, tree.bracketed)


def tree_vocabularies() -> dict[str, Vocabulary]:
    """The words of the sentences, "source", and those and the brackets, "target"."""
    labels = dict.fromkeys(filter(None, map(label, rules())))
    brackets = [*(OPEN + name for name in labels), CLOSE]
    return {
        "source": Vocabulary(words()),
        "target": Vocabulary([*brackets, *words()]),
    }
