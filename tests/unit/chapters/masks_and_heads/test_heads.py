"""Of code for one sequence, or for a batch, the line and the input are those meant."""

import numpy as np
import pytest

from attention_book.chapters.masks_and_heads.checks.heads import check_split_heads


def one_sequence(X, N_heads):
    N, _ = X.shape
    return X.reshape(N, N_heads, D_head)


def a_batch(X, N_heads):
    B, N, _ = X.shape
    return X.reshape(B, N, N_heads, D_head)


def all_in_one(X, N_heads):
    B, N, _ = X.shape
    return X.reshape(B, N, N_heads, -1).swapaxes(1, 2).reshape(B * N_heads, N, -1)


def behind_each_other(X, N_heads):
    return np.concatenate(np.split(X, N_heads, axis=-1), axis=-2)


@pytest.mark.parametrize(
    ("function", "evidence"),
    [
        (one_sequence, "X.reshape(N, N_heads"),
        (a_batch, "X.reshape(B, N, N_heads"),
        (all_in_one, "[[[ 0."),
        (behind_each_other, "[[ 0."),
    ],
)
def test_the_form_that_was_meant_is_shown(function, evidence):
    assert evidence in check_split_heads(function).evidence
