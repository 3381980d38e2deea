"""The exam: six small tasks with few labels, and other words in the test.

The nouns of the lexicon are shared out: half of them may stand in labelled sentences,
the other half in the test. So are the verbs that *tense* is about. Whoever passes has
to know a noun or verb from the text alone, where it had no label.

A task draws one text for each of its answers, as like each other as may be: the same
clause in the past and in the present, or a sentence with an error and without it. An
item is one of these texts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import torch
from jaxtyping import Int
from torch import Tensor

from attention_book.chapters.pretraining.sentences import (
    LEXICON,
    TOPIC_OF,
    TOPICS,
    Text,
    Words,
    unseen,
    written,
)
from attention_book.data.translation.lexicon import Noun, Verb
from attention_book.data.translation.syntax import Clause, NounPhrase
from attention_book.shapes import check_choice, check_count

N_LABELLED, N_TEST = (50, 200), 500
NEGATIVE, PLURAL = 0.25, 0.3
FORMS = [("are", "is"), ("were", "was"), ("do", "does")]  # plural, singular
FORMS += [verb.en[:2] for verb in LEXICON.verbs.values()]
OTHER_NUMBER = {form: other for a, b in FORMS for form, other in ((a, b), (b, a))}


@dataclass(frozen=True)
class Side:
    """The words that the labelled sentences, or those of the test, may draw from."""

    nouns: dict[str, list[Noun]]  # by topic; "body", such as a bank, is none
    verbs: list[Verb]

    @cached_property
    def all_nouns(self) -> frozenset[Noun]:
        """The nouns of all topics."""
        return frozenset(noun for some in self.nouns.values() for noun in some)

    def has(self, clause: Clause) -> bool:
        """Whether all nouns of a clause are on this side."""
        return all(phrase.noun in self.all_nouns for phrase in clause.phrases())


Draw = Callable[[Random, Side], Sequence[Text]]


@dataclass(frozen=True)
class ExamTask:
    """What is asked, the answers, and how to draw a text for each of them."""

    name: str
    answers: tuple[str, ...]
    draw: Draw


@dataclass(frozen=True)
class Items:
    """Texts with their answers."""

    texts: list[Text]
    labels: Int[Tensor, " B"]  # places among the task's answers


def sides(seed: int) -> tuple[Side, Side]:
    """Share out nouns and verbs: to the labelled sentences, and to the test."""
    rng, groups = Random(f"sides {seed}"), {}
    for noun in LEXICON.nouns.values():
        body = "body" if "body" in noun.kinds else noun.kinds[0]
        groups.setdefault(TOPIC_OF.get(noun, body), []).append(noun)
    verbs = [
        verb for verb in LEXICON.verbs.values() if {"past", "present"} <= {*verb.tenses}
    ]
    for some in (*groups.values(), verbs):
        rng.shuffle(some)
    first, second = (
        Side({name: some[k::2] for name, some in groups.items()}, verbs[k::2])
        for k in (0, 1)
    )
    return first, second


def items(task: str, N: int, *, test: bool = False, seed: int = 0) -> Items:
    """Draw the first N labelled items of a task, or of its test, all answers in turn.

    `seed` fixes which words are on which side, too.
    """
    found = drawn(task, N, test, seed)
    N_answers = len(EXAM[task].answers)
    texts = [each[i % N_answers] for i, each in enumerate(found)]
    return Items(texts, torch.arange(N) % N_answers)


def drawn(task: str, N: int, test: bool, seed: int = 0) -> list[Sequence[Text]]:
    """Draw N times a text for each answer: the items are made of these."""
    check_choice("task", task, EXAM)
    check_count("N", N)
    rng, side = Random(f"{task} {test} {seed}"), sides(seed)[test]
    return [EXAM[task].draw(rng, side) for _ in range(N)]


def phrase(rng: Random, noun: Noun) -> NounPhrase:
    """Draw *the* or *this* noun, or *these* nouns."""
    plural = not noun.mass and rng.random() < PLURAL
    return NounPhrase(noun, rng.choice(("the", "this")), plural)


def seen(rng: Random, noun: Noun) -> Text:
    """Write that somebody saw it: one can see anything, so the verb tells nothing."""
    who, see = rng.choice(LEXICON.pronouns), LEXICON.verbs["see"]
    negative = rng.random() < NEGATIVE
    return (written(Clause(who, see, "past", phrase(rng, noun), negative)),)


def each_topic(rng: Random, side: Side) -> list[Text]:
    """See a noun of each topic."""
    return [seen(rng, rng.choice(side.nouns[topic])) for topic in TOPICS]


def other_or_same_topic(rng: Random, side: Side) -> list[Text]:
    """See two things of two topics, or two of one topic."""
    topic, other = rng.sample(TOPICS, 2)
    first, same = rng.sample(side.nouns[topic], 2)
    seconds = rng.choice(side.nouns[other]), same
    return [seen(rng, first) + seen(rng, second) for second in seconds]


def person_or_body(rng: Random, side: Side) -> list[Text]:
    """Let a person do something to a body, and the body to the person."""
    verb = LEXICON.verbs[rng.choice(("criticise", "support"))]
    a, b = (phrase(rng, rng.choice(side.nouns[kind])) for kind in ("person", "body"))
    return [
        (written(Clause(who, verb, "past", whom)),) for who, whom in ((a, b), (b, a))
    ]


def past_or_present(rng: Random, side: Side) -> list[Text]:
    """Write the same clause in two tenses."""
    objects = {v: [n for n in v.objects if n in side.all_nouns] for v in side.verbs}
    verb = rng.choice([verb for verb, some in objects.items() if some])
    who, whom = rng.choice(LEXICON.pronouns), phrase(rng, rng.choice(objects[verb]))
    return [(written(Clause(who, verb, t, whom)),) for t in ("past", "present")]


def agreement(rng: Random, side: Side) -> list[Text]:
    """Give the verb the other number's form, and leave it.

    Either number is drawn as often, so that no form tells by itself what is broken.
    """
    person, shown = rng.choice((1, 3)), filter(_shows_number, unseen(rng))
    words = written(next(c for c in shown if c.person == person and side.has(c)))
    place = next(t for t, word in enumerate(words) if word in OTHER_NUMBER)
    return [(_replaced(words, place, (OTHER_NUMBER[words[place]],)),), (words,)]


def order(rng: Random, side: Side) -> list[Text]:
    """Swap two neighbours that differ, and leave them."""
    words = written(next(c for c in unseen(rng) if side.has(c)))
    t = rng.choice([t for t in range(len(words) - 2) if words[t] != words[t + 1]])
    return [(_replaced(words, t, words[t : t + 2][::-1]),), (words,)]


def _shows_number(clause: Clause) -> bool:
    present = clause.tense in ("present", "progressive")
    return present or (clause.passive and clause.tense == "past")


def _replaced(words: Words, place: int, others: Words) -> Words:
    return words[:place] + others + words[place + len(others) :]


EXAM = {
    "class": ExamTask("topic of a noun", TOPICS, each_topic),
    "same": ExamTask("one topic?", ("no", "yes"), other_or_same_topic),
    "who": ExamTask("who did it?", ("person", "body"), person_or_body),
    "tense": ExamTask("past or present?", ("past", "present"), past_or_present),
    "agreement": ExamTask("agreement", ("broken", "whole"), agreement),
    "order": ExamTask("neighbours swapped", ("broken", "whole"), order),
}
