"""Several heads against torch's layer and our NumPy, in value and gradient."""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book import reference
from attention_book.layers import (
    FastMultiHeadSelfAttention,
    MultiHeadSelfAttention,
    SelfAttention,
    causal_mask,
    from_torch,
    padding_mask,
    to_torch,
    window_mask,
)

B, N, D, N_heads = 3, 5, 12, 4
TOLERANCE = 1e-12
LAYERS = [MultiHeadSelfAttention, FastMultiHeadSelfAttention]
LENGTHS = torch.tensor([2, 5, 3])
HIDING = {  # ours, and what torch's layer wants: its opposite, in two places
    "nothing": (None, {}),
    "causal": (causal_mask(N), {"attn_mask": ~causal_mask(N)}),
    "window": (window_mask(N, 2), {"attn_mask": ~window_mask(N, 2)}),
    "padding": (
        padding_mask(LENGTHS, N)[:, None],
        {"key_padding_mask": ~padding_mask(LENGTHS, N)},
    ),
    "both": (
        causal_mask(N) & padding_mask(LENGTHS, N)[:, None],
        {"attn_mask": ~causal_mask(N), "key_padding_mask": ~padding_mask(LENGTHS, N)},
    ),
    "each item's own": (
        torch.eye(N).bool() | padding_mask(LENGTHS, N)[:, :, None],
        {
            "attn_mask": ~(
                torch.eye(N).bool() | padding_mask(LENGTHS, N)[:, :, None]
            ).repeat_interleave(N_heads, dim=0)
        },
    ),
}


@pytest.fixture(autouse=True)
def _seed():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def agree(ours, theirs):
    torch.testing.assert_close(ours, theirs, atol=TOLERANCE, rtol=0)


def slopes(Y, leaves):
    """Gradients of a fixed mixture of all outputs."""
    pull = torch.sin(torch.arange(Y.numel(), dtype=Y.dtype)).view_as(Y)
    return torch.autograd.grad((Y * pull).sum(), leaves)


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("heads", [1, N_heads])
def test_heads_are_torchs_in_value_and_gradient(kind, hiding, heads):
    visible, theirs = HIDING[hiding]
    if heads == 1 and hiding == "each item's own":
        theirs = {"attn_mask": ~visible}
    layer, X = kind(D, heads).double(), leaf(B, N, D)
    twin = to_torch(layer)
    (Y, A), (Y_twin, A_twin) = (
        layer(X, visible),
        twin(X, X, X, average_attn_weights=False, **theirs),
    )
    agree(Y, Y_twin)
    if A is not None:
        agree(A, A_twin)
    of_X, *of_W = slopes(Y, [X, *layer.parameters()])
    of_X_twin, of_all, of_O = slopes(
        Y_twin, [X, twin.in_proj_weight, twin.out_proj.weight]
    )
    agree(of_X, of_X_twin)
    for ours, their in zip(of_W, [*of_all.chunk(3), of_O], strict=True):
        agree(ours, their.T)


@pytest.mark.parametrize("kind", LAYERS)
def test_heads_are_their_twin_in_numpy(kind):
    layer, X, visible = kind(D, N_heads).double(), leaf(B, N, D), HIDING["both"][0]
    W = [W.detach().numpy() for W in layer.parameters()]
    Y, A = reference.multi_head(X.detach().numpy(), *W, N_heads, visible.numpy())
    ours, weights = layer(X, visible)
    np.testing.assert_allclose(ours.detach(), Y, atol=TOLERANCE)
    if weights is not None:
        np.testing.assert_allclose(weights.detach(), A, atol=TOLERANCE)


@pytest.mark.parametrize("bare", [True, False])
def test_weights_of_torchs_layer_carried_over_compute_the_same(bare):
    twin = nn.MultiheadAttention(D, N_heads, bias=False, batch_first=True).double()
    layer, X = from_torch(twin), leaf(N, D) if bare else leaf(B, N, D)
    theirs, weights = twin(X, X, X, average_attn_weights=False)
    Y, A = layer(X)
    agree(Y, theirs)
    agree(A, weights)
    layer.W_V.data.zero_()  # a copy: torch's keeps its own
    assert twin.in_proj_weight.abs().min() > 0


