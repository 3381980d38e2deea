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
from attention_book.data import PAD, START

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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": "whom"}, "question is 'whom', expected one of"),
        ({"question": "tenth", "N": 10}, "N is 10, expected at least 11"),
    ],
)
def test_what_cannot_be_drawn_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        sentence(**{"question": "who", "N": 5, "rng": Random(0)} | change)


def test_a_batch_holds_the_words_and_the_answers():
    pairs = [sentence("who", 6, Random(seed)) for seed in range(3)]
    batch = collate(pairs)
    assert [WORDS.decode(row) for row in batch.source.tolist()] == [
        pair.source for pair in pairs
    ]
    assert [WORDS.decode(row) for row in batch.target_out.tolist()] == [
        pair.target for pair in pairs
    ]
    assert batch.source_visible.all()
    assert (batch.source != PAD).all()
    assert (batch.target_in == START).all()


def test_a_batch_of_two_lengths_is_refused():
    pairs = [sentence("who", N, Random(0)) for N in (5, 6)]
    with pytest.raises(ValueError, match=r"pairs have \[6, 7\] words, expected one"):
        collate(pairs)
    with pytest.raises(ValueError, match="pairs is empty"):
        collate([])
