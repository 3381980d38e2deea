"""The convolution to be read against torch's, in value and gradient."""

import pytest
import torch
from torch import nn

from attention_book.layers import Convolution

N_X, D_X, D_Y = 7, 4, 6


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


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
    twin, X = twin_of(layer), torch.randn(3, N_X, D_X).double().requires_grad_()
    Y, Y_twin = layer(X), twin(X.mT).mT
    torch.testing.assert_close(Y, Y_twin, atol=1e-12, rtol=0)
    pull = torch.randn_like(Y)
    of_X, of_W, of_b = torch.autograd.grad((Y * pull).sum(), [X, layer.W, layer.b])
    theirs = torch.autograd.grad((Y_twin * pull).sum(), [X, *twin.parameters()])
    for ours, their in zip((of_X, of_W.permute(2, 1, 0), of_b), theirs, strict=True):
        torch.testing.assert_close(ours, their, atol=1e-12, rtol=0)


def test_it_starts_as_torchs_does_and_takes_any_axes_in_front():
    layer, torchs = Convolution(300, 200, 3), nn.Conv1d(300, 200, 3)
    for ours, theirs in ((layer.W, torchs.weight), (layer.b, torchs.bias)):
        assert torch.isclose(ours.abs().max(), theirs.abs().max(), rtol=0.02)
    small, X = Convolution(D_X, D_Y, 3), torch.randn(2, 3, N_X, D_X)
    torch.testing.assert_close(small(X)[1, 2], small(X[1, 2]))


def test_what_does_not_fit_is_named(as_a_reader):
    for k in (2, 4):
        with pytest.raises(ValueError, match=f"k is {k}, expected an odd number"):
            Convolution(D_X, D_Y, k)
    for name, widths in (("D_X", (0, 4)), ("D_X", (-1, 4)), ("D_Y", (3, 0))):
        with pytest.raises(ValueError, match=f"{name} is .*, expected at least 1"):
            Convolution(*widths, 3)
    with pytest.raises(ValueError, match="k is 0, expected at least 1"):
        Convolution(D_X, D_Y, 0)
    with pytest.raises(ValueError, match="dilation is 0, expected at least 1"):
        Convolution(D_X, D_Y, 3, 0)
    with pytest.raises(ValueError, match=r"W has shape \(3, 4, 6\), .* D_X as in X"):
        Convolution(D_X, D_Y, 3)(torch.zeros(5, 9))
