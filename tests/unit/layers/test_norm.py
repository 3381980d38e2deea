"""Norms against torch's layers and our NumPy, in value and gradient."""

import numpy as np
import pytest
import torch
from parity import agree, leaf, slopes, stirred
from torch import nn

from attention_book import reference
from attention_book.layers import FastLayerNorm, LayerNorm, RMSNorm, to_torch

SHAPE, D = (2, 3, 5, 7), 7
KINDS = [LayerNorm, FastLayerNorm, RMSNorm]


def twin_of(norm):
    if isinstance(norm, LayerNorm):
        return to_torch(norm)
    twin = nn.RMSNorm(D, eps=norm.eps).double()
    twin.weight.data.copy_(norm.gamma)
    return twin


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("eps", [1e-5, 0.5])
def test_a_norm_is_torchs_in_value_and_gradient(kind, eps):
    norm, X = stirred(kind(D, eps=eps)), leaf(*SHAPE)
    twin = twin_of(norm)
    ours, theirs = norm(X), twin(X)
    agree(ours, theirs)
    agree(
        slopes(ours, [X, *norm.parameters()]), slopes(theirs, [X, *twin.parameters()])
    )


@pytest.mark.parametrize("kind", [LayerNorm, FastLayerNorm])
def test_layer_norm_is_its_twin_in_numpy(kind):
    norm, X = stirred(kind(D)), torch.randn(SHAPE, dtype=torch.float64)
    gamma, beta = (weights.detach().numpy() for weights in norm.parameters())
    expected = reference.layer_norm(X.numpy(), gamma, beta, norm.eps)
    np.testing.assert_allclose(norm(X).detach(), expected, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_a_norm_is_named(as_a_reader, kind):
    with pytest.raises(ValueError, match="D is 0, expected at least 1"):
        kind(0)
    with pytest.raises(ValueError, match="eps is 0, expected a finite number above 0"):
        kind(D, eps=0)
    with pytest.raises(ValueError, match=r"gamma has shape \(7,\), .* D as in X"):
        kind(D)(torch.zeros(3, 8))


def test_a_norm_that_cannot_be_carried_over_is_named():
    with pytest.raises(TypeError, match=r"layer is a RMSNorm, expected .* a LayerNorm"):
        to_torch(RMSNorm(D))
