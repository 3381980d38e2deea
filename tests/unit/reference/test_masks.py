"""The masks, entry by entry, against torch's triangle, and what attention does then."""

import numpy as np
import pytest
import torch
from parity import agree

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


def test_the_causal_mask_hides_what_torchs_layers_hide():
    theirs = torch.nn.Transformer.generate_square_subsequent_mask(
        N_X
    ).numpy()  # -inf where hidden
    np.testing.assert_array_equal(causal_mask(N_X), theirs == 0)


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
        agree(Y[b], alone)


@pytest.mark.parametrize("mask", [padding_mask, causal_padding_mask])
@pytest.mark.parametrize("bad", [[3, 6], [0, 2], [[1, 2]], 2, [2.5], [True]])
def test_a_length_that_cannot_be_is_named(as_a_reader, mask, bad):
    with pytest.raises(
        ValueError, match=r"lengths is .* expected whole numbers from 1 to N_X = 5"
    ):
        mask(np.array(bad), N_X)
