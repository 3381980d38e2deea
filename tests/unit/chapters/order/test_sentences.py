"""Sentences whose questions only order answers."""

from collections import Counter
from random import Random

import pytest

from attention_book.chapters.order.sentences import (
    NAMES,
    QUESTIONS,
    VERBS,
    WORDS,
    collate,
    sentence,
)
from attention_book.data import START

SHOWN = [
    (question, pair)
    for question in QUESTIONS
    for N in (12, 16, 32)
    for pair in [sentence(question, N, Random(seed)) for seed in range(40)]
]


def expected(question, words):
    if question == "third":
        return words[2]
    if question == "tenth":
        return words[-10]
    verb = next(i for i, word in enumerate(words) if word in VERBS)
    (name,) = (word for word in words[:verb] if word in NAMES)
    return name


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_the_one_that_the_question_means(question):
    for asked, pair in SHOWN:
        if asked == question:
            *words, last = pair.source
            assert last == f"{question}?"
            assert pair.target == (expected(question, words),)
            names = [word for word in words if word in NAMES]
            assert len(names) == len({*names}) == 2
            assert len([w for w in words if w in VERBS]) == (question == "who")


@pytest.mark.parametrize("question", ["third", "tenth"])
def test_the_other_name_stands_before_and_after(question):
    sides = Counter()
    for seed in range(300):
        *words, _ = sentence(question, 14, Random(seed)).source
        first = min(i for i, word in enumerate(words) if word in NAMES)
        sides[words[first] == expected(question, words)] += 1
    assert 120 < sides[True] < 180


def test_a_batch_holds_the_words_and_the_answers():
    pairs = [sentence("who", 6, Random(seed)) for seed in range(3)]
    batch = collate(pairs)
    for read, due, pair in zip(batch.source, batch.target_out, pairs, strict=True):
        assert WORDS.decode(read.tolist()) == pair.source
        assert WORDS.decode(due.tolist()) == pair.target
    assert batch.source_visible.all()
    assert (batch.target_in == START).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sentence("whom", 5, Random(0)), "question is 'whom', expected one of"),
        (lambda: sentence("tenth", 10, Random(0)), "N is 10, expected at least 11"),
        (lambda: collate([]), "pairs is empty"),
        (
            lambda: collate([sentence("who", N, Random(0)) for N in (5, 6)]),
            r"pairs have \[6, 7\] words, expected one",
        ),
    ],
)
def test_what_cannot_be_drawn_or_collated_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
