"""The six tasks of the exam: what they hold apart, and that their labels are right."""

from functools import cache
from itertools import pairwise

import pytest
import torch

from attention_book.chapters.pretraining.exam import EXAM, drawn, items
from attention_book.chapters.pretraining.sentences import LEXICON, held_out, text

TOPICS = {  # by hand, as is all that the labels are held against
    "food": "apple orange tomato cake egg bread meat rice cheese",
    "text": "agreement treaty law contract letter report book newspaper",
    "person": "woman man child minister teacher doctor student president hero",
    "place": "area market school hospital garden city country",
    "thing": "house car table machine",
    "body": "bank union council party",
    "": "policy",
}
TOPIC_OF = {word: topic for topic, words in TOPICS.items() for word in words.split()}
PAST = {"ate", "signed", "wrote", "saw", "bought", "sold", "visited"}
PAST |= {"criticised", "supported"}
PRONOUNS = {"i", "he", "she", "we", "they"}
AUXILIARIES = {"is", "are", "was", "were", "do", "does"}
SINGULAR, PLURAL = (
    {form for noun in LEXICON.nouns.values() for form in noun.en[k : k + 1]}
    for k in (0, 1)
)
NOUN = {form: noun.en[0] for noun in LEXICON.nouns.values() for form in noun.en}
VERB = {form: verb.en[0] for verb in LEXICON.verbs.values() for form in verb.en}
SEEDS = (0, 1, 2)
KNOWN = {words for some in text().values() for words in some}


def nouns(a_text):
    return [NOUN[word] for words in a_text for word in words if word in NOUN]


def topics(a_text):
    return [TOPIC_OF[noun] for noun in nouns(a_text)]


def agrees(words):
    """Whether the first verb is in the number of the first noun or pronoun."""
    who = next(word for word in words if word in {*NOUN, *PRONOUNS})
    verb = next(word for word in words if word in {*VERB, *AUXILIARIES})
    third = {"is", "was", "does"} if verb in AUXILIARIES else {*VERB} - {*VERB.values()}
    return (verb in third) == (who in SINGULAR | {"he", "she"})


def bigrams(words):
    return set(pairwise(["", *words]))


IN_TEXT = set().union(*map(bigrams, KNOWN))
ORACLES = {
    "class": lambda a_text: topics(a_text)[0],
    "same": lambda a_text: "yes" if len({*topics(a_text)}) == 1 else "no",
    "who": lambda a_text: topics(a_text)[0],
    "tense": lambda a_text: "past" if {*a_text[0]} & PAST else "present",
    "agreement": lambda a_text: "whole" if agrees(a_text[0]) else "broken",
}


@cache
def both_sides(task, seed):
    return items(task, 200, seed=seed), items(task, 500, test=True, seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("task", EXAM)
def test_no_noun_of_the_test_is_among_the_labelled(task, seed):
    labelled, test = (
        {noun for each in side.texts for noun in nouns(each)}
        for side in both_sides(task, seed)
    )
    assert labelled
    assert test
    assert not labelled & test


@pytest.mark.parametrize("seed", SEEDS)
def test_no_verb_of_the_test_of_tense_is_among_the_labelled(seed):
    labelled, test = (
        {VERB[word] for (words,) in side.texts for word in words if word in VERB}
        for side in both_sides("tense", seed)
    )
    assert len(labelled) + len(test) == len(PAST)
    assert not labelled & test


@pytest.mark.parametrize("task", EXAM)
def test_answers_are_balanced(task):
    for side in both_sides(task, 0):
        counts = torch.bincount(side.labels)
        assert len(counts) == len(EXAM[task].answers)
        assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("task", ORACLES)
def test_labels_are_right(task, seed):
    answers = EXAM[task].answers
    for side in both_sides(task, seed):
        for each, label in zip(side.texts, side.labels, strict=True):
            assert ORACLES[task](each) == answers[label], each


def test_two_of_one_topic_are_two_nouns():
    for side in both_sides("same", 0):
        assert all(len({*nouns(each)}) == 2 for each in side.texts)


def test_what_was_seen_may_be_anything():
    for side in both_sides("class", 0):
        rest = {
            tuple(word for word in words if word not in NOUN) for (words,) in side.texts
        }
        assert {word for words in rest for word in words} == {
            *("i", "he", "she", "we", "they", "did", "not", "see", "saw", "."),
            *("the", "this", "these"),
        }


@pytest.mark.parametrize("task", ["agreement", "order"])
def test_what_is_broken_differs_from_the_whole_as_it_should(task):
    for test in (False, True):
        for (broken,), (whole,) in drawn(task, 200, test):
            off = [
                t for t, (a, b) in enumerate(zip(broken, whole, strict=True)) if a != b
            ]
            assert whole not in KNOWN
            assert broken not in KNOWN
            if task == "agreement":
                assert len(off) == 1
            else:
                first, second = off
                assert second == first + 1
                assert broken[first] == whole[second]
                assert broken[second] == whole[first]


def test_broken_order_has_neighbours_that_the_text_has_not():
    new = [
        [bool(bigrams(words) - IN_TEXT) for (words,) in texts]
        for texts in zip(*drawn("order", 500, True), strict=True)
    ]
    broken, whole = (sum(each) / len(each) for each in new)
    assert broken > 0.8
    assert whole < 0.3


@pytest.mark.parametrize("task", EXAM)
def test_the_first_of_many_items_are_those_of_few(task):
    few, many, again = (items(task, N, seed=1) for N in (50, 200, 50))
    assert few.texts == again.texts == many.texts[:50]
    assert few.texts != items(task, 50, seed=2).texts


def test_the_oracle_of_agreement_finds_that_unseen_sentences_agree():
    be = [words for some in held_out().values() for words in some if words[0] != "i"]
    assert all(agrees(w) for w in be if {*w} & {"is", "are", "was", "were"})


def test_of_agreement_no_form_of_a_verb_tells_what_is_broken():
    verbs = [
        [next(w for w in words if w in {*VERB, *AUXILIARIES}) for (words,) in texts]
        for texts in zip(*drawn("agreement", 500, True), strict=True)
    ]
    third = {"is", "was", "does"} | {*VERB} - {*VERB.values()}
    for each in verbs:
        assert sum(w in third for w in each) / 500 == pytest.approx(0.5, abs=0.07)
