"""The worked solutions, against the module and its count."""

import numpy as np
import torch

from attention_book.chapters.cnn_attention.solutions import (
    cells,
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
    given = (
        W.detach().numpy() for W in (attend.W_Q, attend.W_K, attend.W_V, layer.W_O)
    )
    arguments = [*given, layer.gate.item()]
    theirs = [result.detach().numpy() for result in layer(grid)]
    for ours, their in zip(
        grid_self_attention(grid.numpy(), *arguments), theirs, strict=True
    ):
        np.testing.assert_allclose(ours, their, atol=1e-12)
    for ours, their in zip(
        grid_self_attention(grid[0].numpy(), *arguments), theirs, strict=True
    ):
        np.testing.assert_allclose(ours, their[0], atol=1e-12)


def test_the_count_is_that_of_the_module():
    layer, grid = made()
    assert count_numbers(2, 6, 5, 3, 4) == (
        N_weights(layer),
        layer(grid[:1])[1].numel(),
    )


def test_cells_are_vectors_row_by_row():
    grid = torch.arange(2)[:, None, None] * 100 + torch.arange(6.0).view(1, 2, 3)
    assert cells(grid[None])[0].tolist() == [[n, 100 + n] for n in range(6)]
