"""Words are cut into pieces that training has often, and joined again."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as some

from attention_book.data import STOP, Pair, Subwords, TextPieces

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


@pytest.mark.parametrize("kind", [Subwords, TextPieces])
@pytest.mark.parametrize("kept", ["{}", "no JSON", ""])
def test_what_was_not_kept_is_named(kind, kept):
    with pytest.raises(ValueError, match=f"kept is '{kept}', expected what `to_json`"):
        kind(kept)


def test_the_vocabulary_of_pieces_is_that_of_a_model(pieces):
    words = pieces.vocabulary
    ids = json.loads(pieces.to_json())["model"]["vocab"]
    assert {word: i for i, word in enumerate(words.words)} == ids
    cut = pieces.cut(["newest", "lowé"])
    assert words.decode(words.encode(cut)) == cut
    assert words.encode(["what is no piece"]) == [words.words.index("[UNK]")] == [3]


def test_a_special_in_a_text_is_letters():
    pieces = Subwords.learn([["[STOP]", "[UNK]"]], size=20)
    cut = pieces.cut(["[STOP]", "[UNK]"])
    assert not {"[STOP]", "[UNK]"} & {*cut}
    assert pieces.join(cut) == ("[STOP]", "[UNK]")


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ImportError, match="pip install tokenizers"):
        Subwords.learn(SENTENCES)


@pytest.fixture(scope="module")
def of_text():
    texts = ["    low\n    lower" for _ in range(9)]
    return TextPieces.learn(texts, size=270)


@given(some.text())
def test_any_text_comes_back_from_its_pieces(of_text, text):
    ids = of_text.encode(text)
    assert of_text.decode(ids) == text
    assert TextPieces(of_text.to_json()).encode(text) == ids


def test_pieces_of_a_text_hold_its_blanks_and_what_is_special_is_not_written(of_text):
    words = of_text.vocabulary.words
    cut = [words[i] for i in of_text.encode("\n    low")]
    assert cut == ["ĊĠĠĠ", "Ġlow"]
    assert STOP not in of_text.encode("[STOP]")
    assert of_text.decode([*of_text.encode("[STOP]"), STOP]) == "[STOP]"
    assert len(words) < 270  # the text has no more
    with pytest.raises(ValueError, match="texts is empty"):
        TextPieces.learn([])
    with pytest.raises(ValueError, match="size is 100"):
        TextPieces.learn(["a"], size=100)
