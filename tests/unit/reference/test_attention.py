"""Attention against torch's, which nobody here wrote, and against its laws."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from parity import agree
from torch import nn

from attention_book.reference import attention, cross_attention, self_attention

B, N_Y, N_X, D_S, D_X, D_Q, D_V = 2, 3, 5, 7, 6, 4, 2
rng = np.random.default_rng(0)
Q, K, V = (
    rng.normal(size=(B, N_Y, D_Q)),
    rng.normal(size=(B, N_X, D_Q)),
    rng.normal(size=(B, N_X, D_V)),
)
S, X = rng.normal(size=(B, N_Y, D_S)), rng.normal(size=(B, N_X, D_X))
W_S, W_Q, W_K, W_V = (
    rng.normal(size=shape) for shape in ((D_S, D_Q), (D_X, D_Q), (D_X, D_Q), (D_X, D_V))
)
visible = rng.random((B, N_Y, N_X)) < 0.6
visible[..., 1] = True  # nobody is left with nothing


def torch_attention(Q, K, V, visible):
    tensors = (torch.from_numpy(each) for each in (Q, K, V))
    mask = None if visible is None else torch.from_numpy(visible)
    return F.scaled_dot_product_attention(*tensors, attn_mask=mask).numpy()


@pytest.mark.parametrize(
    "mask",
    [None, visible, visible[0], visible[:1]],
    ids=["none", "each", "one", "one, kept axis"],
)
def test_attention_agrees_with_torch(mask):
    Y, A = attention(Q, K, V, mask)
    agree(Y, torch_attention(Q, K, V, mask))
    agree(
        A,
        torch_attention(Q, K, np.broadcast_to(np.eye(N_X), (B, N_X, N_X)).copy(), mask),
    )


def test_cross_attention_agrees_with_torchs_layer_whose_mask_means_the_opposite():
    torch.manual_seed(0)
    layer = nn.MultiheadAttention(
        D_S, 1, bias=False, kdim=D_X, vdim=D_X, batch_first=True
    ).double()
    with torch.no_grad():
        layer.out_proj.weight.copy_(torch.eye(D_S))
        W = (
            w.detach().numpy().T
            for w in (layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight)
        )
        hidden = torch.from_numpy(~visible)
        theirs = layer(
            torch.from_numpy(S),
            torch.from_numpy(X),
            torch.from_numpy(X),
            attn_mask=hidden,
        )
    Y, A = cross_attention(S, X, *W, visible)
    agree(Y, theirs[0].numpy())
    agree(A, theirs[1].numpy())


def test_the_order_of_the_inputs_does_not_matter_to_a_query():
    order = rng.permutation(N_X)
    Y, A = attention(Q, K, V, visible)
    Y_again, A_again = attention(Q, K[:, order], V[:, order], visible[..., order])
    agree(Y_again, Y)
    agree(A_again, A[..., order])


def test_what_is_hidden_changes_nothing():
    seen = np.broadcast_to(np.arange(N_X) < 3, (N_Y, N_X))
    K_other, V_other = K.copy(), V.copy()
    K_other[:, 3:], V_other[:, 3:] = 1e3, -1e3
    agree(attention(Q, K_other, V_other, seen)[0], attention(Q, K, V, seen)[0])
    agree(attention(Q, K[:, :3], V[:, :3])[0], attention(Q, K, V, seen)[0])


def test_scores_keep_their_size_when_the_width_grows():
    spread = []
    for D in (4, 400):
        Q, K = rng.normal(size=(50, D)), rng.normal(size=(50, D))
        spread.append(np.log(attention(Q, K, K)[1]).std())
    assert spread[1] / spread[0] == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"Q": Q[0, 0]}, "Q has shape"),
        ({"K": K[..., :-1]}, r"K has shape \(2, 5, 3\), expected .* D_Q as in Q"),
        ({"V": V[:, :-1]}, r"V has shape \(2, 4, 2\), expected .* N_X as in K"),
        ({"visible": visible[..., :-1]}, r"\(2, 3, 4\), expected \(2, 3, 5\)"),
        ({"visible": visible[None]}, r"visible has shape \(1, 2, 3, 5\)"),
        ({"visible": visible * 1.0}, r"visible is float64 .*, expected bool"),
        ({"visible": visible & False}, "False everywhere in row 0"),
    ],
)
def test_attention_names_what_does_not_fit(as_a_reader, change, says):
    with pytest.raises(ValueError, match=says):
        attention(**({"Q": Q, "K": K, "V": V, "visible": visible} | change))


def test_weights_that_do_not_fit_are_named(as_a_reader):
    with pytest.raises(ValueError, match=r"W_K has shape \(7, 4\), .* \(6, D\)"):
        self_attention(X, W_Q, W_S, W_V)
    with pytest.raises(ValueError, match=r"W_Q has shape \(6, 4\), .* as in S"):
        cross_attention(S, X, W_Q, W_K, W_V)
    with pytest.raises(ValueError, match=r"W_K has shape \(7, 4\), .* as in X"):
        cross_attention(S, X, W_S, W_S, W_V)
    with pytest.raises(ValueError, match=r"W_V has shape \(7, 4\), .* as in X"):
        cross_attention(S, X, W_S, W_K, W_S)
    with pytest.raises(ValueError, match=r"W_V has shape \(6,\)"):
        self_attention(X, W_Q, W_K, W_V[:, 0])
