"""Sentences with words of two senses, and words that are hidden."""

from itertools import product
from random import Random

import pytest
import torch

from attention_book.chapters.block.sentences import (
    MASK,
    SENSES,
    TEMPLATES,
    TOPICS,
    WORDS,
    contexts,
    held_out,
    hide,
    sentence,
)
from attention_book.data import PAD, STOP
from attention_book.data.batching import padded

EACH = [*product(SENSES, (0, 1))]
TOPIC_OF = {
    verb: topic for topic, (verbs, _, _) in TOPICS.items() for verb in verbs.split()
}


@pytest.mark.parametrize(("word", "sense"), EACH)
def test_with_its_verbs_exchanged_an_order_sentence_has_the_other_sense(word, sense):
    for seed in range(20):
        words, place = sentence(Random(seed), word, sense, TEMPLATES["order"])
        verbs = [t for t, each in enumerate(words) if each in TOPIC_OF]
        topics = [TOPIC_OF[words[t]] for t in verbs]
        mine = topics[verbs.index(place - 2)]
        assert words[place] == word
        assert mine == SENSES[word][sense]
        assert {*topics} == {*SENSES[word]}


@pytest.mark.parametrize(("word", "sense"), EACH)
def test_a_near_sentence_holds_words_of_the_sense_and_none_of_the_other(word, sense):
    around = [
        {each for part in TOPICS[topic] for each in part.split()}
        for topic in (SENSES[word][sense], SENSES[word][1 - sense])
    ]
    for seed in range(20):
        words, _ = sentence(Random(seed), word, sense, TEMPLATES["near"])
        assert {*words} & around[0] - {word}
        assert not {*words} & around[1] - {word}


def test_contexts_differ_and_are_held_out_or_not():
    for unseen in (False, True):
        source, visible, places = contexts("bank", 1, "order", 30, unseen=unseen)
        rows = [WORDS.decode(row[row > 0].tolist()) for row in source]
        assert len({*rows}) == 30
        assert all(held_out(row) == unseen for row in rows)
        for row, place in zip(rows, places, strict=True):
            assert row[place] == "bank"
        assert torch.equal(visible, source != PAD)


def test_one_sentence_in_five_is_held_out():
    drawn = {sentence(Random(seed))[0] for seed in range(3000)}
    assert sum(map(held_out, drawn)) / len(drawn) == pytest.approx(0.2, abs=0.03)


def rows(N=2000):
    rng = Random(0)
    return padded([WORDS.encode(sentence(rng)[0]) for _ in range(N)])


def test_a_fifth_of_the_words_is_asked_for_and_hidden():
    source = rows()
    source[:, 0] = STOP
    batch = hide(source, WORDS, torch.Generator().manual_seed(0))
    asked = batch.target_out != PAD
    assert torch.equal(batch.target_out[asked], source[asked])
    assert (source[asked] > STOP).all()
    assert asked.sum() / (source > STOP).sum() == pytest.approx(0.2, abs=0.01)
    assert (batch.source[asked] == WORDS.encode([MASK])[0]).all()
    assert torch.equal(batch.source[~asked], source[~asked])
    assert torch.equal(batch.source_visible, source != PAD)


def test_of_those_that_are_shown_half_are_replaced():
    source = rows()
    batch = hide(source, WORDS, torch.Generator().manual_seed(0), shown=0.2)
    asked = batch.target_out != PAD
    read, right = batch.source[asked], source[asked]
    mask = WORDS.encode([MASK])[0]
    others = read[(read != mask) & (read != right)]
    assert (read == mask).double().mean() == pytest.approx(0.8, abs=0.02)
    assert (read == right).double().mean() == pytest.approx(0.1, abs=0.02)
    assert others.min() > STOP
    assert others.max() == len(WORDS) - 2  # every word, and no [MASK]
    shown = hide(source, WORDS, torch.Generator().manual_seed(0), shown=1.0)
    assert (shown.source != mask).all()
