"""Chapter 1's experiments measure what they say, on cases that can be done by hand."""

import numpy as np
import pytest

from attention_book.chapters.bottleneck import experiments


@pytest.mark.parametrize(("kept", "trace"), [(0, [1, 0, 0, 0]), (1, [1, 1, 1, 1])])
def test_a_trace_starts_at_one_and_fades_as_the_cell_forgets(kept, trace):
    def cell(x_t, h_prev, W_x, W_h, b):
        return kept * h_prev + x_t @ W_x + b

    found = experiments.fading(cell, ["b"], D_H=8, N_X=4, N_draws=3)
    np.testing.assert_allclose(found, [trace] * 3)


@pytest.mark.parametrize(
    ("right", "length"),
    [([1.0, 0.75, 0.25], 15), ([0.5, 0.0, 0.0], 4), ([1, 1, 0], 15)],
)
def test_half_are_right_between_the_measured_lengths(right, length):
    found = experiments.half_right([4, 10, 20], np.array(right, dtype=float))
    assert found == pytest.approx(length)


@pytest.mark.parametrize("right", [[0.4, 0.1], [0.9, 0.5]])
def test_a_curve_that_does_not_cross_a_half_is_refused(right):
    with pytest.raises(ValueError, match=r"right goes from 0\.\d0 to 0\.\d0"):
        experiments.half_right([1, 2], np.array(right))


def test_words_are_right_up_to_the_first_error():
    right, said = ["abcd", "ab", "a"], ["abxd", "ab", "ab"]  # a letter is a word
    shares = [experiments.share_right(said, right, N) for N in (1, 2, 3, 99)]
    assert shares == pytest.approx([1, 2 / 3, 1 / 3, 1 / 3])


def test_entropy_of_words():
    assert experiments.bits_per_word("aabb") == 1
    assert experiments.bits_per_word("aabc") == 1.5
    assert experiments.bits_per_word(["one"]) == 0
