"""Questions about order as tasks: their batches, and what is measured."""

import pytest
from torch import nn

from attention_book.chapters.order import tasks
from attention_book.chapters.order.sentences import WORDS
from attention_book.chapters.order.tasks import LONGER, Order, OrderByLength

TASK = Order("tenth", "sine")


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
