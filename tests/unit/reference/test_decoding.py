"""Greedy and beam search, as they are read, against all sentences and the fast ones."""

from itertools import product

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import decoding
from attention_book.reference import beam_search, greedy

START, STOP, N_WORDS = 1, 2, 4
SEEDS = range(8)


class Writer(nn.Module):
    """A small decoder with random weights and strong opinions."""

    def __init__(self, seed):
        super().__init__()
        torch.manual_seed(seed)
        self.embedding, self.cell = nn.Embedding(N_WORDS, 6), nn.GRUCell(6, 6)
        self.output = nn.Linear(6, N_WORDS)
        with torch.no_grad():
            self.output.weight.mul_(6)
        self.double()

    def encode(self, source, source_visible):
        return source

    def initial_state(self, memory):
        return torch.zeros(len(memory), 6, dtype=torch.float64)

    def step(self, token, memory, state):
        state = self.cell(self.embedding(token), state)
        return self.output(state), state, None

    @torch.no_grad()
    def log_p(self, words):
        """What `reference` calls a step: all words so far in, log P of the next out."""
        source = torch.zeros(1, 1)
        state = self.initial_state(source)
        for word in words:
            logits, state, _ = self.step(torch.tensor([word]), source, state)
        return logits[0].log_softmax(-1).numpy()


def score(step, words):
    return sum(step((START, *words[:t]))[word] for t, word in enumerate(words)) / len(
        words
    )


def all_sentences(max_words):
    inner = [word for word in range(N_WORDS) if word != STOP]
    return [
        (*words, STOP) for n in range(max_words) for words in product(inner, repeat=n)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_beam_that_keeps_everything_finds_the_best_sentence_of_all(seed):
    step, max_words = Writer(seed).log_p, 4
    best = max(all_sentences(max_words), key=lambda words: score(step, words))
    assert [*beam_search(step, START, STOP, 200, max_words), STOP] == [*best]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("width", [1, 2, 3, 9])
def test_a_narrow_beam_finds_what_the_fast_one_finds(seed, width):
    model, max_words = Writer(seed), 5
    source = torch.zeros(1, 1)
    found = decoding.beam(model, source, None, width=width, max_words=max_words)
    slow = beam_search(model.log_p, START, STOP, width, max_words)
    assert found.ids == [slow]
    assert found.score.item() == pytest.approx(
        score(model.log_p, [*slow, STOP] if found.finished else slow)
    )


def test_the_normalisation_decides_for_some_of_them():
    """Or the test above would pass with any."""
    found = [
        [
            decoding.beam(model, torch.zeros(1, 1), None, max_words=5, **length).ids
            for length in ({}, {"length_penalty": 0})
        ]
        for model in map(Writer, SEEDS)
    ]
    assert any(per_word != total for per_word, total in found)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("max_words", [1, 3, 8])
def test_greedy_is_the_fast_one_and_a_beam_of_width_1(seed, max_words):
    model = Writer(seed)
    fast = decoding.greedy(model, torch.zeros(1, 1), None, max_words=max_words).ids[0]
    assert greedy(model.log_p, START, STOP, max_words) == fast
    assert beam_search(model.log_p, START, STOP, 1, max_words) == fast


def table(**rows):
    """A step from rows of probabilities, by the words so far."""
    return lambda words: np.log(rows["after_" + "_".join(map(str, words))])


def test_a_word_that_looks_worse_now_may_win():
    step = table(
        after_1=[0.5, 0.01, 0.09, 0.4],
        after_1_0=[0.3, 0.1, 0.3, 0.3],
        after_1_3=[0.03, 0.02, 0.9, 0.05],
        after_1_0_0=[0.4, 0.1, 0.3, 0.2],
        after_1_0_3=[0.4, 0.1, 0.3, 0.2],
    )
    assert greedy(step, START, STOP, 1) == [0]
    assert beam_search(step, START, STOP, 2, 3) == [3]


def test_a_word_that_is_impossible_is_never_kept():
    with np.errstate(divide="ignore"):
        step = table(
            after_1=np.array([1.0, 0, 0, 0]), after_1_0=np.array([0, 0, 0, 1.0])
        )
        assert beam_search(step, START, STOP, 50, 2) == [0, 3]


@pytest.mark.parametrize(
    ("search", "says"),
    [
        (lambda: greedy(np.ones, START, STOP, 0), "max_words is 0"),
        (lambda: beam_search(np.ones, START, STOP, 2, 0), "max_words is 0"),
        (lambda: beam_search(np.ones, START, STOP, 0, 2), "width is 0"),
        *(
            (lambda log_p=log_p: greedy(lambda _: log_p, START, STOP, 2), "step gave")
            for log_p in (np.ones((1, 4)), np.full(4, np.nan), np.zeros(0))
        ),
        (
            lambda: beam_search(lambda _: np.full(4, -np.inf), START, STOP, 2, 2),
            r"step gave .* after \(1,\)",
        ),
    ],
)
def test_what_cannot_be_searched_is_named(as_a_reader, search, says):
    with pytest.raises(ValueError, match=says):
        search()
