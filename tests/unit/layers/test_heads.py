"""Several heads against torch's layer and our NumPy, in value and gradient."""

import numpy as np
import pytest
import torch
from parity import agree, all_slopes, leaf, torchs_slopes

from attention_book import reference
from attention_book.layers import (
    FastMultiHeadAttention,
    MultiHeadAttention,
    SelfAttention,
    causal_mask,
    padding_mask,
    to_torch,
    window_mask,
)

B, N, N_X, D, N_heads = 3, 5, 6, 12, 4
read_and_fast = pytest.mark.parametrize(
    "kind", [MultiHeadAttention, FastMultiHeadAttention]
)
REAL = padding_mask(torch.tensor([2, 5, 3]), N)
OWN = torch.eye(N).bool() | REAL[:, :, None]
HIDING = {  # ours, and what torch's layer wants: its opposite, in two places
    "nothing": (None, {}),
    "window": (window_mask(N, 2), {"attn_mask": ~window_mask(N, 2)}),
    "padding": (REAL[:, None], {"key_padding_mask": ~REAL}),
    "both": (
        causal_mask(N) & REAL[:, None],
        {"attn_mask": ~causal_mask(N), "key_padding_mask": ~REAL},
    ),
    "each item's own": (OWN, {"attn_mask": ~OWN.repeat_interleave(N_heads, dim=0)}),
}
X_REAL = padding_mask(torch.tensor([2, 6, 3]), N_X)
SOME = torch.ones(N, N_X).bool().tril(1)
HIDING_CONTEXT = {
    "nothing": (None, {}),
    "padding": (X_REAL[:, None], {"key_padding_mask": ~X_REAL}),
    "both": (
        SOME & X_REAL[:, None],
        {"attn_mask": ~SOME, "key_padding_mask": ~X_REAL},
    ),
}


def is_torchs(layer, visible, masks, X, **context):
    twin, other = to_torch(layer), context.get("context", X)
    Y, A = layer(X, visible, **context)
    Y_twin, A_twin = twin(X, other, other, average_attn_weights=False, **masks)
    agree(Y, Y_twin)
    assert (A is None) == (type(layer) is FastMultiHeadAttention)
    if A is not None:
        agree(A, A_twin)
    agree(
        all_slopes(Y, layer, X=X, **context),
        torchs_slopes(Y_twin, twin, X=X, **context),
    )


@read_and_fast
@pytest.mark.parametrize("hiding", HIDING)
def test_self_attention_is_torchs_in_value_and_gradient(kind, hiding):
    is_torchs(kind(D, N_heads).double(), *HIDING[hiding], leaf(B, N, D))


@read_and_fast
@pytest.mark.parametrize("hiding", HIDING_CONTEXT)
def test_cross_attention_is_torchs_in_value_and_gradient(kind, hiding):
    layer, X, context = kind(D, N_heads).double(), leaf(B, N, D), leaf(B, N_X, D)
    is_torchs(layer, *HIDING_CONTEXT[hiding], X, context=context)


@read_and_fast
def test_heads_are_their_twin_in_numpy(kind):
    layer, X, visible = kind(D, N_heads).double(), leaf(B, N, D), HIDING["both"][0]
    W = [W.detach().numpy() for W in layer.parameters()]
    expected = reference.multi_head(X.detach().numpy(), *W, N_heads, visible.numpy())
    for ours, theirs in zip(layer(X, visible), expected, strict=True):
        if ours is not None:
            np.testing.assert_allclose(ours.detach(), theirs, atol=1e-12)


@read_and_fast
def test_one_head_over_a_context_is_its_twin_in_numpy(kind):
    layer, X, context = kind(D, 1).double(), leaf(B, N, D), leaf(B, N_X, D)
    *W, W_O = (W.detach().numpy() for W in layer.parameters())
    visible = X_REAL[:, None].expand(-1, N, -1)
    arrays = X.detach().numpy(), context.detach().numpy()
    Y, _ = reference.cross_attention(*arrays, *W, visible.numpy())
    ours, _ = layer(X, visible, context)
    np.testing.assert_allclose(ours.detach(), Y @ W_O, atol=1e-12)


def test_one_head_with_the_identity_behind_it_is_self_attention():
    single, X = SelfAttention(D, D, D).double(), leaf(B, N, D)
    layer = MultiHeadAttention(D, 1).double()
    layer.load_state_dict(single.state_dict() | {"W_O": torch.eye(D)})
    Y, A = layer(X)
    agree((Y, A[:, 0]), single(X))


@read_and_fast
def test_a_mask_may_be_one_row_for_all(kind):
    layer, X = kind(D, N_heads), torch.randn(B, N, D)
    row = torch.tensor([True, True, False, True, False])
    agree(layer(X, row)[0], layer(X, row.expand(N, N))[0])


def test_other_weights_are_the_ones_that_values_are_taken_by():
    layer, X, context = MultiHeadAttention(D, 4).double(), leaf(B, N, D), leaf(B, 6, D)
    K, V = layer.kv_cache(context)
    Y, A = layer.attend(X, K, V, intervene=lambda A: A.flip(-1))
    agree(A, layer(X, context=context)[1].flip(-1))
    agree(Y, layer.attend(X, K.flip(-2), V, None)[0])


@read_and_fast
def test_some_inputs_at_a_time_are_rows_of_causal_self_attention(kind):
    layer, X = kind(D, N_heads).double(), leaf(2, B, N, D)
    Y, A = layer(X, causal_mask(N))
    past = layer.kv_cache(X[..., :1, :])
    for t in torch.arange(1, N).split([1, N - 2]):
        y_t, a_t, past = layer.step(X[..., t, :], past)
        agree(y_t, Y[..., t, :])
        assert (a_t is None) == (A is None)
        if A is not None:
            agree(a_t, A[..., t, : t[-1] + 1])
    assert past[0].shape == (2, B, N_heads, N, D // N_heads)


X, CONTEXT = torch.zeros(B, N, D), torch.zeros(B, N_X, D)


@read_and_fast
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((X, torch.ones(N, N)), "visible is torch.float32 .* expected bool"),
        ((X, torch.ones(2, N, N).bool()), r"\(2, 5, 5\), expected \(3, 5, 5\), or"),
        ((X, REAL), r"shape \(3, 5\), expected \(3, 5, 5\), or what"),
        ((X, torch.ones(N, N).bool().tril(-1)), "False everywhere in row 0"),
        ((X, REAL, CONTEXT), r"shape \(3, 5\), expected \(3, 5, 6\)"),
        ((X[..., :9],), r"W_Q has shape \(12, 12\), .* D as in X"),
        ((X, None, CONTEXT[..., :9]), r"W_K has shape \(12, 12\), .* D as in"),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, kind, given, says):
    with pytest.raises(ValueError, match=says):
        kind(D, N_heads)(*given)


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ((D, 5), "D is 12, expected a multiple of 5"),
        ((D, 0), "N_heads is 0, expected at least 1"),
        ((0, 2), "D is 0, expected at least 1"),
    ],
)
def test_sizes_that_make_no_sense_are_named(as_a_reader, sizes, says):
    with pytest.raises(ValueError, match=says):
        MultiHeadAttention(*sizes)
