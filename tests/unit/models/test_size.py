"""What is counted, on models of which it is known."""

import pytest
import torch
from torch import nn

from attention_book.layers import SelfAttention
from attention_book.models import (
    GPT,
    GPTConfig,
    N_bytes_kept,
    N_products,
    N_weights,
)

D_X, D_Y = 5, 7


def test_every_number_that_is_learned_is_counted_once():
    layer = nn.Linear(D_X, D_Y)
    assert N_weights(layer) == D_X * D_Y + D_Y
    assert N_weights(nn.Sequential(layer, nn.ReLU(), layer)) == D_X * D_Y + D_Y


def test_products_are_those_of_the_matrices():
    linear = nn.Linear(D_X, D_Y)
    assert N_products(linear, torch.zeros(3, 11, D_X)) == 3 * 11 * D_X * D_Y
    N, D = 4, 6
    counted = N_products(SelfAttention(D, D, D), torch.zeros(2, N, D))
    assert counted == 2 * (3 * N * D * D + 2 * N * N * D)


def test_attention_in_a_fast_kernel_is_counted_too():
    N, D, N_words = 4, 8, 10
    gpt = GPT(GPTConfig(N_words, D=D, D_hidden=4 * D, N_blocks=2, N_positions=N))
    block = 12 * N * D * D + 2 * N * N * D
    counted = N_products(gpt, torch.zeros(1, N, dtype=torch.long))
    assert counted == 2 * block + N * D * N_words


def test_nothing_is_kept_for_the_way_back():
    outputs = []

    class Watched(nn.Linear):
        def forward(self, X):
            outputs.append(super().forward(X))

    N_products(Watched(D_X, D_Y), torch.zeros(D_X))
    assert not outputs[0].requires_grad


def test_products_that_cannot_be_counted_are_not_none():
    for layer in (nn.ReLU(), nn.LayerNorm(3)):
        assert N_products(layer, torch.zeros(3)) == 0
    fused = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    with pytest.raises(ValueError, match="model is MultiheadAttention, whose products"):
        N_products(fused, *[torch.zeros(1, 3, 8)] * 3)


def test_what_is_kept_for_the_way_back_is_counted_once_and_without_weights():
    X, layer = torch.ones(3, D_X, requires_grad=True), nn.Linear(D_X, D_Y)

    def run():
        return layer(X).sigmoid() * layer(X)

    # X, though saved twice; what the sigmoid gives; what the second layer gives
    assert N_bytes_kept(layer, run) == 4 * 3 * (D_X + 2 * D_Y)
    with pytest.raises(ValueError, match="run gives a tensor without"):
        N_bytes_kept(layer, X.detach().sum)
