"""What chapter 8 measures, on layers whose costs are known, and beside torch's own."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

from attention_book import runs
from attention_book.chapters.three_ways import experiments
from attention_book.chapters.three_ways.experiments import (
    exponent_with_interval,
    influence,
    learned_after,
    memory,
    steps,
)
from attention_book.chapters.three_ways.model import WAYS
from attention_book.runs.curves import LossCurve

N, D = 40, 6


def test_a_chain_is_as_long_as_what_must_wait():
    class Chain(nn.Module):
        def __init__(self, length):
            super().__init__()
            self.length = length

        def forward(self, X):
            X = X.clone().requires_grad_()
            short = X + 1
            for _ in range(self.length):
                X = X.sin()
            return X + short

    lengths = [steps(Chain(length), torch.zeros(3)) for length in (5, 6, 2000)]
    assert np.diff(lengths).tolist() == [1, 1994]
    # the chain, the sum, and what collects the gradient of X
    assert lengths[0] == 5 + 1 + 1


@pytest.mark.parametrize("way", ["gru", "convolution", "attention", "restricted"])
def test_the_peak_is_the_one_that_torchs_profiler_sees(way):
    layer, X = WAYS[way](32, 0), torch.randn(1, 200, 32)
    experiments.forward_and_backward(layer, X)
    layer.zero_grad()  # the profiler may count a release whose making it did not see
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        experiments.forward_and_backward(layer, X)
    events = record.profiler.kineto_results.events()
    changes = [(e.start_ns(), e.nbytes()) for e in events if e.name() == "[memory]"]
    theirs = np.cumsum([nbytes for _, nbytes in sorted(changes)]).max()
    assert memory(layer, X) == pytest.approx(theirs, rel=0.02)


def test_an_interval_holds_the_exponent_and_is_wide_where_times_vary():
    n, rng = [64, 128, 256, 512, 1024], np.random.default_rng(0)
    widths = []
    for noise in (0.01, 0.3):
        taken = np.array(n) * np.exp(noise * rng.normal(size=(7, 5)))
        slope, low, high = exponent_with_interval(n, taken)
        assert low <= slope <= high
        assert low <= 1 <= high
        widths.append(high - low)
    assert widths[1] > 5 * widths[0]
    same = np.tile(np.array(n) ** 2.0, (7, 1))
    assert exponent_with_interval(n, same) == pytest.approx((2, 2, 2))


def test_influence_is_zero_where_no_path_leads_and_the_gradient_elsewhere():
    X = torch.randn(5, 3).double()
    mixing = torch.ones(5, 5).double()
    mixing[-1] = torch.tensor([0, 2.0, 0, -3, 1])
    found = influence([lambda X: mixing @ X], X)
    np.testing.assert_allclose(found, np.sqrt(3) * np.array([0, 2, 0, 3, 1]))
    assert not X.requires_grad


def test_a_run_has_learned_when_its_loss_first_falls_below():
    losses = ([2.0, 0.05, 0.3, 0.01], [2.0, 1.9, 0.09, 0.2], [2.0, 2.0, 2.0, 0.1])
    curves = {
        seed: LossCurve(np.array([1.0, 3, 5, 7]), np.array(loss), np.zeros(1), 0.0)
        for seed, loss in enumerate(losses)
    }
    after = learned_after(replace(runs.load("carry-4-attention"), curves=curves), 0.1)
    np.testing.assert_array_equal(after, [3, 5, np.inf])
