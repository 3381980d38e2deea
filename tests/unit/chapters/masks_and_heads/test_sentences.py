"""Sentences with four questions: the answers are where they are said to be."""

from collections import Counter
from random import Random

import pytest

from attention_book.chapters.masks_and_heads.sentences import (
    ADJECTIVES,
    LONGEST,
    NAMES,
    NONE,
    NOUNS,
    WORDS,
    collate,
    sentence,
)
from attention_book.data import PAD

KIND = {word: kind for kind in NOUNS for word in (*NOUNS[kind], *ADJECTIVES[kind])}


@pytest.fixture(scope="module")
def drawn():
    rng = Random(0)
    return [sentence(rng) for _ in range(2000)]


def test_each_answer_is_the_word_at_its_place(drawn):
    for each in drawn:
        for answer, place in zip(each.answers, each.gold, strict=True):
            assert answer == (NONE if place is None else each.words[place])
        assert each.words[1] == "told"
        assert each.gold[:3] == (0, 2, len(each.words) - 2)
    assert max(len(each.words) for each in drawn) == LONGEST


def test_every_answer_has_others_like_it_in_the_sentence(drawn):
    for each in drawn:
        names = [word for word in each.words if word in NAMES]
        nameless = {"someone", "everyone"} & {*each.words}
        assert len(names) == len({*names}) == 3 - len(nameless)
        *nouns, asks = (KIND[word] for word in each.words if word in KIND)
        assert len(nouns) == len({*nouns}) == 3
        assert (each.gold[3] is None) == (asks not in nouns)
        if each.gold[3] is not None:
            assert KIND[each.answers[3]] == asks


def test_no_answer_is_frequent(drawn):
    for k, most in enumerate((0.19, 0.19, 0.25, 0.29)):
        count = Counter(each.answers[k] for each in drawn)
        assert count.most_common(1)[0][1] / len(drawn) < most


def test_a_batch_holds_words_then_padding_and_four_answers(drawn):
    batch = collate(drawn[:9])
    for ids, visible, answers, each in zip(
        batch.source, batch.source_visible, batch.target_out, drawn, strict=False
    ):
        N = len(each.words)
        assert tuple(WORDS.words[k] for k in ids[:N]) == each.words
        assert (ids[N:] == PAD).all()
        assert visible.tolist() == [True] * N + [False] * (len(ids) - N)
        assert tuple(WORDS.words[k] for k in answers) == each.answers
