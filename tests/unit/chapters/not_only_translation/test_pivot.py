"""What readers write about a way through another language, and what they are told."""

from functools import partial

import pytest

from attention_book.chapters.not_only_translation import solutions
from attention_book.chapters.not_only_translation.checks import check_pivot
from attention_book.chapters.not_only_translation.checks.languages import Translator
from attention_book.chapters.not_only_translation.tasks import languages
from attention_book.chapters.not_only_translation.tasks.languages import ThreeLanguages
from attention_book.training import seeded


def test_it_is_what_is_measured_of_the_recorded_runs(as_a_reader, monkeypatch):
    monkeypatch.setattr(languages, "N_TEST", 4)
    task = ThreeLanguages({"D": 8, "N_heads": 2, "D_hidden": 4})
    with seeded(0):
        model = task.model()
    texts = {to: [one.tokens(to) for one in task.test] for to in ("en", "fr", "es")}
    through = languages.through_english(model, languages.directly(model, texts))
    translate = partial(languages.write, model)
    for (source, to), answers in through.items():
        assert solutions.pivot(translate, texts[source], to, by="en") == answers
    assert len(through) == 2


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
