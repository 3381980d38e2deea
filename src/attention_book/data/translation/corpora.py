"""Corpora: pairs to learn from, and unseen ones, by length, to test on.

*What is kept apart.* Which side a sentence is on is a property of the sentence: a
stable hash (crc32) of its `signature`, which is the same for all sentences that some
language writes alike. One in eight is a test sentence. So no test sentence can be in
the training part of any corpus, whatever its seed, size or direction.

*What is held out.* One in ten of the lexicon's adjective-noun pairs, again by hash,
with *european* and *economic* *area*. Sentences with such a pair are never trained on;
they are `held_out`.

*How long ones are found.* By drawing: a draw that fits no bucket which still has room
is thrown away. Within a bucket training and test sentences have the same distribution,
but for what is held out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from zlib import crc32

from attention_book.shapes import check_count

from ..pairs import Pair
from ..vocabulary import Vocabulary
from .draw import draw
from .forms import vocabulary
from .lexicon import lexicon
from .triple import Triple, check_language

# source words, the shortest and the longest
BUCKETS = ((3, 6), *((low, low + 2) for low in range(7, 23, 3)))
TEST_IN = 8
HELD_OUT_IN = 10
ALWAYS_HELD_OUT = {("european", "area"), ("economic", "area")}
MAX_IDLE_DRAWS = 20_000  # draws in a row that bring nothing new: hardly any is left

Buckets = dict[tuple[int, int], tuple[Pair, ...]]


@dataclass(frozen=True)
class Corpus:
    """Sentence pairs in two languages."""

    train: tuple[Pair, ...]  # distinct source sentences
    test: Buckets  # unseen ones, by number of source words
    held_out: Buckets  # and with a pair of words that was never seen together
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary


@cache
def held_out_pairs(variant: str = "lite") -> frozenset[tuple[str, str]]:
    """The (adjective, noun) pairs, in English, that no training sentence has."""
    pairs = {
        (a.en, noun.en[0])
        for noun in lexicon(variant).nouns.values()
        for a in noun.adjectives
    }
    hashed = {
        pair for pair in pairs if crc32("|".join(pair).encode()) % HELD_OUT_IN == 0
    }
    return frozenset(hashed | ALWAYS_HELD_OUT)


def part(triple: Triple, variant: str = "lite") -> str:
    """Where a sentence belongs: "train", "test" or "held_out"."""
    if not held_out_pairs(variant).isdisjoint(triple.tree.adjective_noun_pairs()):
        return "held_out"
    return "test" if crc32(triple.signature.encode()) % TEST_IN == 0 else "train"


def _pair(triple: Triple, source: str, target: str) -> Pair:
    return Pair(
        triple.tokens(source), triple.tokens(target), triple.alignment(source, target)
    )


def take(
    N: int, variant: str, seed: str, is_new: Callable[[Triple], bool], what: str
) -> None:
    """Draw sentences until N were new, which `is_new` tells of each, and keeps it.

    If there are hardly as many, `what` is how the reader asked for them.
    """
    rng, words = Random(seed), lexicon(variant)
    missing, idle = N, 0
    while missing:
        if is_new(Triple(draw(rng, words), words)):
            missing, idle = missing - 1, 0
        elif (idle := idle + 1) == MAX_IDLE_DRAWS:
            raise ValueError(
                f"{what}, expected less: after {N - missing} of {N} sentences "
                f"{MAX_IDLE_DRAWS} draws brought no new one"
            )


def _train(
    variant: str, seed: int, N: int, max_words: int, source: str, target: str
) -> tuple[Pair, ...]:
    """The first N training sentences drawn that are short enough and new."""
    found: dict[tuple[str, ...], Pair] = {}

    def is_new(triple: Triple) -> bool:
        words = triple.tokens(source)
        if part(triple, variant) != "train" or len(words) > max_words or words in found:
            return False
        found[words] = _pair(triple, source, target)
        return True

    what = f"N_train is {N} with max_words {max_words}"
    take(N, variant, f"train {seed}", is_new, what)
    return tuple(found.values())


def _bucket(length: int) -> tuple[int, int] | None:
    return next(((low, high) for low, high in BUCKETS if low <= length <= high), None)


def _unseen(
    variant: str, seed: int, per_bucket: int, source: str, target: str
) -> tuple[Buckets, Buckets]:
    """Distinct test and held-out sentences, `per_bucket` for each length."""
    found: dict[str, dict[tuple[int, int], dict[tuple[str, ...], Pair]]]
    found = {side: {bucket: {} for bucket in BUCKETS} for side in ("test", "held_out")}

    def is_new(triple: Triple) -> bool:
        side = part(triple, variant)
        words = triple.tokens(source)
        bucket = _bucket(len(words))
        if side == "train" or bucket is None or words in found[side][bucket]:
            return False
        if len(found[side][bucket]) == per_bucket:
            return False
        found[side][bucket][words] = _pair(triple, source, target)
        return True

    room = 2 * len(BUCKETS) * per_bucket
    take(room, variant, f"test {seed}", is_new, f"per_bucket is {per_bucket}")
    test, held_out = (
        {b: tuple(rows.values()) for b, rows in found[side].items()} for side in found
    )
    return test, held_out


def corpus(
    source: str = "en",
    target: str = "es",
    *,
    variant: str = "lite",
    seed: int = 7,
    N_train: int = 24_000,
    max_words: int = 24,
    per_bucket: int = 100,
) -> Corpus:
    """Draw a corpus; the same arguments give the same corpus.

    Parameters
    ----------
    source, target : {"en", "fr", "es"}
    variant : {"lite", "full"}
    seed : int
        Of the draws. The vocabularies, and which sentence is on which side, do not
        depend on it.
    N_train : int
        Training pairs; 0 when only the test part is needed, which takes about a second.
    max_words : int
        The longest training source. The test buckets are all there whatever it is, so
        that a model trained on short sentences can be asked for long ones.
    per_bucket : int
        Test pairs, and as many held-out pairs, for each length.
    """
    check_language("source", source)
    check_language("target", target)
    if source == target:
        raise ValueError(
            f"source and target are both {source!r}: expected two languages"
        )
    lexicon(variant)
    check_count("seed", seed, 0)
    check_count("N_train", N_train, 0)
    check_count("per_bucket", per_bucket, 0)
    check_count("max_words", max_words, BUCKETS[0][1])
    test, held_out = _unseen(variant, seed, per_bucket, source, target)
    train = _train(variant, seed, N_train, max_words, source, target)
    return Corpus(
        train, test, held_out, vocabulary(source, variant), vocabulary(target, variant)
    )
