"""The text without labels, and how it is shown."""

from functools import cache
from itertools import islice
from random import Random

import pytest
import torch

from attention_book.chapters.pretraining import sentences
from attention_book.chapters.pretraining.sentences import (
    CLS,
    LEXICON,
    MASK,
    SEP,
    TOKENS,
    TOPIC_OF,
    UNK,
    WORDS,
    encode,
    held_out,
    hide,
    pairs,
    text,
)
from attention_book.data import PAD
from attention_book.models import BertConfig

BREAD = ("we", "eat", "bread", ".")
SAW = ("he", "saw", "the", "car", ".")
N_LEXICAL = len(WORDS) - UNK - 1  # all but special tokens
FORMS = {form: topic for noun, topic in TOPIC_OF.items() for form in noun.en}


def every(by_topic):
    return [words for some in by_topic.values() for words in some]


def test_no_held_out_sentence_is_in_the_text():
    assert len(every(text())) == 20_000
    assert len(every(held_out())) == 4000
    assert not {*every(held_out())} & {*every(text())}


def test_the_text_is_the_same_each_time():
    drawn = [
        sentences.written(clause)
        for clause in islice(sentences.clauses(Random("text")), 200)
    ]
    assert {words for some in text().values() for words in some[:9]} <= {*drawn}


def test_a_sentence_has_a_noun_of_its_topic_and_food_is_the_topic_wherever_it_is():
    for topic, some in text().items():
        for words in some:
            topics = {FORMS[word] for word in words if word in FORMS}
            assert topic in topics
            assert topic == "food" or "food" not in topics


def test_every_noun_with_a_topic_and_every_verb_is_in_the_text():
    found = {word for words in every(text()) for word in words}
    assert {noun.en[0] for noun in TOPIC_OF} <= found
    assert all(found & {*verb.en} for verb in LEXICON.verbs.values())


def test_the_second_sentence_follows_if_it_has_the_topic_of_the_first():
    where = {words: topic for topic, some in text().items() for words in some}
    drawn, other = pairs(Random(0), text(), 4000)
    alike = torch.tensor([where[a] == where[b] for a, b in drawn])
    assert other.double().mean() == pytest.approx(0.5, abs=0.03)
    assert alike[other == 0].all()
    chance = sum((len(some) / 20_000) ** 2 for some in text().values())
    assert alike[other == 1].double().mean() == pytest.approx(chance, abs=0.03)
    firsts = [where[first] for first, _ in drawn]
    shares = {topic: len(some) / 20_000 for topic, some in text().items()}
    assert {t: firsts.count(t) / 4000 for t in shares} == pytest.approx(
        shares, abs=0.03
    )


def test_a_pair_is_no_longer_than_a_network_reads():
    short, long = (("she", *n * ("really",), "ate", "rice", ".") for n in (18, 19))
    drawn, other = pairs(Random(0), {"food": [short, long]}, 200)
    assert len(drawn) == len(other) == 200
    assert {frozenset(pair) for pair in drawn} == {
        frozenset({short}),
        frozenset({short, long}),
    }
    assert encode(drawn)[0].shape[1] == BertConfig(len(WORDS)).N_positions


def test_pairs_are_written_in_segments_and_filled_up():
    ids, segments = encode([(SAW,), (BREAD, SAW)])
    shown = [[TOKENS[i] for i in row] for row in ids.tolist()]
    assert shown[0] == ["[CLS]", *SAW, "[SEP]", *5 * ["[PAD]"]]
    assert shown[1] == ["[CLS]", *BREAD, "[SEP]", *SAW, "[SEP]"]
    assert segments.tolist() == [12 * [0], 6 * [0] + 6 * [1]]


def test_special_tokens_have_ids_of_their_own():
    assert [TOKENS[i] for i in (PAD, CLS, SEP, MASK, UNK)] == [
        *("[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]")
    ]
    assert len(TOKENS) == len(WORDS)
    assert encode([(("the", "attention"),)])[0].tolist()[0][2] == UNK


@cache
def source(N=1000):
    return encode(pairs(Random(0), text(), N)[0])[0]


def test_15_percent_of_the_words_are_asked_for_and_of_these_four_in_five_are_hidden():
    ids = source()
    read, words = hide(ids, torch.Generator().manual_seed(0))
    asked = words != PAD
    assert torch.equal(words[asked], ids[asked])
    assert torch.equal(read[~asked], ids[~asked])
    assert ids[asked].min() > UNK
    assert asked.sum() / (ids > UNK).sum() == pytest.approx(0.15, abs=0.01)
    left, hidden = read[asked] == ids[asked], read[asked] == MASK
    assert hidden.double().mean() == pytest.approx(0.8, abs=0.03)
    assert left.double().mean() == pytest.approx(0.1, abs=0.02)
    others = read[asked & (read != ids) & (read != MASK)]
    assert others.min() == UNK + 1
    assert others.max() == len(WORDS) - 1


@pytest.mark.parametrize(
    ("shares", "hidden", "left"),
    [
        ((1.0, 0.0, 0.0), 1, 0),
        ((0.0, 0.0, 1.0), 0, 1),
        ((0.0, 1.0, 0.0), 0, 1 / N_LEXICAL),  # by chance
    ],
)
def test_other_shares(shares, hidden, left):
    ids = source()
    read, words = hide(ids, torch.Generator().manual_seed(0), shares)
    asked = words != PAD
    assert (read[asked] == MASK).double().mean() == hidden
    same = (read[asked] == ids[asked]).double().mean()
    assert same == pytest.approx(left, abs=0.004 if 0 < left < 1 else 0)


def test_the_same_generator_hides_the_same_words():
    ids = source(20)
    one, same, other = (
        hide(ids, torch.Generator().manual_seed(seed))[0] for seed in (0, 0, 1)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
