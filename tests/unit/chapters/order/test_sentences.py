"""Sentences whose questions only order answers."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
import torch
from torch import nn

from attention_book.chapters.order import sentences
from attention_book.chapters.order.sentences import (
    LONGER,
    N_BATCH,
    NAMES,
    QUESTIONS,
    VERBS,
    WORDS,
    Order,
    OrderByLength,
    collate,
    right,
    sentence,
)
from attention_book.data import PAD, START
from attention_book.runs import Task

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


TASK = Order("tenth", "sine")


def test_it_is_a_task():
    assert isinstance(TASK, Task)
    assert TASK.model().config.positions == "sine"
    assert len(Order("who", "mask", N_layers=1).model().blocks) == 1
    assert TASK.vocabularies == {"source": WORDS, "target": WORDS}
    assert TASK.keep(TASK.model()) == {}


def test_batches_are_the_same_for_the_same_seed():
    first, again, other = (list(islice(TASK.batches(seed, 9), 9)) for seed in (0, 0, 1))
    assert all(map(torch.equal, *([b.source for b in run] for run in (first, again))))
    assert any(b.source.shape != o.source.shape for b, o in zip(first, other, strict=1))
    assert {b.source.shape[0] for b in first} == {N_BATCH}
    assert {b.source.shape[1] - 1 for b in first} <= {*TASK.lengths}


@pytest.mark.parametrize(
    ("question", "shortest"), [("who", 5), ("third", 5), ("tenth", 12)]
)
def test_buckets_hold_the_lengths_they_say(monkeypatch, question, shortest):
    monkeypatch.setattr(sentences, "N_TEST", 50)
    test = Order(question, "none").test
    assert list(test) == [f"{shortest} to 16", *map(str, LONGER)]
    for (label, batches), lengths in zip(
        test.items(), (range(shortest, 17), *([N] for N in LONGER)), strict=True
    ):
        assert [batch.source.shape[1] - 1 for batch in batches] == [*lengths], label
        assert sum(len(batch.source) for batch in batches) == 50
        counts = [len(batch.source) for batch in batches]
        assert max(counts) - min(counts) <= 1


class Knows(nn.Module):
    """Says the answer to *third?*, or of some sentences the word after it."""

    def __init__(self, wrong_from=10**9):
        super().__init__()
        self.wrong_from = wrong_from

    def forward(self, words, visible):
        assert not self.training
        place = 2 + (words.shape[1] - 1 >= self.wrong_from)
        return nn.functional.one_hot(words[:, None, place], len(WORDS)).float()


def test_right_answers_are_counted_by_bucket(monkeypatch):
    monkeypatch.setattr(sentences, "N_TEST", 50)
    measured = Order("third", "none").measure(Knows(wrong_from=32))["test"]
    assert measured["5 to 16"] == measured["24"] == {"right": 1}
    assert measured["32"]["right"] < 0.1


def test_every_sentence_counts_alike():
    batches = [
        collate([sentence("third", 5, Random(seed)) for seed in range(3)]),
        collate([sentence("third", 9, Random(0))]),
    ]
    model = Knows(wrong_from=9)
    assert right(model, batches) == 0.75
    assert model.training, "as it was"


def test_longer_sentences_are_measured_length_by_length_as_well():
    measured = OrderByLength("third", "none").measure(Knows(wrong_from=33))
    assert measured["test"] == Order("third", "none").measure(Knows(33))["test"]
    assert [*measured["lengths"]] == [str(N) for N in range(28, 39)]
    for N, found in measured["lengths"].items():
        assert (found["right"] == 1) == (int(N) < 33), N
