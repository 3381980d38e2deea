"""The check of cross-attention names a mistake in whatever style it was made."""

import math

import numpy as np
import pytest
import torch

from attention_book.chapters.encoder_decoder.checks.cross_attention import (
    check_cross_attention,
)
from attention_book.reference import attention


def torch_scores(Q, K):
    return Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])


def looks_at_itself(S, X, W_Q, W_K, W_V, visible):
    A = torch_scores(S @ W_Q, S @ W_K).masked_fill(~visible, -torch.inf).softmax(-1)
    return A @ (S @ W_V), A


def the_encoder_asks(S, X, W_Q, W_K, W_V, visible):
    E = np.einsum("...ix,xd,...jy,yd->...ij", X, W_Q, X, W_K) / np.sqrt(W_Q.shape[1])
    powers = np.where(visible, np.exp(E), 0)
    A = powers / powers.sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def encoder_and_decoder_exchanged(S, X, W_Q, W_K, W_V, visible):
    S, X = X, S
    E = (S @ W_Q) @ (X @ W_K).mT / W_Q.shape[1] ** 0.5
    A = E.masked_fill(visible.logical_not(), -torch.inf).softmax(-1)
    return A @ (X @ W_V), A


def asking(
    Q=lambda S, X: S,
    K=lambda S, X: X,
    V=lambda S, X: X,
    *,
    turned=lambda K: K.mT,
    width=lambda S, X, Q: Q.shape[-1],
    mask=lambda visible: visible,
    hidden=-torch.inf,
    axis=-1,
    returned=lambda Y: Y,
):
    """Cross-attention of tensors, with switches for mistakes."""

    def function(S, X, W_Q, W_K, W_V, visible):
        q, k, v = Q(S, X) @ W_Q, K(S, X) @ W_K, V(S, X) @ W_V
        E = q @ turned(k) / width(S, X, q) ** 0.5
        A = E.masked_fill(~mask(visible), hidden).softmax(axis)
        return returned(A @ v), returned(A)

    return function


def beside_each_other(S, X):
    """The vectors of both in one array, which have to be of one width."""
    return torch.cat([S, X], dim=-2)[..., S.shape[-2] :, :]


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (looks_at_itself, "keys and values from the decoder"),
        (the_encoder_asks, "queries from the encoder"),
        (encoder_and_decoder_exchanged, "decoder and encoder exchanged"),
        (
            lambda S, X, W_Q, W_K, W_V, visible: attention(S @ W_Q, X @ W_K, X @ W_V),
            "mask not used",
        ),
    ],
)
def test_cross_attention_names_the_mistake_in_another_style(
    as_a_reader, function, diagnosis
):
    assert check_cross_attention(function).diagnosis == diagnosis


def test_without_a_mistake_it_is_right():
    assert check_cross_attention(asking())


@pytest.mark.parametrize(
    ("mistake", "diagnosis", "says"),
    [
        ({"K": lambda S, X: S}, "keys from the decoder", "Your keys are made from S"),
        ({"V": lambda S, X: S}, "values from the decoder", "Your values are made"),
        ({"K": beside_each_other}, "crash", "Sizes of tensors must match"),
        ({"turned": lambda K: K.T}, "for one sentence only", "K.swapaxes(-1, -2)"),
        ({"turned": lambda K: K.t()}, "for one sentence only", "and not K.T, K.t()"),
        (
            {"turned": lambda K: K.transpose(0, 1)},
            "for one sentence only",
            "raises an error with one",
        ),
        (
            {"mask": lambda it: it[0] if it.ndim == 3 else it},
            "mask of the first sentence for all",
            "what is hidden in the first",
        ),
        ({"axis": 1}, "a law", "On a batch of three: A sums to 1 over the steps"),
        ({"axis": 0}, "a law", "A sums to 1 over the steps"),
        (
            {"returned": torch.squeeze},
            "shape",
            "Y has shape (3, 2), expected (1, 3, 2) (B, N_Y, D_V)",
        ),
        ({"width": lambda S, X, Q: S.shape[-1]}, "a law", "divide the dot products by"),
        ({"width": lambda S, X, Q: X.shape[-1]}, "a law", "divide the dot products by"),
        ({"width": lambda S, X, Q: X.shape[-2]}, "a law", "scores are 0.707 times"),
        ({"returned": lambda Y: Y.half().float()}, "a law", "two or three digits"),
        ({"hidden": -100}, "a law", "Its score must be -inf when the softmax begins"),
    ],
)
def test_a_mistake_is_told_with_a_batch_or_other_widths_or_large_scores(
    mistake, diagnosis, says
):
    verdict = check_cross_attention(asking(**mistake))
    assert says in verdict.says
    assert verdict.diagnosis == diagnosis


def test_of_code_for_one_sentence_the_line_is_shown_that_fails_in_a_batch():
    def turned(S, X, W_Q, W_K, W_V, visible):
        E = (S @ W_Q) @ (X @ W_K).T / W_Q.shape[1] ** 0.5
        A = E.masked_fill(~visible, -torch.inf).softmax(-1)
        return A @ (X @ W_V), A

    assert "(X @ W_K).T" in check_cross_attention(turned).evidence


def exp_without_a_largest(S, X, W_Q, W_K, W_V, visible):
    P = np.exp((S @ W_Q) @ np.swapaxes(X @ W_K, -1, -2) / np.sqrt(W_Q.shape[1]))
    A = P * visible / (P * visible).sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def test_scores_are_large_enough_for_exp_to_overflow():
    says = check_cross_attention(exp_without_a_largest).says
    assert "subtract each row's largest visible score" in says


def test_a_loop_over_as_many_inputs_as_steps_is_not_right():
    def square(S, X, W_Q, W_K, W_V, visible):
        E = np.array(
            [[s @ W_Q @ (X[j] @ W_K) for j in range(len(S))] for s in S]
        ) / np.sqrt(W_Q.shape[1])
        A = np.exp(E) * visible
        A = A / A.sum(-1, keepdims=True)
        return A @ (X @ W_V), A

    assert check_cross_attention(square).diagnosis == "crash"
