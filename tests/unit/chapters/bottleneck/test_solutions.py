"""Where translations fail, by the solutions of chapter 1 that no check covers."""

import pytest

from attention_book.chapters.bottleneck.solutions import (
    how_far_failures_get,
    reached_by_part,
    risk_by_part,
)


def test_only_failures_say_how_far_they_get():
    references = [list("abcd"), list("abcd"), list("abcdefghij")]
    hypotheses = [list("abcd"), list("aXcX"), list("abcde")]  # a letter is a word
    assert how_far_failures_get(hypotheses, references) == {
        "wrong": 2,
        "words right before": (1 + 5) / 2,
        "share of the sentence": (1 / 4 + 5 / 10) / 2,
    }
    with pytest.raises(ValueError, match="hypotheses are all right"):
        how_far_failures_get(["ab"], ["ab"])


@pytest.mark.parametrize(
    ("said", "due", "reached"),
    [
        ("abcdef abcdXf abXdef aXcdef -", "abcdef", [5, 3, 2]),
        ("abcdef abcdXf abXdef aXcdef -", "abcdef", [5, 2]),
        ("abXd abcX", "abcd", [2, 2, 1]),
    ],
)
def test_a_part_is_reached_where_all_before_it_is_right(said, due, reached):
    hypotheses = [list(words.strip("-")) for words in said.split()]
    references = [list(due)] * len(hypotheses)
    assert reached_by_part(hypotheses, references, len(reached)) == reached


@pytest.mark.parametrize(
    ("said", "due", "risks"),
    [
        ("abcdef abXdXf Xbc", "abcdef abcdef abc", [1 / 5, 1 / 3, 0 / 2]),
        ("abXd abcX", "abcd abcd", [0, 1 / 2, 1]),  # ab, c and d
        # an early stop is a wrong word, and a word too many is none
        ("ab abcdX", "abcd abcd", [0, 1 / 3]),
        ("xb", "ab", [1, float("nan")]),  # nobody gets to the second part
    ],
)
def test_the_risk_of_a_part_counts_words_that_were_reached(said, due, risks):
    hypotheses, references = ([*map(list, it.split())] for it in (said, due))
    found = risk_by_part(hypotheses, references, len(risks))
    assert found == pytest.approx(risks, rel=0, abs=0, nan_ok=True)
