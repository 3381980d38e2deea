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
    again = Vocabulary(vocabulary.to_list())
    assert again == vocabulary
    assert hash(again) == hash(vocabulary)
    assert again != Vocabulary(WORDS[::-1])
    assert "[PAD]" not in vocabulary.to_list()


def test_an_unknown_word_is_named_with_its_place_and_its_neighbours(vocabulary):
    with pytest.raises(ValueError, match=r"tokens\[2\] is 'eatin'.*'eating'.*'eat'"):
        vocabulary.encode(("pan", "bread", "eatin"))
    with pytest.raises(ValueError, match="no known word is near"):
        vocabulary.encode(("xyzzy",))


def test_tokenizing_lowers_drops_the_full_stop_and_splits_french_elisions():
    assert tokenize("We are eating bread.", "en") == ("we", "are", "eating", "bread")
    assert tokenize("¿Estamos comiendo pan?", "es") == ("estamos", "comiendo", "pan")
    words = tokenize("L’accord qu'il n'a pas signé aujourd'hui !", "fr")
    assert " ".join(words) == "l' accord qu' il n' a pas signé aujourd'hui"


def test_only_french_has_elisions():
    assert tokenize("l'eau", "en") == ("l'eau",)


FRENCH = ("l'", "d'", "j'", "n'", "qu'", "accord", "aujourd'hui", "pain", "œuf", "a")


@given(st.lists(st.sampled_from(FRENCH), max_size=9))
def test_tokenizing_undoes_detokenizing(tokens):
    tokens = (*tokens, "pain")
    both = pairwise(token.endswith("'") for token in tokens)
    if (True, True) not in both:  # elided before elided
        assert tokenize(detokenize(tokens), "fr") == tokens