def test_there_and_back_is_the_same_layer():
    layer = MultiHeadSelfAttention(D, N_heads)
    back = from_torch(to_torch(layer))
    assert back.N_heads == N_heads
    for (name, W), other in zip(
        layer.named_parameters(), back.parameters(), strict=True
    ):
        assert torch.equal(W, other), name


def test_one_head_with_the_identity_behind_it_is_self_attention():
    single, X = SelfAttention(D, D, D).double(), leaf(B, N, D)
    Y, A = single(X)
    same, weights = from_torch(to_torch(single))(X)
    agree(same, Y)
    agree(weights[:, 0], A)


@pytest.mark.parametrize("kind", LAYERS)
def test_a_mask_may_be_one_row_for_all(kind):
    layer, X = kind(D, N_heads), torch.randn(B, N, D)
    row = torch.tensor([True, True, False, True, False])
    agree(layer(X, row)[0], layer(X, row.expand(N, N))[0])


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize(
    ("visible", "says"),
    [
        (torch.ones(N, N), "visible is torch.float32 .* expected bool"),
        (torch.ones(2, N, N).bool(), r"shape \(2, 5, 5\), expected \(3, 5, 5\), or"),
        (torch.ones(B, N).bool(), r"shape \(3, 5\), expected \(3, 5, 5\), or what"),
        (torch.ones(N, N).bool().tril(-1), "False everywhere in row 0"),
    ],
)
def test_a_wrong_mask_is_named(as_a_reader, kind, visible, says):
    with pytest.raises(ValueError, match=says):
        kind(D, N_heads)(torch.zeros(B, N, D), visible)


@pytest.mark.parametrize("kind", LAYERS)
def test_what_does_not_fit_is_named(as_a_reader, kind):
    with pytest.raises(ValueError, match="D is 12, expected a multiple of 5"):
        kind(D, 5)
    with pytest.raises(ValueError, match="N_heads is 0, expected at least 1"):
        kind(D, 0)
    with pytest.raises(ValueError, match="D is 0, expected at least 1"):
        kind(0, 2)
    with pytest.raises(ValueError, match=r"W_Q has shape \(12, 12\), .* D as in X"):
        kind(D, N_heads)(torch.zeros(N, 9))


@pytest.mark.parametrize(
    ("twin", "says"),
    [
        (
            {"bias": False, "kdim": 3},
            "keys of width 3 and values of width 12, expected",
        ),
        (
            {"bias": False, "vdim": 5},
            "keys of width 12 and values of width 5, expected",
        ),
        ({"bias": False, "batch_first": False}, "twin has batch_first=False"),
        ({"bias": False, "add_bias_kv": True}, "twin has add_bias_kv=True"),
        ({"bias": False, "add_zero_attn": True}, "add_zero_attn=True"),
        ({"bias": False, "dropout": 0.5}, "dropout=0.5"),
    ],
)
def test_a_layer_that_cannot_be_carried_over_is_named(twin, says):
    with pytest.raises(ValueError, match=says):
        from_torch(nn.MultiheadAttention(D, N_heads, **{"batch_first": True} | twin))


@pytest.mark.parametrize("where", ["in_proj_bias", "out_proj.bias"])
def test_biases_that_are_not_0_are_named(where):
    twin = nn.MultiheadAttention(D, N_heads, batch_first=True)
    from_torch(twin)  # torch's biases start at 0, and may stay there
    twin.get_parameter(where).data[0] = 0.1
    with pytest.raises(ValueError, match="biases in its attention, expected none, or"):
        from_torch(twin)


def test_an_added_key_is_named_when_it_is_0():
    twin = nn.MultiheadAttention(D, N_heads, add_bias_kv=True, batch_first=True)
    twin.bias_k.data.zero_()
    twin.bias_v.data.zero_()
    with pytest.raises(ValueError, match=r"add_bias_kv=True, .* expected none of them"):
        from_torch(twin)


def test_another_layer_of_torch_is_named(as_a_reader):
    with pytest.raises(TypeError, match=r"twin is a Linear, expected an nn.Multihead"):
        from_torch(nn.Linear(3, 3))
