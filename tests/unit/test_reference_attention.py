"""Attention, masks, heads and positions in NumPy, against torch's own layers and the laws they must keep."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from attention_book import reference
from attention_book.reference import (
    add_positions,
    attention,
    causal_mask,
    cross_attention,
    decoder_mask,
    merge_heads,
    multi_head,
    padding_mask,
    positional_encoding,
    self_attention,
    split_heads,
)

B, N_Q, N_X, D_Q, D_V, D = 2, 3, 5, 4, 7, 6
rng = np.random.default_rng(0)
Q, K, V = rng.normal(size=(B, N_Q, D_Q)), rng.normal(size=(B, N_X, D_Q)), rng.normal(size=(B, N_X, D_V))
X = rng.normal(size=(B, N_X, D))
W_Q, W_K, W_V, W_O = rng.normal(size=(4, D, D))
VISIBLE = rng.random((B, N_Q, N_X)) < 0.6
VISIBLE[..., 2] = True


def tensors(*arrays):
    return [torch.from_numpy(np.ascontiguousarray(array)) for array in arrays]


@pytest.mark.parametrize("visible", [None, VISIBLE], ids=["all", "masked"])
def test_attention_is_torchs(visible):
    mask = None if visible is None else torch.from_numpy(visible)
    Y, A = attention(Q, K, V, visible)
    wanted = F.scaled_dot_product_attention(*tensors(Q, K, V), attn_mask=mask)
    np.testing.assert_allclose(Y, wanted.numpy(), atol=1e-12)
    np.testing.assert_allclose(A.sum(-1), 1)
    if visible is not None:
        assert (A[~visible] == 0).all()


def test_attention_of_a_batch_is_that_of_its_members():
    Y, A = attention(Q, K, V, VISIBLE)
    for b in range(B):
        alone = attention(Q[b], K[b], V[b], VISIBLE[b])
        np.testing.assert_allclose(Y[b], alone[0])
        np.testing.assert_allclose(A[b], alone[1])


def test_one_step_of_the_decoder_is_a_row_of_attention():
    s, h = rng.normal(size=(N_Q, D_Q)), rng.normal(size=(N_X, D_Q))
    Y, A = attention(s * np.sqrt(D_Q), h, h)  # the lectures' decoder does not divide
    for t in range(N_Q):
        c_t, a_t, _ = reference.attend(reference.dot_score, s[t], h)
        np.testing.assert_allclose(Y[t], c_t)
        np.testing.assert_allclose(A[t], a_t)


def test_a_query_leaves_the_inputs_as_they_were():
    kept = [array.copy() for array in (Q, K, V, VISIBLE)]
    attention(Q, K, V, VISIBLE)
    for before, after in zip(kept, (Q, K, V, VISIBLE), strict=True):
        assert np.array_equal(before, after)


def test_self_attention_moves_with_its_inputs():
    order = rng.permutation(N_X)
    Y, A = self_attention(X, W_Q, W_K, W_V)
    Y_moved, A_moved = self_attention(X[:, order], W_Q, W_K, W_V)
    np.testing.assert_allclose(Y_moved, Y[:, order])
    np.testing.assert_allclose(A_moved, A[:, order][:, :, order])


def test_cross_attention_of_a_sequence_with_itself_is_self_attention():
    for one, other in zip(cross_attention(X, X, W_Q, W_K, W_V), self_attention(X, W_Q, W_K, W_V), strict=True):
        assert np.array_equal(one, other)


def test_cross_attention_asks_with_one_and_answers_with_the_other():
    S = rng.normal(size=(B, N_Q, D))
    Y, _ = cross_attention(S, X, W_Q, W_K, W_V)
    wanted = F.scaled_dot_product_attention(*tensors(S @ W_Q, X @ W_K, X @ W_V))
    np.testing.assert_allclose(Y, wanted.numpy(), atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((Q, K[..., :3], V), "Q has width 4 but K has width 3"),
        ((Q, K, V[:, :4]), "K has 5 inputs but V has 4"),
        ((Q, K, V, VISIBLE[:, :2]), r"visible has shape \(2, 2, 5\), expected \(..., 3, 5\)"),
        ((Q, K, V, np.zeros_like(VISIBLE)), "visible is False in a whole row"),
    ],
)
def test_attention_names_what_does_not_fit(as_a_reader, arguments, says):
    with pytest.raises(ValueError, match=says):
        attention(*arguments)


def test_the_causal_mask_is_torchs():
    wanted = ~torch.nn.Transformer.generate_square_subsequent_mask(N_X).isinf()
    assert np.array_equal(causal_mask(N_X), wanted.numpy())


def test_nothing_that_comes_later_changes_an_output():
    later = X.copy()
    later[:, 3:] += 1
    Y, _ = self_attention(X, W_Q, W_K, W_V, causal_mask(N_X)[None])
    Y_later, _ = self_attention(later, W_Q, W_K, W_V, causal_mask(N_X)[None])
    assert np.array_equal(Y[:, :3], Y_later[:, :3])
    assert not np.allclose(Y[:, 3:], Y_later[:, 3:])


def test_padding_changes_nothing():
    wider = np.concatenate([X, rng.normal(size=(B, 3, D))], axis=1)
    visible = padding_mask([N_X, N_X], N_X + 3)[:, None, :].repeat(N_X + 3, axis=1)
    Y, _ = self_attention(wider, W_Q, W_K, W_V, visible)
    np.testing.assert_allclose(Y[:, :N_X], self_attention(X, W_Q, W_K, W_V)[0])


def test_the_decoders_mask_is_both():
    visible = decoder_mask([2, 4], 4)
    assert visible.shape == (2, 4, 4)
    for b, length in enumerate((2, 4)):
        for i in range(4):
            assert visible[b, i].tolist() == [j <= i and j < length for j in range(4)]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: causal_mask(0), "N is 0"),
        (lambda: padding_mask([2, 0], 3), "lengths holds 0, expected 1 to 3"),
        (lambda: padding_mask([4], 3), "lengths holds 4"),
        (lambda: split_heads(X, 4), "N_heads is 4, expected a divisor of the width 6"),
        (lambda: split_heads(X, 0), "N_heads is 0"),
        (lambda: positional_encoding(3, 5), "D is 5, expected .* an even width"),
        (lambda: positional_encoding(0, 4), "N is 0"),
        (lambda: add_positions(X, np.zeros((4, D))), "P has 4 positions"),
        (lambda: add_positions(X, np.zeros((9, 4))), "of width 4"),
    ],
)
def test_bad_input_is_named(as_a_reader, make, says):
    with pytest.raises(ValueError, match=says):
        make()


@pytest.mark.parametrize("N_heads", [1, 2, 3])
def test_merging_undoes_splitting(N_heads):
    heads = split_heads(X, N_heads)
    assert heads.shape == (B, N_heads, N_X, D // N_heads)
    assert np.array_equal(merge_heads(heads), X)
    assert np.array_equal(heads[:, -1], X[..., -(D // N_heads) :])


@pytest.mark.parametrize("N_heads", [1, 2, 3])
def test_several_heads_are_torchs_layer(N_heads):
    layer = torch.nn.MultiheadAttention(D, N_heads, bias=False, batch_first=True, dtype=torch.double)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat(tensors(W_Q.T, W_K.T, W_V.T)))
        layer.out_proj.weight.copy_(tensors(W_O.T)[0])
        visible = causal_mask(N_X)
        x = tensors(X)[0]
        Y, A = layer(x, x, x, attn_mask=~torch.from_numpy(visible), average_attn_weights=False)
    ours = multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible[None])
    np.testing.assert_allclose(ours[0], Y.numpy(), atol=1e-12)
    np.testing.assert_allclose(ours[1], A.numpy(), atol=1e-12)


def test_one_head_is_attention():
    Y, A = multi_head(X, W_Q, W_K, W_V, np.eye(D), 1)
    Y_plain, A_plain = self_attention(X, W_Q, W_K, W_V)
    np.testing.assert_allclose(Y, Y_plain)
    np.testing.assert_allclose(A[:, 0], A_plain)


def test_positions_follow_the_formula():
    P = positional_encoding(50, 8)
    for n, i in ((0, 0), (1, 0), (17, 1), (49, 3)):
        angle = n / 10000 ** (2 * i / 8)
        np.testing.assert_allclose(P[n, 2 * i : 2 * i + 2], [np.sin(angle), np.cos(angle)])


def test_a_shift_turns_every_pair_by_the_same_angle_wherever_it_starts():
    P = positional_encoding(50, 8)
    similarity = P @ P.T
    for k in (1, 7):
        np.testing.assert_allclose(np.diag(similarity, k), similarity[0, k])


def test_positions_are_added_alike_in_every_slot_of_the_batch():
    P = positional_encoding(9, D)
    added = add_positions(X, P) - X
    np.testing.assert_allclose(added[0], P[:N_X])
    np.testing.assert_allclose(added[1], P[:N_X])
