"""Questions about order as tasks: their batches, and what is measured."""

from itertools import islice

import pytest
import torch
from torch import nn

from attention_book.chapters.order import tasks
from attention_book.chapters.order.sentences import WORDS
from attention_book.chapters.order.tasks import (
    LONGER,
    N_BATCH,
    Order,
    OrderByLength,
)
from attention_book.runs import Task

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
    monkeypatch.setattr(tasks, "N_TEST", 50)
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
    monkeypatch.setattr(tasks, "N_TEST", 50)
    measured = Order("third", "none").measure(Knows(wrong_from=32))["test"]
    assert measured["5 to 16"] == measured["24"] == {"right": 1}
    assert measured["32"]["right"] < 0.1


def test_longer_sentences_are_measured_length_by_length_as_well():
    measured = OrderByLength("third", "none").measure(Knows(wrong_from=33))
    assert measured["test"] == Order("third", "none").measure(Knows(33))["test"]
    assert [*measured["lengths"]] == [str(N) for N in range(28, 39)]
    for N, found in measured["lengths"].items():
        assert (found["right"] == 1) == (int(N) < 33), N
