"""Sentences with two *it*s, in which an adjective says which noun each of them is.

    behind the bear the bus passed the soup because it was scared and it was parked

Three nouns of different kinds stand in the three places in any order, and what they do
is mostly nonsense; but here only an animal is *scared*, and only a vehicle *parked*. So
each *it* has a gold answer: the noun that its adjective fits, or none. What is to be
said is the German word for *it*, which depends on the noun: *er*, *sie* or *es*, and
"-" where no noun fits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import torch
from torch.nn.utils.rnn import pad_sequence

from attention_book.data import START, Batch, Vocabulary
from attention_book.shapes import PAD, check_filled

NONE = "-"  # the answer where no noun fits
NOUNS = {  # kind -> the German for *it* -> nouns
    "animal": {"er": "dog bear", "sie": "cat cow", "es": "horse sheep"},
    "food": {"er": "apple cheese", "sie": "soup pear", "es": "bread egg"},
    "place": {"er": "park river", "sie": "street bridge", "es": "field house"},
    "vehicle": {"er": "bus train", "sie": "tram ferry", "es": "car bike"},
}
ADJECTIVES = {
    "animal": ("hungry", "scared", "tired"),
    "food": ("salty", "spicy", "tasty"),
    "place": ("flooded", "sunny", "windy"),
    "vehicle": ("delayed", "parked", "serviced"),
}
PRONOUNS = ("er", "sie", "es")
ANSWERS = (*PRONOUNS, NONE)
OTHERS = ("and", "because", "behind", "it", "left", "near", "passed", "the", "today")
OTHERS += ("very", "was", "yesterday")
LONGEST = 19  # words
GERMAN = {
    noun: word
    for by_word in NOUNS.values()
    for word, nouns in by_word.items()
    for noun in nouns.split()
}
KIND = {
    word: kind
    for kind, by_word in NOUNS.items()
    for word in (*" ".join(by_word.values()).split(), *ADJECTIVES[kind])
}


@dataclass(frozen=True)
class Question:
    """One *it* of a sentence."""

    asks: int  # the place of its adjective
    gold: int | None  # that of the noun that the adjective fits
    answer: str  # what German has for *it*: "er", "sie" or "es"; "-" if no noun fits


def questions(words: Sequence[str]) -> list[Question]:
    """Read off what is asked in a sentence, and the answers."""
    asked = []
    for i, word in enumerate(words):
        if word in KIND and word not in GERMAN:
            fits = [j for j in nouns_of(words) if KIND[words[j]] == KIND[word]]
            gold = fits[0] if fits else None
            answer = NONE if gold is None else GERMAN[words[gold]]
            asked.append(Question(i, gold, answer))
    return asked


def nouns_of(words: Sequence[str]) -> list[int]:
    """The places of the nouns."""
    return [i for i, word in enumerate(words) if word in GERMAN]


def sentence(rng: Random, none: float = 0.25) -> tuple[str, ...]:
    """Draw a sentence; with probability `none` an adjective fits no noun of it."""
    *kinds, left_out = rng.sample([*NOUNS], 4)
    first, second, third = (["the", rng.choice(nouns_like(kind))] for kind in kinds)
    where = [rng.choice(["near", "behind"])]
    words = rng.choice([[], [rng.choice(["today", "yesterday"])]])
    words = words + rng.choice([where + first + second, first + where + second])
    words = [*words, rng.choice(["passed", "left"]), *third, "because"]
    for start, kind in zip(([], ["and"]), rng.sample(kinds, 2), strict=True):
        kind = left_out if rng.random() < none else kind
        very = ["very"] if rng.random() < 0.3 else []
        words += [*start, "it", "was", *very, rng.choice(ADJECTIVES[kind])]
    return tuple(words)


def nouns_like(kind: str, but: str = "") -> list[str]:
    """The nouns of a kind, without those whose German for *it* is `but`."""
    return [n for n, word in GERMAN.items() if KIND[n] == kind and word != but]


def exchanged(words: Sequence[str], place: int, rng: Random) -> tuple[str, ...]:
    """Exchange the noun at `place` for one of its kind, but of another gender."""
    noun = words[place]
    new = rng.choice(nouns_like(KIND[noun], but=GERMAN[noun]))
    return (*words[:place], new, *words[place + 1 :])


@cache
def vocabularies() -> dict[str, Vocabulary]:
    """The words of the sentences, and the answers."""
    words = Vocabulary([*sorted(KIND), *OTHERS])
    return {"source": words, "target": Vocabulary(ANSWERS)}


def collate(sentences: Iterable[Sequence[str]]) -> Batch:
    """Put sentences into a batch.

    Its `target_out` is the id of the answer at each adjective, and PAD elsewhere, which
    does not count; `target_in`, which no model reads here, is START.
    """
    sentences = list(sentences)
    check_filled("sentences", sentences, "sentence")
    vocabulary, answers = vocabularies().values()
    rows = [torch.tensor(vocabulary.encode(words)) for words in sentences]
    source = pad_sequence(rows, batch_first=True, padding_value=PAD)
    target = torch.full_like(source, PAD)
    for row, words in zip(target, sentences, strict=True):
        for each in questions(words):
            row[each.asks] = answers.encode([each.answer])[0]
    return Batch(source, source != PAD, torch.full_like(target, START), target)
