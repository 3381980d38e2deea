"""Corpora: what is aligned, what is kept apart, what stays the same."""

from random import Random
from zlib import crc32

import jaxtyping
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

LANGUAGES = ("en", "fr", "es")
DIRECTIONS = [
    (source, target) for source in LANGUAGES for target in LANGUAGES if source != target
]


@pytest.fixture(scope="module", autouse=True)
def unchecked():
    """Thousands of sentences are drawn: without shape checks, which they have not."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


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


def test_the_agreement_on_the_european_economic_area_in_french():
    area = classic("area")
    assert (
        area.text("en")
        == "the agreement on the european economic area was signed in august 1992"
    )
    assert (
        area.text("fr")
        == "l' accord sur la zone économique européenne a été signé en août 1992"
    )
    expected = links(
        (area.text("en"), area.text("fr")),
        "the-l' agreement-accord on-sur european-européenne economic-économique "
        "area-zone was-a was-été signed-signé in-en august-août 1992-1992",
    )
    assert area.alignment("en", "fr") == expected | {(3, 3)}  # the second "the" is "la"


def test_the_agreement_on_the_european_economic_area_in_spanish():
    area = classic("area")
    assert (
        area.text("es")
        == "el acuerdo sobre la zona económica europea fue firmado en agosto de 1992"
    )
    expected = links(
        (area.text("en"), area.text("es")),
        "the-el agreement-acuerdo on-sobre european-europea economic-económica "
        "area-zona was-fue signed-firmado in-en august-agosto 1992-de 1992-1992",
    )
    assert area.alignment("en", "es") == expected | {(3, 3)}


@pytest.mark.parametrize("name", ["bread", "area"])
def test_the_classics_are_lite_and_unseen(name):
    assert part(classic(name)) == {"bread": "test", "area": "held_out"}[name]
    for language in LANGUAGES:
        assert set(classic(name).tokens(language)) <= set(
            vocabulary(language, "lite").words
        )


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


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(DIRECTIONS))
def test_alignment_is_the_same_read_from_either_side(seed, direction):
    triple = sentence(Random(seed), "full")
    source, target = direction
    assert triple.alignment(target, source) == {
        (j, i) for i, j in triple.alignment(source, target)
    }


def test_adjectives_cross_their_noun_and_verbs_take_several_words():
    alignment = classic("area").alignment("en", "fr")
    crossing = [
        (a, b) for a in alignment for b in alignment if a[0] < b[0] and a[1] > b[1]
    ]
    assert {(4, 6), (5, 5), (6, 4)} == {link for pair in crossing for link in pair}


def test_year_months_and_names_link_to_their_like(drawn):
    for triple in drawn["full"][:2_000]:
        english, spanish = triple.tokens("en"), triple.tokens("es")
        for i, j in triple.alignment("en", "es"):
            assert not english[i].isdigit() or spanish[j] in ("de", english[i])


@pytest.mark.parametrize("target", ["fr", "es"])
@pytest.mark.parametrize("variant", ["lite", "full"])
def test_translation_is_a_function_of_the_english_sentence(drawn, variant, target):
    said = {}
    for triple in drawn[variant]:
        assert said.setdefault(triple.text("en"), triple.text(target)) == triple.text(
            target
        )


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
    assert {
        language: len(vocabulary(language, variant).to_list()) for language in LANGUAGES
    } == sizes


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
    monkeypatch.setattr(corpora, "PATIENCE", 30)
    with pytest.raises(ValueError, match=what + ", expected less: "):
        corpus(**asked)


@pytest.fixture(scope="module")
def short(unchecked):
    """Of short sentences there are so few that a leak would be seen."""
    return corpus("en", "es", N_train=2_500, max_words=6, per_bucket=60)


@pytest.mark.parametrize("seed", [1, 2])
def test_no_sentence_is_on_two_sides_whatever_the_seed(short, seed):
    unseen = {
        pair.source
        for side in (short.test, short.held_out)
        for pairs in side.values()
        for pair in pairs
    }
    again = corpus("en", "es", N_train=2_000, max_words=6, per_bucket=30, seed=seed)
    trained = {pair.source for pair in short.train} | {
        pair.source for pair in again.train
    }
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
    adjectives = {
        adjective.en for noun in lite.nouns.values() for adjective in noun.adjectives
    }
    pairs, before = set(), []
    for word in words:
        pairs |= (
            {(adjective, singular[word]) for adjective in before}
            if word in singular
            else set()
        )
        before = [*before, word] if word in adjectives else []
    return pairs


def test_no_pair_held_out_is_ever_trained_on(small):
    held = held_out_pairs()
    assert {("european", "area"), ("economic", "area")} <= held
    assert not any(adjective_noun_pairs(pair.source) & held for pair in small.train)
    assert not any(
        adjective_noun_pairs(pair.source) & held
        for pairs in small.test.values()
        for pair in pairs
    )
    for pairs in small.held_out.values():
        assert all(adjective_noun_pairs(pair.source) & held for pair in pairs)


def test_each_word_of_a_pair_held_out_is_trained_on(small):
    words = {word for pair in small.train for word in pair.source}
    assert {word for pair in held_out_pairs() for word in pair} <= words


@pytest.mark.parametrize("variant", ["lite", "full"])
def test_about_a_tenth_of_the_pairs_is_held_out(variant):
    nouns = lexicon(variant).nouns.values()
    pairs = {
        (adjective.en, noun.en[0]) for noun in nouns for adjective in noun.adjectives
    }
    assert held_out_pairs(variant) <= pairs
    assert 0.06 < len(held_out_pairs(variant)) / len(pairs) < 0.16


def test_training_and_test_sentences_of_a_length_are_alike():
    """Both sides are draws of one distribution: shares differ by chance only."""
    found = corpus("en", "es", N_train=6_000, per_bucket=150)

    def passives(pairs):
        return sum(
            {"was", "were", "be"} & set(pair.source) != set() for pair in pairs
        ) / len(pairs)

    for low, high in BUCKETS:
        train = [pair for pair in found.train if low <= len(pair.source) <= high]
        assert (
            abs(passives(train) - passives(found.test[low, high])) < 0.14
        )  # four standard errors are .16


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
    rows = [
        (pair.source, pair.target, sorted(pair.alignment))
        for pairs in parts
        for pair in pairs
    ]
    assert crc32(repr(rows).encode()) == expected


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"source": "de"}, ValueError, "source is 'de', expected one of en, fr, es"),
        ({"target": "EN"}, ValueError, "target is 'EN'"),
        ({"target": "en"}, ValueError, "source and target are both 'en'"),
        ({"variant": "tiny"}, ValueError,
         "variant is 'tiny', expected one of lite, full"),
        ({"N_train": -1}, ValueError, "N_train is -1, expected at least 0"),
        ({"N_train": 1e3}, TypeError,
         "N_train must be an int, got 1000.0 of type float"),
        ({"per_bucket": -5}, ValueError, "per_bucket is -5"),
        ({"per_bucket": True}, TypeError, "per_bucket must be an int"),
        ({"max_words": 5}, ValueError, "max_words is 5, expected at least 6"),
        ({"seed": -1}, ValueError, "seed is -1"),
        ({"seed": "7"}, TypeError, "seed must be an int"),
    ],
)  # fmt: skip
def test_bad_input_to_a_corpus_is_named(as_a_reader, arguments, error, message):
    with pytest.raises(error, match=message):
        corpus(**{"N_train": 0, "per_bucket": 0, **arguments})


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (lambda: sentence(Random(0), "tiny"), ValueError, "variant is 'tiny'"),
        (lambda: sentence(7), TypeError, "rng must be a Random, got 7"),
        (lambda: classic("butter"), ValueError,
         "name is 'butter', expected one of bread, area"),
        (lambda: classic("bread").tokens("de"), ValueError, "language is 'de'"),
        (lambda: classic("bread").alignment("en", "de"), ValueError,
         "language is 'de'"),
        (lambda: vocabulary("de"), ValueError, "language is 'de'"),
        (lambda: vocabulary("en", "tiny"), ValueError, "variant is 'tiny'"),
    ],
)  # fmt: skip
def test_bad_input_to_the_grammar_is_named(as_a_reader, bad, error, message):
    with pytest.raises(error, match=message):
        bad()
