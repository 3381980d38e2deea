"""What is measured of a model, on models whose answers and looks are known."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attention_book.chapters.self_attention.sentences import (
    GERMAN,
    KIND,
    NONE,
    PRONOUNS,
    nouns_of,
    sentence,
    vocabularies,
)
from attention_book.chapters.self_attention.tasks import (
    all_but_gold,
    asked_in,
    exchange,
    measured,
)

WORDS, ANSWERS = vocabularies().values()
SOME = [sentence(Random(seed)) for seed in range(80)]
FITTING = [(b, each) for b, each in asked_in(SOME) if each.gold is not None]


def knower(looks_at=None):
    """Knows what fits among what it may see; looks there, or at one place always."""

    def reads(source, visible):
        A = torch.zeros(*source.shape, source.shape[1])
        logits = torch.zeros(*source.shape, len(ANSWERS))
        for b, ids in enumerate(source):
            words = [WORDS.words[i] for i in ids]
            for i, word in enumerate(words):
                sees = visible[b].expand(len(words), -1)[i]
                fits = [
                    j
                    for j, noun in enumerate(words)
                    if noun in GERMAN and KIND[noun] == KIND.get(word) and sees[j]
                ]
                answer = GERMAN[words[fits[0]]] if fits else NONE
                logits[b, i, ANSWERS.encode([answer])] = 1
                A[b, i, fits[0] if fits and looks_at is None else looks_at or 0] = 1
        return logits, A

    return SimpleNamespace(with_attention=reads)


def test_one_who_knows_and_looks_is_right_in_everything():
    found = measured(knower(), SOME)
    assert found["accuracy"] == 1
    assert found["pointing"] == {"all": 1, "er": 1, "sie": 1, "es": 1}
    assert found["on_gold"] == 1
    assert found["hidden"]["right"] == 0
    assert found["hidden"]["said"] == {**dict.fromkeys(PRONOUNS, 0), NONE: 1}
    assert found["exchanged"] == {"gold": 1, "another": 1}


def test_one_who_looks_elsewhere_points_by_chance_and_is_right_all_the_same():
    found = measured(knower(looks_at=1), SOME)
    at_place = np.mean([each.gold == 1 for _, each in FITTING])
    assert found["accuracy"] == 1
    assert 0 < at_place < 0.5
    assert found["on_gold"] == pytest.approx(at_place)
    assert found["pointing"]["all"] == pytest.approx(at_place)


def test_hidden_is_the_fitting_noun_from_its_adjective_alone():
    visible = all_but_gold(SOME, FITTING)
    for b, words in enumerate(SOME):
        gone = {(each.asks, each.gold) for n, each in FITTING if n == b}
        hidden = (~visible[b, :, : len(words)]).nonzero().tolist()
        assert {tuple(place) for place in hidden} == gone
        assert not visible[b, :, len(words) :].any()


@pytest.mark.parametrize("of_gold", [True, False])
def test_an_exchange_changes_the_noun_it_names(of_gold):
    changed, now = exchange(SOME, FITTING, of_gold, Random(0))
    for words, (b, each), (k, again) in zip(changed, FITTING, now, strict=True):
        (place,) = (i for i, word in enumerate(SOME[b]) if words[i] != word)
        assert words is changed[k]
        assert place in nouns_of(words)
        assert (place == each.gold) == of_gold == (again.answer != each.answer)
        assert (again.asks, again.gold) == (each.asks, each.gold)
