"""Corpora: what is aligned, what is kept apart, what stays the same."""

from random import Random
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_book.data.translation import (
    BUCKETS,
    classic,
    corpora,
    corpus,
    held_out_pairs,
    sentence,
    vocabulary,
)
from attention_book.data.translation.corpora import part
from attention_book.data.translation.lexicon import lexicon

pytestmark = pytest.mark.usefixtures("unchecked")
LANGUAGES = ("en", "fr", "es")
DIRECTIONS = [
    (source, target) for source in LANGUAGES for target in LANGUAGES if source != target
]


@pytest.fixture(scope="module")
def small(unchecked):
    return corpus("en", "es", N_train=1_500, per_bucket=15)


@pytest.fixture(scope="module")
def drawn(unchecked):
    rng = Random(5)
    return {
        variant: [sentence(rng, variant) for _ in range(9_000)]
        for variant in ("lite", "full")
    }


def test_we_are_eating_bread():
    bread = classic("bread")
    assert bread.text("en") == "we are eating bread"
    assert bread.text("fr") == "nous mangeons du pain"
    assert bread.text("es") == "estamos comiendo pan"
    assert bread.alignment("en", "fr") == {(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)}
    assert bread.alignment("en", "es") == {(0, 0), (1, 0), (2, 1), (3, 2)}


def links(text, pairs):
    """Links written as words, "signed-signé"; each word that is linked comes once."""
    source, target = (side.split() for side in text)
    return {
        (source.index(a), target.index(b))
        for a, b in (pair.split("-") for pair in pairs.split())
    }


@pytest.mark.parametrize(
    ("language", "said", "linked"),
    [
        ("fr", "l' accord sur la zone économique européenne a été signé en août 1992",
         "the-l' agreement-accord on-sur european-européenne economic-économique "
         "area-zone was-a was-été signed-signé in-en august-août 1992-1992"),
        ("es", "el acuerdo sobre la zona económica europea fue firmado en agosto de "
         "1992",
         "the-el agreement-acuerdo on-sobre european-europea economic-económica "
         "area-zona was-fue signed-firmado in-en august-agosto 1992-de 1992-1992"),
    ],
)  # fmt: skip
def test_the_agreement_on_the_european_economic_area(language, said, linked):
    area = classic("area")
    english = "the agreement on the european economic area was signed in august 1992"
    assert (area.text("en"), area.text(language)) == (english, said)
    expected = links((english, said), linked)
    assert area.alignment("en", language) == expected | {(3, 3)}  # "the", again


@pytest.mark.parametrize("name", ["bread", "area"])
def test_the_classics_are_lite_and_unseen(name):
    assert part(classic(name)) == {"bread": "test", "area": "held_out"}[name]
    for language in LANGUAGES:
        known = set(vocabulary(language, "lite").words)
        assert set(classic(name).tokens(language)) <= known


@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.sampled_from(("lite", "full")),
    st.sampled_from(DIRECTIONS),
)
def test_every_word_of_both_sides_is_linked_within_bounds(seed, variant, direction):
    triple = sentence(Random(seed), variant)
    source, target = (triple.tokens(language) for language in direction)
    alignment = triple.alignment(*direction)
    assert {i for i, _ in alignment} == set(range(len(source)))
    assert {j for _, j in alignment} == set(range(len(target)))
    assert triple.alignment(*direction[::-1]) == {(j, i) for i, j in alignment}


@pytest.mark.parametrize("target", ["fr", "es"])
@pytest.mark.parametrize("variant", ["lite", "full"])
def test_translation_is_a_function_of_the_english_sentence(drawn, variant, target):
    said = {}
    for triple in drawn[variant]:
        text = triple.text(target)
        assert said.setdefault(triple.text("en"), text) == text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", ["lite", "full"])
def test_the_vocabulary_is_what_the_grammar_writes(drawn, variant, language):
    known = set(vocabulary(language, variant).to_list())
    written = {word for triple in drawn[variant] for word in triple.tokens(language)}
    assert written <= known
    assert len(written) >= 0.95 * len(known)


@pytest.mark.parametrize(
    ("variant", "sizes"),
    [
        ("lite", {"en": 111, "fr": 182, "es": 204}),
        ("full", {"en": 232, "fr": 367, "es": 409}),
    ],
)
def test_the_vocabularies_have_the_size_the_book_tells(variant, sizes):
    found = {each: len(vocabulary(each, variant).to_list()) for each in LANGUAGES}
    assert found == sizes


def test_the_vocabularies_do_not_depend_on_the_draws(small):
    other = corpus("en", "es", N_train=3, per_bucket=1, seed=99)
    assert other.source_vocabulary == small.source_vocabulary == vocabulary("en")
    assert other.target_vocabulary == small.target_vocabulary == vocabulary("es")


def test_a_corpus_has_the_parts_that_were_asked_for(small):
    assert len(small.train) == 1_500
    assert tuple(small.test) == tuple(small.held_out) == BUCKETS
    for bucket in BUCKETS:
        for pairs in (small.test[bucket], small.held_out[bucket]):
            assert len(pairs) == 15
            assert all(bucket[0] <= len(pair.source) <= bucket[1] for pair in pairs)
            assert len({pair.source for pair in pairs}) == 15
    assert len({pair.source for pair in small.train}) == 1_500


