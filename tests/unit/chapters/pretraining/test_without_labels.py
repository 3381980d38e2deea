"""What is asked without labels, by the surprise at words."""

from functools import partial

import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.chapters.pretraining.exam import drawn
from attention_book.chapters.pretraining.experiments.without_labels import (
    bits_in_turn,
    counted_bits,
    told_apart,
    verbs_told,
)
from attention_book.chapters.pretraining.sentences import (
    CLS,
    MASK,
    SEP,
    WORDS,
    encode,
    text,
)
from attention_book.chapters.pretraining.solutions import hidden_word, surprises

A = ("he", "saw", "the", "car", ".")


def test_who_knows_neighbours_tells_swaps_and_who_knows_nothing_does_not(reader):
    known = torch.zeros(len(WORDS), len(WORDS))
    for words in {words for some in text().values() for words in some}:
        ids = torch.tensor([CLS, *WORDS.encode(words), SEP])
        known[ids[:-1], ids[1:]] = 1

    def answers(hidden):
        """Each word that may stand between these two neighbours."""
        before, after = hidden.roll(1, dims=1), hidden.roll(-1, dims=1)
        return 9 * known[before] * known.T[after]

    texts = drawn("order", 30, True)
    for bits in (partial(bits_in_turn, reader(answers)), counted_bits):
        found = told_apart(bits, texts)
        assert found["own"] > 0.9
        assert found["any"] > 0.8
    silent = reader(lambda hidden: torch.zeros(*hidden.shape, len(WORDS)))
    assert told_apart(partial(bits_in_turn, silent), texts) == {"any": 0.5, "own": 0.5}


def test_counts_give_each_word_between_two_neighbours_a_probability():
    words = WORDS.to_list()
    for before, after in (("the", "."), ("rice", "rice")):  # seen together, and not
        P = {w: 2 ** -counted_bits((before, w, after))[1] for w in words}
        assert sum(P.values()) == pytest.approx(1)
    assert counted_bits(("they", "eat", "rice"))[1] < 4
    assert counted_bits(("they", "rice", "rice"))[1] > 8


def test_each_words_bits_are_the_surprise_at_it():
    model = runs.load("bert").model()
    (ids,), _ = encode([(A,)])
    bits = surprises(model, ids, MASK).numpy() / np.log(2)
    np.testing.assert_allclose(bits_in_turn(model, A), bits, atol=1e-4)


def test_the_right_form_of_a_hidden_verb_is_counted_where_it_is_likelier():
    both, model = drawn("agreement", 12, True), runs.load("bert").model()
    told = []
    for (broken,), (fine,) in both:
        (verb,) = (n for n, word in enumerate(fine) if word != broken[n])
        wrong, right = WORDS.encode([broken[verb], fine[verb]])
        log_P = hidden_word(model, [*fine[:verb], "[MASK]", *fine[verb + 1 :]], verb)
        told.append(bool(log_P[right] > log_P[wrong]))
    assert 0 < np.mean(told) < 1
    assert verbs_told(model, both) == np.mean(told)
