"""The masks, entry by entry, against torch's triangle, and what attention does then."""

import numpy as np
import pytest
import torch

from attention_book.reference import (
    attention,
    causal_mask,
    causal_padding_mask,
    padding_mask,
)

N_X, D = 5, 3
lengths = np.array([3, 5, 1])
rng = np.random.default_rng(0)
X = rng.normal(size=(len(lengths), N_X, D))


@pytest.mark.parametrize("N", [1, 2, 5])
def test_the_causal_mask_is_torchs_triangle(N):
    np.testing.assert_array_equal(
        causal_mask(N), torch.ones(N, N).tril().bool().numpy()
    )


def test_the_causal_mask_hides_what_torchs_layers_hide():
    theirs = torch.nn.Transformer.generate_square_subsequent_mask(
        N_X
    ).numpy()  # -inf where hidden
    np.testing.assert_array_equal(causal_mask(N_X), theirs == 0)


def test_padding_is_hidden_entry_by_entry():
    for b, length in enumerate(lengths):
        assert padding_mask(lengths, N_X)[b].tolist() == [
            j < length for j in range(N_X)
        ]


def test_both_together_entry_by_entry():
    for b, length in enumerate(lengths):
        wanted = [[j <= i and j < length for j in range(N_X)] for i in range(N_X)]
        assert causal_padding_mask(lengths, N_X)[b].tolist() == wanted


def test_attention_under_a_causal_mask_does_not_know_the_future():
    visible = causal_mask(N_X)
    before, _ = attention(X, X, X, visible)
    other = X.copy()
    other[:, 3:] = rng.normal(size=other[:, 3:].shape)
    after, _ = attention(other, other, other, visible)
    np.testing.assert_array_equal(after[:, :3], before[:, :3])
    assert (after[:, 3:] != before[:, 3:]).all()


def test_attention_under_a_padding_mask_does_not_know_the_padding():
    Y, _ = attention(
        X, X, X, padding_mask(lengths, N_X)[:, None, :].repeat(N_X, axis=1)
    )
    for b, length in enumerate(lengths):
        alone, _ = attention(X[b], X[b, :length], X[b, :length])
        np.testing.assert_allclose(Y[b], alone, atol=1e-12, rtol=0)


def test_no_row_of_both_together_looks_nowhere():
    assert causal_padding_mask(lengths, N_X).any(axis=-1).all()


@pytest.mark.parametrize("mask", [padding_mask, causal_padding_mask])
@pytest.mark.parametrize("bad", [[3, 6], [0, 2], [[1, 2]], [2.5], [True]])
def test_a_length_that_cannot_be_is_named(as_a_reader, mask, bad):
    with pytest.raises(
        ValueError, match=r"lengths is .* expected whole numbers from 1 to N_X = 5"
    ):
        mask(np.array(bad), N_X)


@pytest.mark.parametrize("mask", [padding_mask, causal_padding_mask])
def test_a_width_that_is_no_count_is_named(as_a_reader, mask):
    with pytest.raises(TypeError, match=r"N_X must be an int, got 4\.5"):
        mask(np.array([1]), 4.5)


def test_no_position_is_an_error():
    with pytest.raises(ValueError, match="N is 0"):
        causal_mask(0)
