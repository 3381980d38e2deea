"""Sentences, what is done to them, and prompts of them."""

from itertools import islice, permutations
from random import Random

import pytest

from attention_book.chapters.generation import operations
from attention_book.chapters.generation.operations import (
    COMPOSED,
    EVERY,
    NOUNS,
    OPERATIONS,
    TOKENS,
    VERBS,
    WORDS,
    Phrase,
    Sentence,
    case,
    decode,
    encode,
    pair,
    parsed,
    prompt,
    sentences,
    which,
)
from attention_book.data import STOP

POOR = "the sad woman follow your kings"
FINE = "our fox bites the old mouse"
DONE = {
    "correct": (
        "the sad woman follows your kings",
        "our fox bites the old mouse",
    ),
    "past": (
        "the sad woman followed your kings",
        "our fox bit the old mouse",
    ),
    "plural": (
        "the sad women follow your kings",
        "our foxes bite the old mouse",
    ),
    "negation": (
        "the sad woman does not follow your kings",
        "our fox does not bite the old mouse",
    ),
    "passive": (
        "your kings are followed by the sad woman",
        "the old mouse is bitten by our fox",
    ),
    "question": (
        "does the sad woman follow your kings",
        "does our fox bite the old mouse",
    ),
    "future": (
        "the sad woman will follow your kings",
        "our fox will bite the old mouse",
    ),
    "swap": (
        "your kings follow the sad woman",
        "the old mouse bites our fox",
    ),
    "backwards": (
        "kings your follow woman sad the",
        "mouse old the bites fox our",
    ),
    "plural + past": (
        "the sad women followed your kings",
        "our foxes bit the old mouse",
    ),
    "future + negation": (
        "the sad woman will not follow your kings",
        "our fox will not bite the old mouse",
    ),
    "passive + negation": (
        "your kings are not followed by the sad woman",
        "the old mouse is not bitten by our fox",
    ),
    "passive + question": (
        "are your kings followed by the sad woman",
        "is the old mouse bitten by our fox",
    ),
}


def words(text):
    return tuple(text.split())


def some(N, split="training"):
    return [*islice(sentences(Random(0), split), N)]


@pytest.mark.parametrize("name", EVERY)
def test_each_operation_does_what_it_is_called(name):
    outputs = [EVERY[name](parsed(words(given))) for given in (POOR, FINE)]
    assert outputs == [words(each) for each in DONE[name]]


def test_an_output_tells_its_operation():
    for sentence in some(100):
        for name, do in EVERY.items():
            assert which(do(sentence), sentence) == name
    assert which(words("our fox bites the mouse"), parsed(words(FINE))) is None
    assert which((), parsed(words(FINE))) is None


def test_composed_operations_are_of_those_that_are_trained():
    for name in COMPOSED:
        assert {*name.split(" + ")} < {*OPERATIONS}


def test_splits_share_words_and_no_subject_verb_and_object():
    splits = {split: set() for split in operations.SPLITS}
    for one, other in permutations(NOUNS, 2):
        for verb in VERBS:
            the, big = Phrase("the", "", one), Phrase("my", "big", other, many=True)
            split = Sentence(the, verb, big).split
            changed = Sentence(the._replace(determiner="our"), verb, big, poor=True)
            assert changed.split == split
            splits[split].add((one, verb.bare, other))
    shares = [len(splits[name]) / 1056 for name in ("test", "development", "training")]
    assert shares == pytest.approx([0.1, 0.1, 0.8], abs=0.03)
    for each in splits.values():
        assert [len({*part}) for part in zip(*each, strict=True)] == [12, 8, 12]


@pytest.mark.parametrize("split", ["training", "development", "test"])
def test_what_is_drawn_is_of_the_split(split):
    assert {each.split for each in some(50, split)} == {split}


def test_forms_are_evenly_drawn():
    drawn = some(1000)
    poor = sum(each.poor for each in drawn)
    many = sum(each.object.many for each in drawn)
    adjectives = sum(bool(each.subject.adjective) for each in drawn)
    assert [poor, many, adjectives] == pytest.approx([500] * 3, abs=60)
    assert not any(each.subject.many for each in drawn)
    assert all(each.subject.noun != each.object.noun for each in drawn)


def test_a_seed_draws_its_sentences_again():
    assert some(20) == some(20)
    assert some(20) != [*islice(sentences(Random(1), "training"), 20)]


def test_a_sentence_is_read_from_its_words():
    assert all(parsed(each.given) == each for each in some(100))


@pytest.mark.parametrize(
    "given",
    [
        "",
        "the cat",
        "see my dog",
        "the cat saw my dog",
        "the cats see my dog",
        "cat sees my dog",
        "the sad old cat sees my dog",
        "the cat sees my dog dog",
        "the cat sees",
        "the cat sees my dragon",
    ],
)
def test_what_is_no_such_sentence_is_refused(given):
    with pytest.raises(ValueError, match="expected a sentence such as"):
        parsed(words(given))


def test_a_prompt_shows_examples_and_asks():
    examples = [pair(parsed(words(FINE)), "past"), pair(parsed(words(POOR)), "past")]
    assert prompt(examples, words("the cat see my dog")) == words(
        "in: our fox bites the old mouse out: our fox bit the old mouse . "
        "in: the sad woman follow your kings out: the sad woman followed your kings . "
        "in: the cat see my dog out:"
    )


def test_a_full_stop_is_the_end_to_a_decoder():
    text = case(iter(some(3)), "past", ["past", "correct"]).text
    ids = encode(text)
    assert decode(ids) == text
    assert [i for i, word in zip(ids, text, strict=True) if word == "."] == 3 * [STOP]
    assert text[-1] == "."
    assert len(TOKENS) == len(WORDS)
    with pytest.raises(ValueError, match="'dragon', which is not among"):
        encode(["dragon"])


def test_examples_of_a_case_show_what_they_are_told_to():
    drawn = some(3)
    made = case(iter(drawn), "passive", ["past", "passive"])
    assert made.examples == (pair(drawn[0], "past"), pair(drawn[1], "passive"))
    assert made.sentence == drawn[2]
    assert made.answer == OPERATIONS["passive"](drawn[2])
    assert made.text == (*made.prompt, *made.answer, ".")


def test_examples_may_have_outputs_of_other_sentences():
    drawn = some(3)
    made = case(iter(drawn), "past", [None])
    assert made.examples == ((drawn[0].given, OPERATIONS["past"](drawn[1])),)
    assert made.sentence == drawn[2]
