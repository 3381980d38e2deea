"""Attention in tiles against attention, in value and gradient."""

import pytest
import torch
from parity import agree, leaf, slopes

from attention_book.layers import attention, tiled_attention

N_Q, N_X, D_Q, D_V = 70, 133, 8, 5


@pytest.mark.parametrize("recompute", [False, True])
@pytest.mark.parametrize("tile", [5, 64, 200])
@pytest.mark.parametrize("axes", [(), (2, 3)])
@pytest.mark.parametrize("scale", [1.0, 30.0])  # exp of the largest score overflows
def test_tiles_are_attention_in_value_and_gradient(recompute, tile, axes, scale):
    Q, K = leaf(*axes, N_Q, D_Q, scale=scale), leaf(*axes, N_X, D_Q, scale=scale)
    V = leaf(*axes, N_X, D_V)
    Y, (twin, _) = tiled_attention(Q, K, V, tile, recompute), attention(Q, K, V)
    agree(Y, twin, 1e-10)
    agree(slopes(Y, [Q, K, V]), slopes(twin, [Q, K, V]), 1e-10)


def test_only_recomputing_tiles_keep_no_scores_for_the_way_back():
    Q, K, V = leaf(N_Q, D_Q), leaf(N_X, D_Q), leaf(N_X, D_V)

    def saved(**how):
        kept = {}

        def keep(tensor):
            storage = tensor.untyped_storage()
            kept[storage.data_ptr()] = storage.nbytes() // tensor.itemsize
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            tiled_attention(Q, K, V, 16, **how)
        return sum(kept.values())

    assert saved() > N_Q * N_X
    assert saved(recompute=True) == Q.numel() + K.numel() + V.numel()


def test_what_does_not_fit_is_named(as_a_reader):
    Q, K, V = torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(5, 7)
    with pytest.raises(ValueError, match="tile is 0, expected at least 1"):
        tiled_attention(Q, K, V, tile=0)
    with pytest.raises(ValueError, match=r"K has shape \(5, 4\), .* D_Q as in Q"):
        tiled_attention(torch.zeros(3, 6), K, V)
