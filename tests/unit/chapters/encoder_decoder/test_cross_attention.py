"""Of code for one sentence the line is shown that fails in a batch."""

import torch

from attention_book.chapters.encoder_decoder.checks.cross_attention import (
    check_cross_attention,
)


def test_of_code_for_one_sentence_the_line_is_shown_that_fails_in_a_batch():
    def turned(S, X, W_Q, W_K, W_V, visible):
        E = (S @ W_Q) @ (X @ W_K).T / W_Q.shape[1] ** 0.5
        A = E.masked_fill(~visible, -torch.inf).softmax(-1)
        return A @ (X @ W_V), A

    assert "(X @ W_K).T" in check_cross_attention(turned).evidence
