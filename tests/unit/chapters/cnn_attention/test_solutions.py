"""The worked solutions, against the module and its count."""

import numpy as np
import torch

from attention_book.chapters.cnn_attention.solutions import (
    count_numbers,
    grid_self_attention,
)
from attention_book.layers import GridSelfAttention
from attention_book.models import N_weights
from attention_book.training import seeded


def made():
    with seeded(0):
        layer = GridSelfAttention(5, 3, 4).double()
        layer.gate.data.fill_(-0.4)
        return layer, torch.randn(2, 5, 2, 6, dtype=torch.double)


def test_numpy_and_the_module_agree_for_a_batch_and_for_one_picture():
    layer, grid = made()
    attend = layer.attend
    weights = attend.W_Q, attend.W_K, attend.W_V, layer.W_O
    arguments = [*(W.detach().numpy() for W in weights), layer.gate.item()]
    theirs = [result.detach().numpy() for result in layer(grid)]
    batch = grid_self_attention(grid.numpy(), *arguments)
    one = grid_self_attention(grid[0].numpy(), *arguments)
    for of_batch, of_one, their in zip(batch, one, theirs, strict=True):
        np.testing.assert_allclose(of_batch, their, atol=1e-12)
        np.testing.assert_allclose(of_one, their[0], atol=1e-12)


def test_the_count_is_that_of_the_module():
    layer, grid = made()
    assert count_numbers(2, 6, 5, 3, 4) == (
        N_weights(layer),
        layer(grid[:1])[1].numel(),
    )
