"""Words and ids."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_book.data.tokens import detokenize, tokenize
from attention_book.data.vocabulary import Vocabulary
from attention_book.shapes import PAD, START, STOP

WORDS = ("eat", "eating", "bread", "pan")


@pytest.fixture
def vocabulary():
    return Vocabulary(WORDS)


def test_the_specials_come_first_and_the_words_keep_their_order(vocabulary):
    assert (PAD, START, STOP) == (0, 1, 2)
    assert vocabulary.words == ("[PAD]", "[START]", "[STOP]", *WORDS)
    assert len(vocabulary) == 7
    assert "bread" in vocabulary
    assert "cheese" not in vocabulary


def test_start_and_stop_are_added_on_demand_only(vocabulary):
    assert vocabulary.encode(("pan", "eat")) == [6, 3]
    assert vocabulary.encode(("pan", "eat"), start=True) == [START, 6, 3]
    assert vocabulary.encode(("pan", "eat"), stop=True) == [6, 3, STOP]
    assert vocabulary.encode(("pan", "eat"), start=True, stop=True) == [
        START,
        6,
        3,
        STOP,
    ]


def test_decoding_ends_at_stop_and_drops_the_specials(vocabulary):
    assert vocabulary.decode([START, 4, PAD, 5, STOP, 6, 3]) == ("eating", "bread")
    assert vocabulary.decode([]) == ()


@given(st.lists(st.sampled_from(WORDS), min_size=1), st.booleans(), st.booleans())
def test_decoding_undoes_encoding(tokens, start, stop):
    vocabulary = Vocabulary(WORDS)
    assert vocabulary.decode(
        vocabulary.encode(tokens, start=start, stop=stop)
    ) == tuple(tokens)


def test_a_vocabulary_survives_being_saved(vocabulary):
    again = Vocabulary.from_list(vocabulary.to_list())
    assert again == vocabulary
    assert hash(again) == hash(vocabulary)
    assert again != Vocabulary(WORDS[::-1])
    assert "[PAD]" not in vocabulary.to_list()


def test_an_unknown_word_is_named_with_its_place_and_its_neighbours(vocabulary):
    with pytest.raises(ValueError, match=r"tokens\[2\] is 'eatin'.*'eating'.*'eat'"):
        vocabulary.encode(("pan", "bread", "eatin"))
    with pytest.raises(ValueError, match="no known word is near"):
        vocabulary.encode(("xyzzy",))


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (lambda v: v.encode(()), ValueError, "tokens is empty"),
        (lambda v: v.encode("eat pan"), TypeError,
         "tokens must be a sequence, got the string"),
        (lambda v: v.decode([3, 7]), ValueError, r"ids\[1\] is 7, expected 0 to 6"),
        (lambda v: v.decode([-1]), ValueError, r"ids\[0\] is -1"),
        (lambda v: Vocabulary("eat"), TypeError, "the single string 'eat'"),
        (lambda v: Vocabulary(["eat", "eat"]), ValueError,
         "'eat', which is given twice"),
        (lambda v: Vocabulary(["[STOP]"]), ValueError, r"which is a special"),
        (lambda v: Vocabulary(["eat", ""]), ValueError, "which is empty"),
        (lambda v: Vocabulary(["eat", 3]), TypeError, "must be a str, got 3"),
    ],
)  # fmt: skip
def test_bad_input_to_a_vocabulary_is_named(
    as_a_reader, vocabulary, bad, error, message
):
    with pytest.raises(error, match=message):
        bad(vocabulary)


def test_tokenizing_lowers_drops_the_full_stop_and_splits_french_elisions():
    assert tokenize("We are eating bread.", "en") == ("we", "are", "eating", "bread")
    assert tokenize("¿Estamos comiendo pan?", "es") == ("estamos", "comiendo", "pan")
    assert tokenize("L’accord qu'il n'a pas signé !", "fr") == (
        "l'",
        "accord",
        "qu'",
        "il",
        "n'",
        "a",
        "pas",
        "signé",
    )


def test_aujourdhui_is_one_word():
    assert tokenize("J'achète l'œuf d'aujourd'hui", "fr") == (
        "j'",
        "achète",
        "l'",
        "œuf",
        "d'",
        "aujourd'hui",
    )


def test_only_french_has_elisions():
    assert tokenize("l'eau", "en") == ("l'eau",)
    assert detokenize(("d'", "accord"), "en") == "d' accord"


FRENCH = ("l'", "d'", "j'", "n'", "qu'", "accord", "aujourd'hui", "pain", "œuf", "a")


@given(st.lists(st.sampled_from(FRENCH), max_size=9))
def test_tokenizing_undoes_detokenizing(tokens):
    tokens = (*tokens, "pain")
    elided_before_elided = any(
        a.endswith("'") and b.endswith("'") for a, b in pairwise(tokens)
    )
    if not elided_before_elided:
        assert tokenize(detokenize(tokens, "fr"), "fr") == tokens


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (lambda: tokenize("", "en"), ValueError, "text is empty"),
        (lambda: tokenize(" . ", "en"), ValueError, "text is empty"),
        (lambda: tokenize("eat", "de"), ValueError,
         "language is 'de', expected one of en, fr, es"),
        (lambda: tokenize(("eat",), "en"), TypeError,
         "text must be a str, got .* of type tuple"),
        (lambda: detokenize("eat", "en"), TypeError, "tokens must be a sequence"),
        (lambda: detokenize(("eat",), "de"), ValueError, "language is 'de'"),
    ],
)  # fmt: skip
def test_bad_input_to_the_tokenizer_is_named(as_a_reader, bad, error, message):
    with pytest.raises(error, match=message):
        bad()