def test_long_training_sentences_can_be_left_out_while_the_test_keeps_them():
    short = corpus("en", "fr", N_train=50, max_words=12, per_bucket=2)
    assert max(len(pair.source) for pair in short.train) in (11, 12)
    assert len(short.test[22, 24]) == 2


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"N_train": 0, "per_bucket": 9_999}, "per_bucket is 9999"),
        (
            {"N_train": 99_999, "max_words": 6, "per_bucket": 0},
            "N_train is 99999 with max_words 6",
        ),
    ],
)
def test_more_than_there_are_is_an_error_and_no_endless_loop(asked, what, monkeypatch):
    monkeypatch.setattr(corpora, "MAX_IDLE_DRAWS", 30)
    with pytest.raises(ValueError, match=what + ", expected less: "):
        corpus(**asked)


@pytest.fixture(scope="module")
def short(unchecked):
    """Of short sentences there are so few that a leak would be seen."""
    return corpus("en", "es", N_train=2_500, max_words=6, per_bucket=60)


@pytest.mark.parametrize("seed", [1, 2])
def test_no_sentence_is_on_two_sides_whatever_the_seed(short, seed):
    unseen = [*short.test.values(), *short.held_out.values()]
    unseen = {pair.source for pairs in unseen for pair in pairs}
    again = corpus("en", "es", N_train=2_000, max_words=6, per_bucket=30, seed=seed)
    trained = {pair.source for pair in (*short.train, *again.train)}
    assert not unseen & trained
    assert not trained & {pair.source for pair in again.test[3, 6]}
    assert len(trained) > 2_500


def test_trained_and_unseen_translations_are_apart_too(short):
    unseen = {pair.target for pairs in short.test.values() for pair in pairs}
    assert not unseen & {pair.target for pair in short.train}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", ["lite", "full"])
def test_sentences_that_a_language_writes_alike_are_on_one_side(
    drawn, variant, language
):
    sides = {}
    for triple in drawn[variant]:
        if part(triple, variant) != "held_out":
            sides.setdefault(triple.text(language), set()).add(triple.signature)
    assert [text for text, signatures in sides.items() if len(signatures) > 1] == []


def test_the_languages_do_merge_sentences(drawn):
    """Without the signature the split would leak: sentences share their Spanish."""
    english = {}
    for triple in drawn["lite"]:
        english.setdefault(triple.text("es"), set()).add(triple.text("en"))
    assert any(len(sentences) > 1 for sentences in english.values())


def adjective_noun_pairs(words):
    """Read from the English words: each noun with the adjectives right before it."""
    lite = lexicon("lite")
    singular = {form: noun.en[0] for noun in lite.nouns.values() for form in noun.en}
    adjectives = {each.en for noun in lite.nouns.values() for each in noun.adjectives}
    pairs, before = set(), []
    for word in words:
        if word in singular:
            pairs |= {(adjective, singular[word]) for adjective in before}
        before = [*before, word] if word in adjectives else []
    return pairs


def test_no_pair_held_out_is_ever_trained_on(small):
    held = held_out_pairs()
    assert {("european", "area"), ("economic", "area")} <= held
    for pairs in (small.train, *small.test.values()):
        assert not any(adjective_noun_pairs(pair.source) & held for pair in pairs)
    for pairs in small.held_out.values():
        assert all(adjective_noun_pairs(pair.source) & held for pair in pairs)


def test_each_word_of_a_pair_held_out_is_trained_on(small):
    words = {word for pair in small.train for word in pair.source}
    assert {word for pair in held_out_pairs() for word in pair} <= words


@pytest.mark.parametrize("variant", ["lite", "full"])
def test_about_a_tenth_of_the_pairs_is_held_out(variant):
    nouns = lexicon(variant).nouns.values()
    pairs = {(each.en, noun.en[0]) for noun in nouns for each in noun.adjectives}
    assert held_out_pairs(variant) <= pairs
    assert 0.06 < len(held_out_pairs(variant)) / len(pairs) < 0.16


def test_training_and_test_sentences_of_a_length_are_alike():
    """Both sides are draws of one distribution: shares differ by chance only."""
    found = corpus("en", "es", N_train=6_000, per_bucket=150)

    def passives(pairs):
        found = [bool({"was", "were", "be"} & set(pair.source)) for pair in pairs]
        return sum(found) / len(pairs)

    for low, high in BUCKETS:
        train = [pair for pair in found.train if low <= len(pair.source) <= high]
        off = passives(train) - passives(found.test[low, high])
        assert abs(off) < 0.14  # four standard errors are .16


def test_the_seed_decides_the_draws():
    one, same, other = (
        corpus("fr", "es", N_train=40, per_bucket=2, seed=seed) for seed in (3, 3, 4)
    )
    assert one == same
    assert one.train != other.train
    assert one.test != other.test


@pytest.mark.parametrize(
    ("variant", "expected"), [("lite", 4048529335), ("full", 3285685676)]
)
def test_the_corpus_is_the_one_the_recorded_runs_were_trained_on(variant, expected):
    found = corpus(variant=variant, N_train=300, per_bucket=10)
    parts = (found.train, *found.test.values(), *found.held_out.values())
    rows = [(p.source, p.target, sorted(p.alignment)) for some in parts for p in some]
    assert crc32(repr(rows).encode()) == expected
