"""The sentences of *What is it?* have the gold answers that they say they have."""

from collections import Counter
from itertools import product
from random import Random

import pytest
import torch

from attention_book.chapters.self_attention.sentences import (
    ADJECTIVES,
    GERMAN,
    KIND,
    LONGEST,
    NONE,
    PRONOUNS,
    collate,
    exchanged,
    nouns_of,
    questions,
    sentence,
    vocabularies,
)
from attention_book.shapes import PAD

SOME = [sentence(Random(seed)) for seed in range(2000)]
ASKED = [(words, each) for words in SOME for each in questions(words)]
TEXT = "the dog near the soup left the tram because it was scared and it was very windy"


def test_every_noun_has_one_kind_and_kinds_are_alike():
    assert len(GERMAN) == 24
    assert len(KIND) == len(GERMAN) + sum(map(len, ADJECTIVES.values()))
    pairs = Counter((GERMAN[noun], KIND[noun]) for noun in GERMAN)
    assert pairs == dict.fromkeys(product(PRONOUNS, ADJECTIVES), 2)


def test_three_nouns_of_three_kinds_and_two_adjectives():
    for words in SOME:
        assert len({KIND[words[place]] for place in nouns_of(words)}) == 3
        assert len(nouns_of(words)) == 3
        assert len(questions(words)) == 2
    assert max(map(len, SOME)) == LONGEST


def test_gold_is_the_one_noun_that_an_adjective_fits():
    for words, each in ASKED:
        fits = [j for j in nouns_of(words) if KIND[words[j]] == KIND[words[each.asks]]]
        assert fits == ([] if each.gold is None else [each.gold])
        assert each.answer == (GERMAN[words[fits[0]]] if fits else NONE)


def test_no_answer_and_no_noun_is_likelier_than_the_others():
    answers = [each.answer for _, each in ASKED]
    for answer in ("er", "sie", "es", NONE):
        assert answers.count(answer) / len(answers) == pytest.approx(0.25, abs=0.03)
    which = [nouns_of(words).index(each.gold) for words, each in ASKED if each.gold]
    for noun in range(3):
        assert which.count(noun) / len(which) == pytest.approx(1 / 3, abs=0.03)


def test_an_exchanged_noun_is_of_its_kind_and_of_another_gender():
    rng = Random(0)
    for words in SOME[:200]:
        for place in nouns_of(words):
            new = exchanged(words, place, rng)
            assert [i for i in range(len(words)) if new[i] != words[i]] == [place]
            assert KIND[new[place]] == KIND[words[place]]
            assert GERMAN[new[place]] != GERMAN[words[place]]


def test_a_batch_asks_at_adjectives_only_and_hides_its_filling():
    short = TEXT.replace("very ", "")
    batch = collate([TEXT.split(), short.split()])
    said = vocabularies()["target"].words
    due = {i: said[k] for i, k in enumerate(batch.target_out[0].tolist()) if k}
    assert due == {11: "er", 16: NONE}
    assert batch.source_visible.sum(dim=1).tolist() == [17, 16]
    assert torch.equal(batch.source == PAD, ~batch.source_visible)
