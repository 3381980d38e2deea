"""Sampling draws words by their probability, among as many as it is told."""

import numpy as np
import pytest
import torch
from scipy.stats import chisquare
from torch import nn

from attention_book.decoding import chances, sample

LOGITS = torch.tensor([0.0, 2.0, -torch.inf, 1.0, 2.0, -1.0, 0.5])  # no [STOP]


class Urn(nn.Module):
    """Has the same logits at each step, and never writes [STOP]."""

    def encode(self, source, source_visible):
        return source

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, state):
        return LOGITS.expand(len(memory), -1).clone(), state, None


def drawn(**how):
    ids = sample(Urn(), torch.zeros(5, 1), None, seed=3, max_words=600, **how).ids
    return np.concatenate(ids)


@pytest.mark.parametrize(
    ("how", "kept"),
    [
        ({}, [0, 1, 3, 4, 5, 6]),
        ({"temperature": 0.4}, [0, 1, 3, 4, 5, 6]),
        ({"top_k": 3}, [1, 3, 4]),
        ({"top_k": 2, "temperature": 3.0}, [1, 4]),
        ({"top_p": 0.1}, [1]),
        ({"top_p": 0.7}, [1, 4]),  # .36 + .36
        ({"top_p": 0.73}, [1, 3, 4]),
        ({"top_k": 3, "top_p": 0.8}, [1, 4]),  # of what the three have: .42 + .42
    ],
)
def test_words_are_drawn_as_often_as_their_probability_says(how, kept):
    P = (LOGITS / how.get("temperature", 1)).softmax(dim=0).numpy().astype(float)
    P[np.setdiff1d(np.arange(7), kept)] = 0
    P /= P.sum()
    np.testing.assert_allclose(chances(LOGITS, **how), P, atol=1e-6)
    counts = np.bincount(drawn(**how), minlength=7)
    assert not counts[P == 0].any()
    expected = P[P > 0] * counts.sum()
    assert len(kept) == 1 or chisquare(counts[P > 0], expected).pvalue > 1e-3


def test_one_seed_draws_the_same_and_each_source_draws_for_itself():
    one, again = (
        sample(Urn(), torch.zeros(2, 1), None, seed=seed, max_words=9).ids
        for seed in (4, 4)
    )
    assert one == again
    assert one[0] != one[1]
    (second,) = sample(Urn(), torch.zeros(1, 1), None, seed=5, max_words=9).ids
    assert second == one[1]


@pytest.mark.parametrize("wrong", [{"temperature": 0}, {"top_k": -1}, {"top_p": 0.0}])
def test_wrong_settings_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        chances(LOGITS, **wrong)
