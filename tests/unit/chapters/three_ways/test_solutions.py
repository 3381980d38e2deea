"""Worked solutions against what nobody here wrote, and what their page says of them."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import layers
from attention_book.chapters.three_ways import experiments
from attention_book.chapters.three_ways.bug import BUG_HUNT
from attention_book.chapters.three_ways.solutions import (
    causal_convolution,
    memory_of_the_name,
    sees,
    work,
)
from attention_book.models import N_products

N, D = 7, 6


def test_the_work_is_what_torch_counts_in_our_layers():
    counted = work(n=N, d=D, k=3)
    X = torch.zeros(1, N, D)
    for way, layer in {
        "gru": layers.GRU(D, D),
        "convolution": layers.Convolution(D, D, k=3),
        "attention": layers.SelfAttention(D, D, D),
    }.items():
        assert N_products(layer, X) == counted[way]


@pytest.mark.parametrize("N_layers", [0, 1, 2, 3])
def test_who_sees_whom_is_what_gradients_say(N_layers):
    visible = layers.window_mask(N, 3).triu(-1) & ~torch.eye(N).bool()
    A = visible * torch.rand(N, N)

    def stacked(X):
        for _ in range(N_layers):
            X = A @ X
        return X

    J = torch.autograd.functional.jacobian(stacked, torch.randn(N, 1))
    depends = J.abs().amax(dim=(1, 3)) > 0
    np.testing.assert_array_equal(depends, sees(visible.numpy(), N_layers))


@pytest.mark.parametrize("k", [1, 3, 4])
def test_the_causal_convolution_is_torchs_padded_in_front(k):
    X, W = torch.randn(2, N, D), torch.randn(k, D, 5)
    front = nn.functional.pad(X.mT, (k - 1, 0))
    theirs = nn.functional.conv1d(front, W.permute(2, 1, 0)).mT
    torch.testing.assert_close(causal_convolution(X, W), theirs)


def test_the_bug_looks_ahead_and_the_repaired_one_does_not():
    X, W = torch.randn(N, D), torch.randn(3, D, D)
    ahead = X.clone()
    ahead[4:] += 1
    for convolution, moves in ((causal_convolution, False), (BUG_HUNT.broken, True)):
        moved = (convolution(X, W) - convolution(ahead, W))[:4].abs().max() > 0
        assert moved == moves


def test_what_the_folded_answers_say():
    """The bug reaches what nobody can; repaired it only guesses."""
    assert experiments.next_word_loss(BUG_HUNT.broken) < 0.05
    assert 2.05 < experiments.next_word_loss(causal_convolution) < 2.2


def test_a_trained_memory_lasts_beyond_the_words_of_training():
    kept = memory_of_the_name(range(12, 49, 12))
    assert max(kept["fresh"][1:]) < 1e-4
    assert min(kept["trained"]) > 0.1
