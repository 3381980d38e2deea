"""Three languages in one corpus: tags, words, what is taught, and who speaks what."""

from collections import Counter

import pytest

from attention_book.data.translation import (
    COPIES,
    LANGUAGES,
    TAUGHT,
    ZERO_SHOT,
    corpora,
    corpus,
    joint_vocabularies,
    languages,
    spoken,
    tag,
    tagged,
    training_pairs,
    triples,
    vocabulary,
)

TAGS = {"[EN]": "en", "[FR]": "fr", "[ES]": "es"}


@pytest.fixture(scope="module")
def train():
    return triples("train", 1_500, max_words=8)


@pytest.fixture(scope="module")
def unseen():
    return triples("test", 400, max_words=8)


def directions(pairs):
    """How many pairs go from which language to which, read off words and tag."""
    return Counter((spoken(pair.source[1:]), TAGS[pair.source[0]]) for pair in pairs)


def test_a_tag_before_the_source_says_what_is_wanted():
    assert tagged(["we", "eat"], "fr") == ("[FR]", "we", "eat")
    assert [tag(to) for to in LANGUAGES] == list(TAGS)


def test_the_directions_are_all_nine_and_two_are_not_taught():
    both = [*TAUGHT, *ZERO_SHOT, *COPIES]
    assert sorted(both) == sorted((a, b) for a in LANGUAGES for b in LANGUAGES)
    assert all("en" in direction for direction in TAUGHT)
    assert not any("en" in direction for direction in ZERO_SHOT)


def test_either_side_has_the_words_of_all_languages_and_only_the_source_tags():
    source, target = (v.to_list() for v in joint_vocabularies().values())
    assert set(target) == {w for to in LANGUAGES for w in vocabulary(to).to_list()}
    assert source == [*TAGS, *target]
    assert target.count("1992") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_unseen_sentence_is_trained_on_in_any_language(train, unseen, language):
    texts = [{one.tokens(language) for one in each} for each in (train, unseen)]
    assert not set.intersection(*texts)
    assert [*map(len, texts)] == [1_500, 400], "two that the language writes alike"


@pytest.mark.parametrize("direction", [("en", "fr"), ("fr", "es")])
def test_the_sides_are_those_of_the_corpora_of_two_languages(train, unseen, direction):
    two = corpus(*direction, N_train=300, max_words=8, per_bucket=10)
    trained = {pair.source for pair in two.train}
    tested = {pair.source for pairs in two.test.values() for pair in pairs}
    both = ({one.tokens(direction[0]) for one in each} for each in (train, unseen))
    ours, kept_apart = both
    assert not trained & kept_apart
    assert not tested & ours
    assert trained & ours  # short ones are few: there is something to find


def test_a_longer_draw_begins_with_a_shorter():
    def words(N, **more):
        return [one.tokens("en") for one in triples("train", N, **more)]

    assert words(30)[:20] == words(20) != words(20, seed=8)
    assert max(map(len, words(300))) == 24
    assert max(map(len, words(60, max_words=8))) == 8


def test_the_sentences_that_were_recorded_are_drawn_again():
    first = {side: triples(side, 1)[0].text("en") for side in languages.SIDES}
    assert first == {
        "train": "i will visit the bank of this city today",
        "test": "he is eating the big apple today and we signed the agreement",
    }


def test_more_sentences_than_there_are_is_an_error_and_no_endless_loop(monkeypatch):
    monkeypatch.setattr(corpora, "MAX_IDLE_DRAWS", 300)
    what = r"N is 9999 on the side 'test' with max_words 6, expected less: .* 300 draws"
    with pytest.raises(ValueError, match=what):
        triples("test", 9_999, max_words=6)


def test_every_sentence_is_taught_in_every_direction_and_never_between_the_two_others():
    pairs = training_pairs(N=50)
    assert directions(pairs) == dict.fromkeys(TAUGHT, 50)
    known = {one.tokens("en"): one for one in triples("train", 50)}
    for pair in pairs:
        if pair.source[0] != "[EN]":
            one = known[pair.source[1:]]
            assert pair.target == one.tokens(TAGS[pair.source[0]])
    (other,) = triples("train", 1, seed=8)
    assert training_pairs(N=1, seed=8)[0].target == other.tokens("fr")


@pytest.mark.parametrize(
    ("copied", "ways"), [(LANGUAGES, COPIES), (("fr",), [("fr", "fr")])]
)
def test_copies_have_their_share_and_ask_for_what_is_there(copied, ways):
    pairs = training_pairs(0.4, copied, N=90)
    found = directions(pairs)
    copies = dict.fromkeys(ways, 240 / len(ways))
    assert found == dict.fromkeys(TAUGHT, 90) | copies
    assert sum(found[way] for way in COPIES) / len(pairs) == pytest.approx(0.4)
    for pair in pairs:
        is_copy = TAGS[pair.source[0]] == spoken(pair.source[1:])
        assert (pair.source[1:] == pair.target) == is_copy
    different = {pair.target for pair in pairs if pair.source[1:] == pair.target}
    assert len(different) == min(240, 90 * len(ways)), "none twice before each once"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_speak_the_language_they_were_written_in(train, unseen, language):
    for one in (*train, *unseen):
        assert spoken(one.tokens(language)) == language


@pytest.mark.parametrize(
    "words", ["nous eat bread", "1992", "la", "nous mangeons du brot", ""]
)
def test_words_of_no_one_language_are_mixed(words):
    assert spoken(words.split()) == "mixed"
