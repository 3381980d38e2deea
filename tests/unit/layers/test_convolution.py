"""The convolution to be read against torch's, in value and gradient."""

import pytest
import torch
from parity import agree, leaf, slopes
from torch import nn

from attention_book.layers import Convolution

N_X, D_X, D_Y = 7, 4, 6


def twin_of(layer):
    """Torch's layer with the same weights; it wants its widths in front."""
    k = len(layer.W)
    twin = nn.Conv1d(
        D_X, D_Y, k, padding=layer.dilation * (k // 2), dilation=layer.dilation
    )
    twin.weight.data = layer.W.detach().permute(2, 1, 0).clone()
    twin.bias.data = layer.b.detach().clone()
    return twin


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("dilation", [1, 2, 8])
def test_it_is_torchs_in_value_and_gradient(k, dilation):
    layer = Convolution(D_X, D_Y, k, dilation).double()
    twin, X = twin_of(layer), leaf(3, N_X, D_X)
    Y, Y_twin = layer(X), twin(X.mT).mT
    agree(Y, Y_twin)
    of_X, of_W, of_b = slopes(Y, [X, layer.W, layer.b])
    agree((of_X, of_W.permute(2, 1, 0), of_b), slopes(Y_twin, [X, *twin.parameters()]))


def test_it_starts_as_torchs_does_and_takes_any_axes_in_front():
    layer, torchs = Convolution(300, 200, 3), nn.Conv1d(300, 200, 3)
    for ours, theirs in ((layer.W, torchs.weight), (layer.b, torchs.bias)):
        assert torch.isclose(ours.abs().max(), theirs.abs().max(), rtol=0.02)
    small, X = Convolution(D_X, D_Y, 3), torch.randn(2, 3, N_X, D_X)
    torch.testing.assert_close(small(X)[1, 2], small(X[1, 2]))


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ((D_X, D_Y, 2), "k is 2, expected an odd number"),
        ((0, D_Y, 3), "D_X is 0, expected at least 1"),
        ((D_X, 0, 3), "D_Y is 0, expected at least 1"),
        ((D_X, D_Y, 0), "k is 0, expected at least 1"),
        ((D_X, D_Y, 3, 0), "dilation is 0, expected at least 1"),
        ((D_X, D_Y, 3), r"W has shape \(3, 4, 6\), .* D_X as in X"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, sizes, says):
    with pytest.raises(ValueError, match=says):
        Convolution(*sizes)(torch.zeros(5, 9))
