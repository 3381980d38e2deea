"""The worked solutions of chapter 10."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from attention_book import runs
from attention_book.chapters.norm_and_residuals.bug import BUG_HUNT
from attention_book.chapters.norm_and_residuals.solutions import norm, starts_to_learn
from attention_book.training import seeded, warmup


def test_norm_is_torchs_and_the_bug_is_torchs_over_the_words():
    with seeded(0):
        X, gamma, beta = torch.randn(2, 3, 5), torch.randn(5), torch.randn(5)
    due = F.layer_norm(X, (5,), gamma, beta)
    torch.testing.assert_close(norm(X, gamma, beta), due)
    over_words = F.layer_norm(X.mT, (3,)).mT
    torch.testing.assert_close(
        BUG_HUNT.broken(X, gamma, beta), gamma * over_words + beta
    )


def test_a_stack_starts_to_learn_at_the_first_low_loss_and_its_rate():
    run = runs.load("warm-post-200")
    curve = replace(
        run.curves[0],
        step=np.array([1.0, 100.0, 300.0, 599.0]),
        loss=np.array([5.0, 3.9, 4.2, 3.0]),
    )
    trial = replace(run, curves={0: curve})
    rate = warmup(1e-3, 200)
    assert starts_to_learn(trial, 0) == (100, pytest.approx(rate(100, 600)))
    assert starts_to_learn(trial, 0, below=3.5) == (599, pytest.approx(rate(599, 600)))
    assert starts_to_learn(trial, 0, below=2) is None
    assert rate(100, 600) == pytest.approx(1e-3 * 101 / 200 * 5 / 6)
    without = replace(trial, recipe=replace(run.recipe, warmup_steps=0))
    assert starts_to_learn(without, 0) == (100, pytest.approx(warmup(1e-3)(100, 600)))
