"""What readers write about a way through another language, and what they are told."""

from functools import partial
from itertools import groupby

import numpy as np
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


def direct(translate, sentences, to, by):
    return [translate([words], to)[0] for words in sentences]


def wrong_tag_first(translate, sentences, to, by):
    return translate(translate(sentences, to), to)


def one_at_a_time(translate, sentences, to, by):
    return [translate(translate(words, by), to) for words in sentences]


def returned_too_early(translate, sentences, to, by):
    for words in sentences:
        return translate(translate([words], by), to)


def by_dictionary(translate, sentences, to, by):
    answers = {}
    for words in sentences:
        answers[tuple(words)] = translate(translate([words], by), to)[0]
    return list(answers.values())


def by_a_dictionary_of_lists(translate, sentences, to, by):
    return list({words: translate([words], by) for words in sentences})


def without_neighbours(translate, sentences, to, by):
    different = [words for words, _ in groupby(sentences)]
    return translate(translate(different, by), to)


def paired_with_a_shorter_list(translate, sentences, to, by):
    """Each is translated once, and the first answers go to the first sentences."""
    once = [words for k, words in enumerate(sentences) if words not in sentences[:k]]
    said = translate(translate(once, by), to)
    return [
        said[k] if k < len(said) else said[once.index(words)]
        for k, words in enumerate(sentences)
    ]


def english_or_straight_on(translate, sentences, to, by):
    if by == "en":
        return translate(translate(sentences, by), to)
    return translate(sentences, to)


def kept_if_unchanged(translate, sentences, to, by):
    between = translate(sentences, by)
    return [
        translate([b], to)[0] if a != b else a
        for a, b in zip(sentences, between, strict=True)
    ]


def in_small_letters(translate, sentences, to, by):
    answers = solutions.pivot(translate, sentences, to, by)
    return [[word.lower() for word in words] for words in answers]


def there_and_back(translate, sentences, to, by):
    return translate(translate(translate(sentences, to), by), to)


def as_texts(translate, sentences, to, by):
    return [" ".join(words) for words in solutions.pivot(translate, sentences, to, by)]


def languages_first(translate, sentences, to, by):
    return translate(by, translate(to, sentences))


def backwards(translate, sentences, to, by):
    return solutions.pivot(translate, sentences, to, by)[::-1]


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (direct, "the sources translated again", "the direct translations"),
        (wrong_tag_first, "the sources translated again", "ask for `by`"),
        (one_at_a_time, "crash", "takes a list of sentences, each a list of words"),
        (returned_too_early, "the first sentence only", "`return` stand inside a loop"),
        (by_dictionary, "a sentence that comes twice is lost", "an answer to each"),
        (by_a_dictionary_of_lists, "crash", "unhashable type: 'list'"),
        (without_neighbours, "a sentence that comes twice in a row is lost", "before"),
        (paired_with_a_shorter_list, "a law", "You return 've'"),
        (english_or_straight_on, "always by way of English", "or straight on"),
        (kept_if_unchanged, "what is spelled alike is not translated", "spelled alike"),
        (in_small_letters, "a law", "You return 'parís'"),
        (there_and_back, "a law", "translate makes 'you see' (en), and of that 'ves'"),
        (as_texts, "a law", "sentence 0 of yours is 'ves', expected a list of words"),
        (languages_first, "crash", "expected one of en, fr, es"),
        (backwards, "a law", "You return 'París'"),
        (lambda *_: [], "a law", "you return 0 sentences for 5"),
    ],
)
def test_a_mistake_on_the_way_is_told_in_any_style(function, diagnosis, says):
    verdict = check_pivot(function)
    assert says in verdict.says
    assert verdict.diagnosis == diagnosis


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


def test_sentences_are_lists_and_answers_may_be_an_array():
    def copied(translate, sentences, to, by):
        between = translate([words.copy() for words in sentences], by)
        return translate([words.copy() for words in between], to)

    def in_an_array(translate, sentences, to, by):
        answers = np.empty(len(sentences), dtype=object)
        answers[:] = solutions.pivot(translate, sentences, to, by)
        return answers

    assert check_pivot(copied)
    assert check_pivot(in_an_array)
