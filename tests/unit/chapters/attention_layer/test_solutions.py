"""Worked solutions that no check covers."""

import pytest
import torch
import torch.nn.functional as F

from attention_book.chapters.attention_layer import networks, solutions


def test_attend_is_torchs():
    generator = torch.Generator().manual_seed(0)
    shapes = (2, 3, 4), (2, 5, 4), (2, 5, 7)
    Q, K, V = (torch.randn(*shape, generator=generator) for shape in shapes)
    Y, A = solutions.attend(Q, K, V)
    torch.testing.assert_close(Y, F.scaled_dot_product_attention(Q, K, V))
    torch.testing.assert_close(A @ V, Y)


def test_two_heaps_are_told_apart_at_the_best_threshold():
    low, high = torch.tensor([0.1, 0.2, 0.3, 0.9]), torch.tensor([0.7, 0.8, 0.85, 1.0])
    assert solutions.told_apart(high, low) == pytest.approx(7 / 8)
    assert solutions.told_apart(low, low) == pytest.approx(1 / 2)


def test_asked_in_vain_a_network_is_less_sure_and_its_score_knows_best():
    rows = solutions.compare_absent_kind(networks.train(8, steps=250), 200)
    there, gone, apart = rows.values()
    for name in there:
        assert there[name] > gone[name]
    assert apart["score"] > apart["weight"] > apart["chance of its answer"] > 0.8
