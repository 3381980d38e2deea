"""Wrong functions that no recorded mistake covers are still told what is wrong."""

import numpy as np

from attention_book.chapters.cnn_attention.checks import (
    check_cnn_attention_average,
    check_cnn_attention_mix,
)


def test_an_average_outside_the_vectors_breaks_a_law():
    verdict = check_cnn_attention_average(lambda X: 2 * X.max(axis=0))
    assert verdict.state == "wrong"
    assert "outside the vectors" in verdict.says


def test_a_sum_with_weights_of_its_own_is_shown_with_numbers():
    assert check_cnn_attention_mix(lambda a, X: np.sqrt(a) @ X).state == "wrong"
