"""The solutions a reader unfolds in chapter 1 are right."""

import pytest
import torch

from attention_book.exercises.bottleneck import START, STOP, first_error, gru_parameters, teacher_forced


@pytest.mark.parametrize(("D_X", "D_H"), [(3, 5), (64, 128), (7, 2)])
def test_the_count_of_a_gru_is_that_of_torch(D_X, D_H):
    assert gru_parameters(D_X, D_H) == sum(p.numel() for p in torch.nn.GRU(D_X, D_H).parameters())


def test_the_decoder_reads_one_word_behind_what_it_says():
    read, say = teacher_forced([7, 8, 9])
    assert read == [START, 7, 8, 9]
    assert say == [7, 8, 9, STOP]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "where"),
    [
        ("a b c", "a b c", None),
        ("a x c", "a b c", 1),
        ("a b", "a b c", 2),
        ("a b c d", "a b c", 3),
        ("", "a", 0),
    ],
)
def test_the_first_error_is_found(hypothesis, reference, where):
    assert first_error(hypothesis.split(), reference.split()) == where
