"""The models of the checks of decoding are shown in full, and leave no tie."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from attention_book.chapters.encoder_decoder.checks.decoding import (
    check_beam_search,
    check_greedy,
    check_words_right,
)


def test_the_model_is_shown_in_full():
    verdict = check_beam_search(lambda *inputs: [])
    step = check_beam_search.cases[1].inputs["step"]
    assert "step = log P, with P in row (sum of b and all words" in verdict.evidence
    assert len(repr(step)) < 400  # what a verdict shows
    np.testing.assert_allclose(np.exp(step.log_P).sum(axis=1), 1)
    np.testing.assert_array_equal(step((1, 3, 4)), step.log_P[8 % 5])
    of_many = check_words_right.cases[0].inputs["step"]
    after = of_many(2, torch.tensor([1, 3]))
    np.testing.assert_array_equal(after, of_many.log_P[6 % 5])


@pytest.mark.parametrize("case", check_beam_search.cases, ids=lambda case: case.name)
def test_no_choice_of_the_search_is_a_tie(case):
    step, start, stop, width, max_words = case.inputs.values()
    live, done = [((start,), 0.0)], []
    for _ in range(max_words):
        longer = [
            ((*words, w), s + p) for words, s in live for w, p in enumerate(step(words))
        ]
        longer.sort(key=lambda one: -one[1])
        room = width - len(done)
        assert all(a[1] - b[1] > 0.01 for a, b in pairwise(longer[: room + 1]))
        done += [one for one in longer[:room] if one[0][-1] == stop]
        live = [one for one in longer[:room] if one[0][-1] != stop]
    scores = sorted(s / (len(words) - 1) for words, s in (done or live))
    assert len(scores) < 2 or scores[-1] - scores[-2] > 0.01


@pytest.mark.parametrize("check", [check_greedy, check_words_right])
def test_no_word_written_greedily_or_alone_is_a_tie(check):
    for case in check.cases:
        first, second = np.sort(np.exp(case.inputs["step"].log_P))[:, :-3:-1].T
        assert (first - second > 0.005).all(), case.name
