"""Norms against torch's layers and our NumPy, in value and gradient."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import reference
from attention_book.layers import (
    FastLayerNorm,
    LayerNorm,
    RMSNorm,
    from_torch,
    to_torch,
)

SHAPE, D = (2, 3, 5, 7), 7
TOLERANCE = 1e-12
TWINS = {LayerNorm: nn.LayerNorm, FastLayerNorm: nn.LayerNorm, RMSNorm: nn.RMSNorm}


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def learned(kind, eps=1e-5):
    """A norm, in double precision, whose scale and shift are not 1 and 0."""
    norm = kind(D, eps=eps).double()
    with torch.no_grad():
        for weights in norm.parameters():
            weights.normal_()
    return norm


@pytest.mark.parametrize("kind", TWINS)
@pytest.mark.parametrize("eps", [1e-5, 0.5])
def test_a_norm_is_torchs_in_value_and_gradient(kind, eps):
    norm, twin = learned(kind, eps), TWINS[kind](D, eps=eps).double()
    for theirs, ours in zip(twin.parameters(), norm.parameters(), strict=True):
        theirs.data.copy_(ours.data)
    X = torch.randn(SHAPE, dtype=torch.float64, requires_grad=True)
    pull = torch.randn_like(X)
    ours, theirs = norm(X), twin(X)
    torch.testing.assert_close(ours, theirs, atol=TOLERANCE, rtol=0)
    for mine, other in zip(
        torch.autograd.grad((ours * pull).sum(), [X, *norm.parameters()]),
        torch.autograd.grad((theirs * pull).sum(), [X, *twin.parameters()]),
        strict=True,
    ):
        torch.testing.assert_close(mine, other, atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("kind", [LayerNorm, FastLayerNorm])
def test_layer_norm_is_its_twin_in_numpy(kind):
    norm, X = learned(kind), torch.randn(SHAPE, dtype=torch.float64)
    gamma, beta = (weights.detach().numpy() for weights in norm.parameters())
    expected = reference.layer_norm(X.numpy(), gamma, beta, norm.eps)
    np.testing.assert_allclose(norm(X).detach(), expected, atol=TOLERANCE)


@pytest.mark.parametrize("kind", TWINS)
def test_what_does_not_fit_a_norm_is_named(as_a_reader, kind):
    with pytest.raises(ValueError, match="D is 0, expected at least 1"):
        kind(0)
    with pytest.raises(ValueError, match="eps is 0, expected a finite number above 0"):
        kind(D, eps=0)
    with pytest.raises(ValueError, match=r"gamma has shape \(7,\), .* D as in X"):
        kind(D)(torch.zeros(3, 8))


@pytest.mark.parametrize("kind", [LayerNorm, FastLayerNorm])
def test_there_and_back_is_the_same_norm(kind):
    norm = learned(kind, eps=0.5)
    back = from_torch(to_torch(norm))
    assert back.eps == 0.5
    for name, weights in norm.state_dict().items():
        assert torch.equal(weights, back.state_dict()[name]), name


@pytest.mark.parametrize(
    "options", [{"bias": False}, {"elementwise_affine": False}, {}], ids=str
)
def test_a_norm_of_torchs_without_scale_or_shift_computes_the_same(options):
    twin, X = nn.LayerNorm(D, **options), torch.randn(SHAPE)
    for weights in twin.parameters():
        weights.data.normal_()
    torch.testing.assert_close(from_torch(twin)(X), twin(X))


def test_a_norm_of_torchs_over_two_axes_is_named():
    with pytest.raises(ValueError, match=r"normalized_shape=\(3, 8\), expected one"):
        from_torch(nn.LayerNorm((3, 8)))


def test_another_norm_is_named():
    with pytest.raises(TypeError, match=r"layer is a RMSNorm, expected .* a LayerNorm"):
        to_torch(RMSNorm(D))
    with pytest.raises(
        TypeError, match=r"twin is a RMSNorm, expected .* nn\.LayerNorm"
    ):
        from_torch(nn.RMSNorm(D))
