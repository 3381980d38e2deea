"""Words are cut into pieces that training has often, and joined again."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as some

from attention_book.data import Pair, Subwords

# Sennrich et al. (2016), their example: how often each word comes
OFTEN = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
SENTENCES = [[word] for word, n in OFTEN.items() for _ in range(n)]
LETTERS = "".join(sorted({*"".join(OFTEN)}))


@pytest.fixture(scope="module")
def pieces():
    return Subwords.learn(SENTENCES, size=40)


def test_frequent_ends_are_pieces_and_words_never_met_are_written_in_them(pieces):
    assert pieces.cut(["newest", "lowest"]) == ("▁newest", "▁low", "est")
    pair = pieces.cut_pair(Pair(("low", "lowest"), ("widest",)))
    assert pair == Pair(("▁low", "▁low", "est"), ("▁widest",))
    fewer = Subwords.learn(SENTENCES, size=20)
    assert fewer.cut(["newest"]) == ("▁", "n", "e", "w", "est")


@given(some.lists(some.text(LETTERS, min_size=1), min_size=1))
def test_what_is_cut_is_joined_again(pieces, words):
    cut = pieces.cut(words)
    assert Subwords.join(cut) == tuple(words)
    assert "[UNK]" not in cut
    assert Subwords(pieces.to_json()).cut(words) == cut


def test_a_letter_never_met_is_unknown_and_bad_input_is_named(pieces):
    assert pieces.cut(["lowé"])[-1] == "[UNK]"
    with pytest.raises(ValueError, match="words is empty"):
        pieces.cut([])
    with pytest.raises(ValueError, match="sentences is empty"):
        Subwords.learn([])
    with pytest.raises(ValueError, match="size is 0"):
        Subwords.learn(SENTENCES, size=0)


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ImportError, match="pip install tokenizers"):
        Subwords.learn(SENTENCES)
