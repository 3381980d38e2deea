"""Restricted self-attention in blocks against self-attention with a mask."""

import pytest
import torch
from parity import agree, all_slopes, leaf

from attention_book.layers import SelfAttention, WindowSelfAttention, window_mask

D_X, D_Q, D_V = 4, 3, 5


@pytest.mark.parametrize("N_X", [1, 5, 6, 7, 17])
@pytest.mark.parametrize("r", [1, 2, 3, 6, 20])
@pytest.mark.parametrize("axes", [(), (2,), (2, 3)])
def test_blocks_are_the_masked_layer_in_value_and_gradient(N_X, r, axes):
    window = WindowSelfAttention(D_X, D_Q, D_V, r).double()
    masked = SelfAttention(D_X, D_Q, D_V).double()
    masked.load_state_dict(window.state_dict())
    X = leaf(*axes, N_X, D_X)
    (Y, _), (twin, _) = window(X), masked(X, window_mask(N_X, r))
    agree(Y, twin)
    agree(all_slopes(Y, window, X=X), all_slopes(twin, masked, X=X))


def test_weights_in_blocks_are_those_of_the_masked_layer():
    N_X, r = 7, 3
    window, X = WindowSelfAttention(D_X, D_Q, D_V, r), torch.randn(N_X, D_X)
    blocks = window(X)[1]
    _, A = SelfAttention.forward(window, X, window_mask(N_X, r))
    for i in range(N_X):
        b = i // r
        row = torch.zeros(N_X)
        for column, weight in enumerate(blocks[b, i % r]):
            j = b * r + column - r
            if 0 <= j < N_X:
                row[j] = weight
            else:
                assert weight == 0
        torch.testing.assert_close(row, A[i])


def test_its_scores_grow_with_n_and_not_with_n_squared():
    window = WindowSelfAttention(D_X, D_Q, D_V, r=8)
    sizes = [window(torch.randn(N_X, D_X))[1].numel() for N_X in (64, 128, 256)]
    assert sizes == [N_X * 3 * 8 for N_X in (64, 128, 256)]


def test_what_does_not_fit_is_named(as_a_reader):
    with pytest.raises(ValueError, match="r is 0, expected at least 1"):
        WindowSelfAttention(D_X, D_Q, D_V, r=0)
    with pytest.raises(ValueError, match="D_V is 0, expected at least 1"):
        WindowSelfAttention(D_X, D_Q, 0, r=2)
    with pytest.raises(ValueError, match=r"W_Q has shape \(4, 3\), .* as in X"):
        WindowSelfAttention(D_X, D_Q, D_V, r=2)(torch.zeros(5, 9))
