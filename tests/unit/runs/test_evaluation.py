"""Translating and measuring with a model that cannot be wrong."""

import pytest
import torch
from torch import nn

from attention_book.data import (
    Pair,
    Subwords,
    Vocabulary,
    collate_pairs,
    symbol_vocabulary,
)
from attention_book.data.vocabulary import SPECIALS
from attention_book.metrics import bleu
from attention_book.models import Transformer, TransformerConfig
from attention_book.runs import evaluate, log_probability, translate
from attention_book.shapes import START, STOP


class Mirror(nn.Module):
    """Copies its source as it is fed: right where that is the target."""

    def encode(self, source, source_visible):
        return source

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, state):
        return nn.functional.one_hot(memory[:, state], 30).float(), state + 1, None


LETTERS = symbol_vocabulary()
SENTENCES = [("a", "b", "c"), ("d",)] * 60


def test_translate_gives_words_in_the_order_asked_for_over_several_batches():
    assert translate(Mirror(), SENTENCES, LETTERS, LETTERS) == SENTENCES


def test_translate_feeds_the_source_reversed_where_training_did():
    assert translate(
        Mirror(), SENTENCES[:2], LETTERS, LETTERS, reverse_source=True
    ) == [("c", "b", "a"), ("d",)]


def test_evaluate_measures_each_bucket_by_itself():
    right = Pair(("a", "b", "c", "d"), ("a", "b", "c", "d"), frozenset())
    half = Pair(("a", "b", "c", "d"), ("a", "b", "d", "c"), frozenset())
    measured = evaluate(
        Mirror(), {"all": [right, right], "some": [right, half]}, LETTERS, LETTERS
    )
    assert measured["all"] == {
        "exact_match": 1.0,
        "token_accuracy": 1.0,
        "bleu": pytest.approx(100),
    }
    assert measured["some"]["exact_match"] == 0.5
    assert measured["some"]["token_accuracy"] == 0.75
    assert 0 < measured["some"]["bleu"] < 100


def test_a_translation_ends_after_so_many_words_of_which_stop_is_one():
    long = ("a",) * 75
    assert translate(Mirror(), [long], LETTERS, LETTERS) == [long[:70]]
    assert translate(Mirror(), [long], LETTERS, LETTERS, max_words=76) == [long]
    test = {"long": [Pair(long, long)]}
    whole = evaluate(Mirror(), test, LETTERS, LETTERS, max_words=76)
    assert whole["long"]["exact_match"] == 1


class Mute(Mirror):
    """Writes [STOP] at once."""

    def encode(self, source, source_visible):
        return torch.full_like(source, STOP)


def test_a_model_that_writes_nothing_scores_nothing():
    right = Pair(("a", "b", "c", "d"), ("a", "b", "c", "d"))
    (said,) = translate(Mute(), [right.source], LETTERS, LETTERS)
    assert said == ()
    figures = {"exact_match": 0, "token_accuracy": 0, "bleu": 0}
    assert evaluate(Mute(), {"all": [right] * 2}, LETTERS, LETTERS) == {"all": figures}


def test_a_model_of_pieces_is_asked_for_words_and_measured_by_them():
    subwords = Subwords.learn([("low", "lower", "wide")], size=14)
    words = subwords.vocabulary
    source, target = ("low", "wide", "lower", "low"), ("low", "wide", "lower", "wide")
    assert len(subwords.cut(source)) > 8
    said = translate(Mirror(), [source], words, words, subwords=subwords)
    assert said == [source]
    test = {"all": [Pair(source, target), Pair(target, target)]}
    figures = evaluate(Mirror(), test, words, words, subwords=subwords)["all"]
    assert figures == {
        "exact_match": 0.5,
        "token_accuracy": 7 / 8,
        "bleu": pytest.approx(bleu([source, target], [target, target])),
    }


def test_log_P_is_that_of_the_words_and_of_stop(as_a_reader):
    torch.manual_seed(0)
    config = TransformerConfig(len(LETTERS), len(LETTERS), D=8, N_heads=2, D_hidden=8)
    model = Transformer(config).eval()
    pairs = [Pair(tuple("abc"), tuple("dcba")), Pair(tuple("d"), tuple("ab"))]
    together = log_probability(model, pairs, LETTERS, LETTERS)
    for pair, log_P in zip(pairs, together, strict=True):
        batch = collate_pairs([pair], LETTERS, LETTERS)
        with torch.no_grad():
            logits = model(batch.source, None, batch.target_in)
        loss = nn.functional.cross_entropy(
            logits[0], batch.target_out[0], reduction="sum"
        )
        assert log_P == pytest.approx(-loss.item(), abs=1e-4)


@pytest.mark.parametrize(
    ("sentences", "says"),
    [([], "sentences is empty"), ([("a", "zebra")], r"'zebra'"), ([()], "empty")],
)
def test_translate_names_bad_input(as_a_reader, sentences, says):
    with pytest.raises(ValueError, match=says):
        translate(Mirror(), sentences, LETTERS, LETTERS)


class Looks(Mirror):
    """Writes "[UNK]" for each word, and attends to the word after that one."""

    first = len(SPECIALS)  # what it writes first

    def step(self, token, memory, state):
        N_X = memory.shape[1]
        word = torch.where(memory[:, state] == STOP, STOP, len(SPECIALS))
        word = word if state else torch.full_like(word, self.first)
        attended = nn.functional.one_hot(torch.tensor((state + 1) % N_X), N_X)
        logits = nn.functional.one_hot(word, 30).float()
        return logits, state + 1, attended.float().expand(len(memory), -1)


def test_a_special_that_is_written_moves_no_copied_word():
    words, model = Vocabulary(["[UNK]", "a"]), Looks()
    model.first = START
    said = translate(model, [("Ann", "a", "Bob")], words, words, copy_unknown=True)
    assert said == [("Bob", "Ann")]


@pytest.mark.parametrize("backwards", [False, True])
def test_an_unknown_word_is_replaced_by_the_source_word_attended_to(backwards):
    words, told = Vocabulary(["[UNK]", "a"]), {"reverse_source": backwards}
    sentences = [("Ann", "a", "Bob"), ("a", "Eve")]
    said = translate(Looks(), sentences, words, words, copy_unknown=True, **told)
    # the word after the last is [STOP], which is no word to copy: the first then
    after = [("a", "Ann", "Bob"), ("a", "Eve")] if backwards else []
    assert said == (after or [("a", "Bob", "Ann"), ("Eve", "a")])
    plain = translate(Looks(), sentences, words, words, **told)
    assert {*sum(plain, ())} == {"[UNK]"}
    with pytest.raises(ValueError, match="copy_unknown needs a model that attends"):
        translate(Mirror(), [("a",)], LETTERS, LETTERS, copy_unknown=True)


def test_a_word_that_is_unknown_is_read_as_such_and_may_be_written():
    words = Vocabulary.count([["a", "b"]])
    said = translate(Mirror(), [("a", "zebra", "b")], words, words)
    assert said == [("a", "[UNK]", "b")]


def test_what_cuts_no_words_is_named(as_a_reader):
    with pytest.raises(TypeError, match="subwords must be a Subwords, got Vocabulary"):
        translate(Mirror(), SENTENCES, LETTERS, LETTERS, subwords=LETTERS)


def test_evaluate_names_a_tuple_that_is_no_pair(as_a_reader):
    with pytest.raises(TypeError, match=r"test\['own'\]\[0\] must be a Pair, got \("):
        evaluate(Mirror(), {"own": [(("a",), ("a",))]}, LETTERS, LETTERS)
