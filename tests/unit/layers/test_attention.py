"""Attention layers against torch's and our NumPy, in value and gradient."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from parity import agree, leaf, slopes
from torch import nn

from attention_book import reference
from attention_book.layers import (
    Attention,
    RotarySelfAttention,
    SelfAttention,
    WindowSelfAttention,
    attention,
    to_torch,
)

B, N_Q, N_X, D_Q, D_X, D_V = 2, 3, 5, 4, 6, 7


def masks(N_Q):
    """Every form that broadcasts to the scores; each row shows something."""
    each = torch.rand(B, N_Q, N_X, generator=torch.Generator().manual_seed(3)) < 0.5
    each[..., 1] = True
    return {"none": None, "each": each, "one": each[0], "padding": each[:, :1]}


@pytest.mark.parametrize("mask", ["none", "each", "one", "padding"])
def test_attention_is_torchs_in_value_and_gradient(mask):
    visible, leaves = masks(N_Q)[mask], (leaf(B, N_Q, D_Q), leaf(B, N_X, D_Q))
    leaves = (*leaves, leaf(B, N_X, D_V))
    Y, A = attention(*leaves, visible)
    theirs = F.scaled_dot_product_attention(*leaves, attn_mask=visible)
    agree(Y, theirs)
    agree(A @ leaves[2], theirs)
    agree(slopes(Y, leaves), slopes(theirs, leaves))


@pytest.mark.parametrize("mask", ["none", "each", "one", "padding"])
def test_each_layer_is_its_twin_in_numpy(mask):
    layer, own = (
        Attention(D_X, D_Q, D_V).double(),
        SelfAttention(D_X, D_Q, D_V).double(),
    )
    Q, X, visible = leaf(B, N_X, D_Q), leaf(B, N_X, D_X), masks(N_X)[mask]
    seen = None if visible is None else visible.numpy()
    x, q = X.detach().numpy(), Q.detach().numpy()
    K, V = (x @ W.detach().numpy() for W in (layer.W_K, layer.W_V))
    W = (W.detach().numpy() for W in (own.W_Q, own.W_K, own.W_V))
    for ours, theirs in [
        (layer(Q, X, visible), reference.attention(q, K, V, seen)),
        (own(X, visible), reference.self_attention(x, *W, seen)),
    ]:
        for our, their in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(our.detach(), their, atol=1e-12)


@pytest.mark.parametrize("mask", ["none", "one"])
def test_weights_carried_to_torchs_layer_compute_the_same(mask):
    layer, X = SelfAttention(D_X, D_X, D_X).double(), leaf(B, N_X, D_X)
    visible = masks(N_X)[mask]
    Y, A = layer(X, visible)
    hidden = None if visible is None else ~visible
    theirs, weights = to_torch(layer)(X, X, X, attn_mask=hidden)
    agree((Y, A), (theirs, weights))
    agree(slopes(Y, [X]), slopes(theirs, [X]))


def test_what_is_hidden_gets_exactly_nothing_and_no_gradient():
    X, visible = leaf(N_X, D_X), torch.ones(N_X, N_X, dtype=torch.bool)
    visible[0, 3:] = False
    Y, A = SelfAttention(D_X, D_Q, D_V).double()(X, visible)
    assert (A[0, 3:] == 0).all()
    assert (torch.autograd.grad(Y[0].sum(), X)[0][3:] == 0).all()


def test_a_new_matrix_is_filled_as_torch_fills_its_own():
    ours, theirs = SelfAttention(400, 300, 2).W_Q, nn.Linear(400, 300).weight
    for size in (lambda W: W.abs().max().item(), lambda W: W.std().item()):
        assert size(ours) == pytest.approx(size(theirs), rel=0.02)


@pytest.mark.parametrize(
    ("visible", "says"),
    [
        (torch.ones(N_X, N_X), "visible is torch.float32 .* expected bool"),
        (torch.ones(N_X, 1).bool(), r"shape \(5, 1\), expected \(2, 5, 5\), or what"),
        (torch.ones(3, N_X, N_X).bool(), r"shape \(3, 5, 5\), expected \(2, 5, 5\)"),
        (torch.ones(1, B, N_X, N_X).bool(), r"shape \(1, 2, 5, 5\)"),
        (torch.eye(N_X).bool().logical_not().tril(), "False everywhere in row 0"),
    ],
)
def test_a_wrong_mask_is_named(as_a_reader, visible, says):
    with pytest.raises(ValueError, match=says):
        SelfAttention(D_X, D_Q, D_V)(torch.zeros(B, N_X, D_X), visible)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Attention(0, D_Q, D_V), "D_X is 0, expected at least 1"),
        (lambda: SelfAttention(D_X, 0, D_V), "D_Q is 0"),
        (
            lambda: Attention(D_X, D_Q, D_V)(torch.zeros(3, D_Q), torch.zeros(5, 9)),
            r"W_K has shape \(6, 4\), .* D_X as in X",
        ),
        (
            lambda: Attention(D_X, D_Q, D_V)(torch.zeros(3, 9), torch.zeros(5, D_X)),
            r"K has shape \(5, 4\), .* D_Q as in Q",
        ),
        (
            lambda: SelfAttention(D_X, D_Q, D_V)(torch.zeros(N_X, 9)),
            r"W_Q has shape \(6, 4\)",
        ),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_a_layer_that_cannot_be_carried_over_is_named():
    with pytest.raises(ValueError, match="D_X is 6 but D_Q is 4: torch's layer has"):
        to_torch(SelfAttention(D_X, D_Q, D_X))
    more = "expected .* and no more, such as positions or a window"
    for layer in (
        RotarySelfAttention(D_X, D_X, D_X),
        WindowSelfAttention(D_X, D_X, D_X, r=2),
    ):
        with pytest.raises(TypeError, match=f"{type(layer).__name__}, {more}"):
            to_torch(layer)
