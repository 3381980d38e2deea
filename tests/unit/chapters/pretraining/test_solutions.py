"""The solutions of chapter 14, and what the text says of its bug."""

import torch

from attention_book import runs
from attention_book.chapters.pretraining import solutions
from attention_book.chapters.pretraining.bug import BUG_HUNT
from attention_book.chapters.pretraining.sentences import MASK, encode

EATS = tuple(["the", "teacher", "eats", "the", "rice", "."])


def test_words_are_hidden_in_a_copy_of_the_sentence(tiny):
    ids = encode([(EATS,)])[0][0]
    before = ids.clone()
    solutions.surprises(tiny, ids, MASK)
    assert torch.equal(ids, before)


def test_the_bug_finds_every_word_of_a_whole_sentence_surprising():
    model, ids = runs.load("bert").model(), encode([(EATS,)])[0][0]
    right = solutions.surprises(model, ids.clone(), MASK)
    wrong = BUG_HUNT.broken(model, ids, MASK)
    assert right.max() < 4
    assert wrong.min() > 6
    assert (ids[1:-1] == MASK).all()


def test_a_verb_follows_these_always_and_a_plural_noun_often():
    shares = solutions.verb_fits(runs.load("bert").model())
    assert shares["this / these"] == {"singular": 1, "plural": 1}
    assert shares["the"]["singular"] == 1
    assert max(shares["these / this"].values()) < 0.3
    assert 0.5 < shares["the"]["plural"] < 0.8
