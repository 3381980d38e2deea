"""What readers write about a way through another language, and what they are told."""

import pytest

from attention_book.chapters.not_only_translation import solutions
from attention_book.chapters.not_only_translation.checks import Translator, check_pivot


def backwards(translate, sentences, to, by):
    return solutions.pivot(translate, sentences, to, by)[::-1]


def test_the_translator_is_shown_in_full():
    verdict = check_pivot(backwards)
    assert "nous avons acheté | compramos" in verdict.evidence
    assert len(repr(Translator())) < 400  # what a verdict shows


@pytest.mark.parametrize("case", check_pivot.cases, ids=lambda case: case.name)
def test_no_other_way_ends_where_it_should(case):
    """Straight on, by way of any other language, and there and back."""
    translate, sentences, to, by = case.inputs.values()
    due = solutions.pivot(translate, sentences, to, by)
    for other in {None, "en", "fr", "es"} - {by}:
        between = translate(sentences, other) if other else sentences
        assert translate(between, to) != due, other
