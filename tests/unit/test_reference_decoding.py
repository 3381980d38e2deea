"""Decoding in plain Python, against every sentence there is, and against the book's decoders for models."""

import itertools

import numpy as np
import pytest
import torch

from attention_book import decoding
from attention_book.reference import beam_search, greedy

START, STOP, N_WORDS, LONGEST = 1, 2, 5, 4  # the ids of the book's vocabularies


class Bigrams(torch.nn.Module):
    """A model with the face of the book's models, that knows the last word only."""

    def __init__(self, seed):
        super().__init__()
        self.log_p = torch.randn(N_WORDS, N_WORDS, generator=torch.Generator().manual_seed(seed)).log_softmax(-1)

    def step_of_words(self, words):
        return self.log_p[words[-1]].double().numpy()

    def encode(self, source, visible):
        return None

    def initial_state(self, memory):
        return None

    def step(self, token, memory, state):
        return self.log_p[token], None, None


def score(step, words):
    """Sum of the log-probabilities divided by the number of words."""
    read = (START, *words)
    return sum(step(read[: t + 1])[word] for t, word in enumerate(words)) / len(words)


@pytest.mark.parametrize("seed", range(8))
def test_greedy_is_the_books_greedy(seed):
    model = Bigrams(seed)
    (wanted,) = decoding.greedy(model, torch.zeros(1, 1), None, max_words=LONGEST).ids
    assert greedy(model.step_of_words, START, STOP, LONGEST) == wanted


@pytest.mark.parametrize("seed", range(8))
def test_a_beam_of_one_is_greedy(seed):
    step = Bigrams(seed).step_of_words
    assert beam_search(step, START, STOP, 1, LONGEST) == greedy(step, START, STOP, LONGEST)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("width", [2, 3])
def test_the_beam_holds_the_books_hypotheses(seed, width):
    """The book's search has a length penalty of another form; the sentences it has found are the same."""
    model = Bigrams(seed)
    found = decoding.beam(model, torch.zeros(1, 1), None, width=width, max_words=LONGEST).hypotheses[0]
    done = [one for one in found if one.finished] or found
    best = max(done, key=lambda one: one.log_probability / (len(one.ids) + one.finished))
    assert beam_search(model.step_of_words, START, STOP, width, LONGEST) == best.ids


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_as_wide_as_everything_finds_the_best_sentence(seed):
    step = Bigrams(seed).step_of_words
    others = [word for word in range(N_WORDS) if word != STOP]
    sentences = [(*words, STOP) for length in range(LONGEST) for words in itertools.product(others, repeat=length)]
    best = max(sentences, key=lambda words: score(step, words))
    width = N_WORDS**LONGEST
    assert beam_search(step, START, STOP, width, LONGEST) == list(best[:-1])


def test_what_is_cut_off_counts_only_where_nothing_was_finished():
    never = np.log([[0.6, 0.4 - 1e-9, 1e-9]] * 3)
    assert beam_search(lambda words: never[words[-1]], START, STOP, 2, 3) == [0, 0, 0]
