"""One model for three languages: what it is taught, and how it is told what to write.

The first word of a source is a tag, the language that is wanted [johnson2017google]:

    [FR] we are eating bread    →    nous mangeons du pain

Which language the source is in, nobody says. Nothing but the tag tells the directions
apart, and so a direction can be asked for that was never taught.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import cycle, islice, product

from attention_book.shapes import check_choice, check_count, check_filled, check_several

from ..pairs import Pair
from ..vocabulary import Vocabulary
from .corpora import BUCKETS, part, take
from .forms import vocabulary
from .triple import WRITERS, Triple, check_language

LANGUAGES = tuple(WRITERS)
TAUGHT = (("en", "fr"), ("fr", "en"), ("en", "es"), ("es", "en"))
ZERO_SHOT = (("fr", "es"), ("es", "fr"))
COPIES = tuple((language, language) for language in LANGUAGES)
SIDES = ("train", "test")
MIXED = "mixed"


def tag(to: str) -> str:
    """The word that asks for a language: "[FR]" for "fr"."""
    check_language("to", to)
    return f"[{to.upper()}]"


def tagged(source_words: Sequence[str], to: str) -> tuple[str, ...]:
    """A source that asks for its translation into a language."""
    check_several("source_words", source_words)
    return (tag(to), *source_words)


@cache
def joint_vocabularies() -> dict[str, Vocabulary]:
    """All words of the three languages in one "target", and with the tags in one
    "source". What languages write alike, as "1992" or "la", is one word.
    """
    words = sorted({word for to in LANGUAGES for word in vocabulary(to).to_list()})
    return {
        "source": Vocabulary([*map(tag, LANGUAGES), *words]),
        "target": Vocabulary(words),
    }


@lru_cache(maxsize=4)  # they stay as they are, and several recipes share them
def triples(
    side: str = "train",
    N: int = 24_000,
    *,
    seed: int = 7,
    max_words: int = BUCKETS[-1][1],
) -> tuple[Triple, ...]:
    """Draw sentences, each to be written in all three languages. No two of them are
    the same in any language.

    Parameters
    ----------
    side : {"train", "test"}
        Of the split of `corpus`: no sentence is on both, in whichever language.
    N : int
        How many; the first of a longer draw are those of a shorter.
    max_words : int
        The longest, in English words.
    """
    check_choice("side", side, SIDES)
    check_count("N", N)
    check_count("seed", seed, 0)
    check_count("max_words", max_words, BUCKETS[0][1])
    found: dict[str, Triple] = {}

    def is_new(triple: Triple) -> bool:
        is_long = len(triple.tokens("en")) > max_words
        if part(triple) != side or is_long or triple.signature in found:
            return False
        found[triple.signature] = triple
        return True

    what = f"N is {N} on the side {side!r} with max_words {max_words}"
    take(N, "lite", f"{side} {seed}", is_new, what)
    return tuple(found.values())


def pair(triple: Triple, source: str, to: str) -> Pair:
    """A sentence in one language, which asks for another or the same; without links."""
    return Pair(tagged(triple.tokens(source), to), triple.tokens(to))


def training_pairs(
    copies: float = 0.0,
    copied: Sequence[str] = LANGUAGES,
    *,
    N: int = 24_000,
    seed: int = 7,
) -> tuple[Pair, ...]:
    """What to learn from: each sentence in every direction of `TAUGHT`, and copies.

    Parameters
    ----------
    copies : float
        Their share of all pairs, from 0 to below 1. A copy asks for the language that
        it is in, and its target is itself.
    copied : sequence of {"en", "fr", "es"}
        The languages that are copied, each as often as the others.
    N, seed : int
        The training sentences, as in `triples`.
    """
    if not (isinstance(copies, int | float) and 0 <= copies < 1):
        raise ValueError(f"copies is {copies!r}, expected a share from 0 to below 1")
    check_filled("copied", copied, "language")
    for language in copied:
        check_language("each of copied", language)
    sentences = triples("train", N, seed=seed)
    taught = [(one, *direction) for one, direction in product(sentences, TAUGHT)]
    N_copies = round(len(taught) * copies / (1 - copies))
    again = islice(cycle(product(sentences, copied)), N_copies)
    return tuple(
        pair(*each) for each in [*taught, *((one, to, to) for one, to in again)]
    )


def spoken(words: Sequence[str]) -> str:
    """Which language a sentence is in, by the words that each language has.

    Returns
    -------
    {"en", "fr", "es", "mixed"}
        The only language that has all of the words; "mixed" where none has, or several
        have, as of *en 1992*.
    """
    check_several("words", words)  # none is an answer that a model ended at once
    able = [to for to in LANGUAGES if all(word in vocabulary(to) for word in words)]
    return able[0] if len(able) == 1 else MIXED
