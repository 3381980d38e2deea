"""The solutions of chapter 1 are right."""

import pytest
import torch

from attention_book.chapters.bottleneck.solutions import (
    START,
    STOP,
    first_error,
    gru_parameters,
    how_far_failures_get,
    reached_by_part,
    risk_by_part,
    teacher_forced,
)


@pytest.mark.parametrize(("D_X", "D_H"), [(3, 5), (64, 128), (7, 2)])
def test_the_count_of_a_gru_is_that_of_torch(D_X, D_H):
    assert gru_parameters(D_X, D_H) == sum(
        p.numel() for p in torch.nn.GRU(D_X, D_H).parameters()
    )


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


def test_only_failures_say_how_far_they_get():
    references = [list("abcd"), list("abcd"), list("abcdefghij")]
    hypotheses = [list("abcd"), list("aXcX"), list("abcde")]  # a letter is a word
    assert how_far_failures_get(hypotheses, references) == {
        "wrong": 2,
        "words right before": (1 + 5) / 2,
        "share of the sentence": (1 / 4 + 5 / 10) / 2,
    }


def test_where_nothing_fails_there_is_nothing_to_measure():
    with pytest.raises(ValueError, match="hypotheses are all right"):
        how_far_failures_get(["ab"], ["ab"])


def test_a_part_is_reached_where_all_before_it_is_right():
    references = [list("abcdef")] * 5
    hypotheses = [list(said) for said in ("abcdef", "abcdXf", "abXdef", "aXcdef", "")]
    assert reached_by_part(hypotheses, references) == [5, 3, 2]
    assert reached_by_part(hypotheses, references, N_parts=2) == [5, 2]


def test_parts_of_a_sentence_begin_where_the_risk_counts_them():
    references, said = [list("abcd")] * 2, [list("abXd"), list("abcX")]
    assert risk_by_part(said, references) == [0, 1 / 2, 1]  # ab, c and d
    assert reached_by_part(said, references) == [2, 2, 1]


def test_the_risk_of_a_part_counts_words_that_were_reached():
    references = [list("abcdef"), list("abcdef"), list("abc")]
    hypotheses = [list("abcdef"), list("abXdXf"), list("Xbc")]
    assert risk_by_part(hypotheses, references) == [1 / 5, 1 / 3, 0 / 2]


def test_an_early_stop_is_a_wrong_word_and_a_word_too_many_is_none():
    assert risk_by_part([list("ab"), list("abcdX")], [list("abcd")] * 2, N_parts=2) == [
        0,
        1 / 3,
    ]


def test_a_part_that_nobody_reaches_has_no_risk():
    first, second = risk_by_part([["x", "b"]], [["a", "b"]], N_parts=2)
    assert first == 1
    assert second != second
