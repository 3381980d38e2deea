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
    E = np.einsum("bix,xd,bjy,yd->bij", X, W_Q, X, W_K) / np.sqrt(W_Q.shape[1])
    powers = np.where(visible, np.exp(E), 0)
    A = powers / powers.sum(-1, keepdims=True)
    return A @ (X @ W_V), A


def encoder_and_decoder_exchanged(S, X, W_Q, W_K, W_V, visible):
    S, X = X, S
    E = torch.bmm(S @ W_Q, (X @ W_K).transpose(1, 2)) / W_Q.shape[1] ** 0.5
    A = E.masked_fill(visible.logical_not(), -torch.inf).softmax(2)
    return torch.bmm(A, X @ W_V), A


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


def test_a_loop_over_as_many_inputs_as_steps_is_not_right():
    def square(S, X, W_Q, W_K, W_V, visible):
        E = np.array(
            [[s @ W_Q @ (X[j] @ W_K) for j in range(len(S))] for s in S]
        ) / np.sqrt(W_Q.shape[1])
        A = np.exp(E) * visible
        A = A / A.sum(-1, keepdims=True)
        return A @ (X @ W_V), A

    assert check_cross_attention(square).diagnosis == "crash"
