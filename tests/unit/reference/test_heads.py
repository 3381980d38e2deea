"""Several heads against torch's layer, and against single heads one by one."""

import numpy as np
import pytest
from parity import agree

from attention_book.reference import (
    merge_heads,
    multi_head,
    self_attention,
    split_heads,
)

B, N_X, D_X, N_heads, D_head = 2, 5, 6, 3, 2
D = N_heads * D_head
rng = np.random.default_rng(0)
X = rng.normal(size=(B, N_X, D_X))
W_Q, W_K, W_V, W_O = (
    rng.normal(size=shape) for shape in ((D_X, D), (D_X, D), (D_X, 9), (9, 4))
)
visible = rng.random((B, N_X, N_X)) < 0.6
visible[..., 1] = True


def test_heads_are_single_attentions_side_by_side():
    Y, A = multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)
    parts = []
    for k in range(N_heads):
        W = [np.split(W, N_heads, axis=1)[k] for W in (W_Q, W_K, W_V)]
        found, A_k = self_attention(X, *W, visible)
        agree(A[:, k], A_k)
        parts.append(found)
    agree(Y, np.concatenate(parts, axis=-1) @ W_O)


def test_a_head_gets_neighbouring_entries_of_every_position():
    heads = split_heads(X, N_heads)
    assert heads.shape == (B, N_heads, N_X, D_head)
    for k in range(N_heads):
        np.testing.assert_array_equal(
            heads[:, k], X[..., k * D_head : (k + 1) * D_head]
        )


@pytest.mark.parametrize("shape", [(5, 6), (2, 5, 6), (2, 1, 5, 6)])
@pytest.mark.parametrize("N_heads", [1, 3, 6])
def test_merging_undoes_splitting(shape, N_heads):
    X = rng.normal(size=shape)
    np.testing.assert_array_equal(merge_heads(split_heads(X, N_heads)), X)


def test_a_mask_may_be_one_row_for_all():
    row = np.array([True, True, False, True, False])
    for mask in (row, row[None], np.broadcast_to(row, (N_X, N_X))):
        Y, A = multi_head(X, W_Q, W_K, W_V, W_O, N_heads, mask)
        assert not A[..., ~row].any()
        agree(Y, multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible & False | row)[0])


def test_a_wrong_mask_is_named_as_it_came(as_a_reader):
    for mask, says in (
        (
            np.ones((2, 2), bool),
            r"visible has shape \(2, 2\), expected \(2, 5, 5\), or",
        ),
        (np.ones((N_X, N_X)), "visible is float64 .* expected bool"),
        (np.tri(N_X, k=-1, dtype=bool), "visible is False everywhere in row 0"),
    ):
        with pytest.raises(ValueError, match=says):
            multi_head(X, W_Q, W_K, W_V, W_O, N_heads, mask)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: split_heads(X, 4), "N_heads is 4, expected a divisor .* D = 6"),
        (lambda: split_heads(X, 0), "N_heads is 0"),
        (lambda: split_heads(X[0, 0], 3), r"X has shape \(6,\)"),
        (lambda: merge_heads(X[0]), r"X has shape \(5, 6\)"),
        (
            lambda: multi_head(X, W_Q[1:], W_K, W_V, W_O, N_heads),
            r"W_Q has shape \(5, 6\), .* as in X",
        ),
        (
            lambda: multi_head(X, W_Q, W_K, W_V, W_O[1:], N_heads),
            r"W_O has shape \(8, 4\), .* \(9, D_Y\)",
        ),
    ],
)
def test_what_does_not_fit_is_named(as_a_reader, call, says):
    with pytest.raises(ValueError, match=says):
        call()
