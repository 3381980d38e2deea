"""Sentences whose last word is asked four questions at once.

    ben told everyone that the very old bridge and the tram left carl near the dog
    because it was too scared

    speaker   ben        the first word
    hearer    everyone   the third word
    before    too        the word before the last
    noun      dog        the noun that the last word fits, here an animal; or "-"

Each answer is a word of the sentence, and has others like it in the sentence: a third
name, other words such as *too*, two other nouns.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from random import Random

import torch

from attention_book.data import PAD, START, Batch, Vocabulary
from attention_book.shapes import check_filled

RELATIONS = ("speaker", "hearer", "before", "noun")
NONE = "-"  # the answer where no noun fits
NAMES = ("anna", "ben", "carl", "dora", "emil", "fay")
NAMES += ("gus", "hana", "ivan", "jana", "lena", "max")
DEGREES = ("almost", "hardly", "quite", "rather", "really", "too", "truly", "very")
NOUNS = {
    "animal": ("bear", "cat", "cow", "dog", "horse", "sheep"),
    "food": ("apple", "bread", "cheese", "egg", "pear", "soup"),
    "place": ("bridge", "field", "house", "park", "river", "street"),
    "vehicle": ("bike", "bus", "car", "ferry", "train", "tram"),
}
ADJECTIVES = {
    "animal": ("hungry", "scared"),
    "food": ("salty", "tasty"),
    "place": ("flooded", "windy"),
    "vehicle": ("delayed", "parked"),
}
VERBS = ("left", "met")
OTHERS = ("and", "because", "everyone", "it", "near", "old", "someone", "that", "the")
OTHERS += ("told", "was")
SOME = 0.15  # how likely *someone* speaks, and that *everyone* is told
OLD = 0.6  # how likely a noun is *very old*, or *too old*, ...
LONGEST = 25  # words
OF_KINDS = chain(*NOUNS.values(), *ADJECTIVES.values())
WORDS = Vocabulary([*NAMES, *DEGREES, *VERBS, *OF_KINDS, *OTHERS, NONE])


@dataclass(frozen=True)
class Sentence:
    """A sentence, what its last word is asked, and where the answers stand."""

    words: tuple[str, ...]
    answers: tuple[str, ...]  # in the order of RELATIONS
    gold: tuple[int | None, ...]  # the places of the answers; None where no noun fits


def sentence(rng: Random) -> Sentence:
    """Draw a sentence; in one of four the last word fits no noun."""
    kinds = rng.sample([*NOUNS], 4)  # the last one stands for none of the nouns
    speaker, hearer, met = rng.sample(NAMES, 3)
    speaker = "someone" if rng.random() < SOME else speaker
    hearer = "everyone" if rng.random() < SOME else hearer
    nouns = [rng.choice(NOUNS[kind]) for kind in kinds[:3]]
    first, second, third = (["the", *_old(rng), noun] for noun in nouns)
    degree = rng.choice([[], *([each] for each in DEGREES)])
    asked = rng.randrange(4)
    words = (
        *(speaker, "told", hearer, "that", *first, "and", *second),
        *(rng.choice(VERBS), met, "near", *third, "because", "it", "was", *degree),
        rng.choice(ADJECTIVES[kinds[asked]]),
    )
    before = len(words) - 2
    noun = None if asked == 3 else words.index(nouns[asked])
    gold = (0, 2, before, noun)
    answers = (NONE if place is None else words[place] for place in gold)
    return Sentence(words, tuple(answers), gold)


def _old(rng: Random) -> list[str]:
    return [rng.choice(DEGREES), "old"] if rng.random() < OLD else []


def collate(sentences: Iterable[Sentence]) -> Batch:
    """Put sentences and their four answers into a batch."""
    sentences = list(sentences)
    check_filled("sentences", sentences, "sentence")
    width = max(len(each.words) for each in sentences)
    rows = [WORDS.encode(each.words) for each in sentences]
    source = torch.tensor([row + [PAD] * (width - len(row)) for row in rows])
    answers = torch.tensor([WORDS.encode(each.answers) for each in sentences])
    return Batch(source, source != PAD, torch.full_like(answers, START), answers)
