"""Forced decoding: row t belongs to target word t, weights are the softmax of the
scores, and what is kept comes back."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.data import START, STOP, Pair, Vocabulary
from attention_book.models import Translator, TranslatorConfig
from attention_book.models.rnn_attention import InputSet
from attention_book.runs import (
    SentenceAttention,
    forced_attention,
    keep_attention,
    sentence_with,
)
from attention_book.runs.forced import END
from attention_book.runs.kept import pack, unpack

SOURCE_WORDS, TARGET_WORDS = Vocabulary(tuple("abcdefg")), Vocabulary(tuple("uvwxyz"))
BOTH = (SOURCE_WORDS, TARGET_WORDS)
PAIRS = [
    Pair(tuple("abcd"), tuple("wu"), frozenset({(0, 1), (2, 0), (3, 0)})),
    Pair(tuple("g"), tuple("uvw"), frozenset({(0, 0), (0, 1), (0, 2)})),
]
CONFIG = TranslatorConfig(
    len(SOURCE_WORDS), len(TARGET_WORDS), D_embedding=6, D_hidden=16
)
CHOICES = [
    *product(("dot", "bilinear", "mlp"), ("previous", "current"), ("one layer",)),
    *product(("bilinear",), ("previous", "current"), ("two layers",)),
]


def read_back(model, pairs, *words):
    """What is kept of sentences, as it is read again."""
    kept = keep_attention(model, pairs, *words)["attention"]
    return [SentenceAttention.of(one) for one in kept]


class Follower(nn.Module):
    """Its state is the number of words so far. To write word t it scores input t by 9,
    and writes z until the fifth."""

    scored_state = "previous"

    def encode(self, source, source_visible):
        assert not self.training
        assert not torch.is_grad_enabled()
        h = torch.stack(
            [source.float(), torch.arange(source.shape[1]).expand_as(source).float()],
            dim=-1,
        )
        return InputSet(h, h, source_visible, torch.zeros(len(source), 1))

    def initial_state(self, memory):
        return memory.s_0

    def asking(self, state):
        return state

    def score(self, s, keys):
        return 9.0 * (s == keys[..., 1].unsqueeze(1))

    def step(self, token, memory, state):
        end = torch.where(state[:, 0] < 4, TARGET_WORDS.encode(["z"])[0], STOP)
        a_t = self.score(state.unsqueeze(1), memory.keys).squeeze(1).softmax(-1)
        return (
            nn.functional.one_hot(end.long(), len(TARGET_WORDS)).float(),
            state + 1,
            a_t,
        )


@pytest.fixture(params=CHOICES, ids=" ".join)
def model(request):
    score, state, layers = request.param
    N_layers = 1 + (layers == "two layers")
    config = replace(CONFIG, score=score, scored_state=state, N_layers=N_layers)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Translator(config)


def test_row_t_is_the_step_that_is_to_write_target_word_t():
    some = read_back(Follower(), PAIRS, *BOTH)
    for one, pair in zip(some, PAIRS, strict=True):
        assert (
            one.e.shape == one.A.shape == (1 + len(pair.target), 1 + len(pair.source))
        )
        for t, row in enumerate(one.e):
            np.testing.assert_array_equal(row, 9.0 * (np.arange(len(row)) == t))


def test_both_sides_end_with_stop():
    some = read_back(Follower(), PAIRS, *BOTH)
    assert [one.said for one in some] == [("z",) * 4] * 2  # its own
    assert [(one.source, one.target) for one in some] == [
        (("a", "b", "c", "d", END), ("w", "u", END)),
        (("g", END), ("u", "v", "w", END)),
    ]
    assert [one.alignment for one in some] == [pair.alignment for pair in PAIRS]
    read = forced_attention(Follower(), PAIRS, *BOTH)
    for one, (_, _, h) in zip(some, read, strict=True):
        assert h[:, 0].tolist() == [*SOURCE_WORDS.encode(one.source[:-1]), STOP]


def test_a_sentence_is_read_as_if_it_were_alone(model):
    together = forced_attention(model, PAIRS, *BOTH)
    for pair, seen in zip(PAIRS, together, strict=True):
        (alone,) = forced_attention(model, [pair], *BOTH)
        for one, other in zip(seen, alone, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-6)


def test_scores_are_those_of_the_state_that_the_convention_names(model):
    pair = PAIRS[0]
    _, e, _ = next(forced_attention(model, [pair], *BOTH))
    source = torch.tensor([[*SOURCE_WORDS.encode(pair.source), STOP]])
    memory = model.encode(source, source != 0)
    states = [model.initial_state(memory)]
    for word in (START, *TARGET_WORDS.encode(pair.target)):
        states.append(model.step(torch.tensor([word]), memory, states[-1])[1])
    right = states[:-1] if model.scored_state == "previous" else states[1:]
    wrong = states[1:] if model.scored_state == "previous" else states[:-1]
    expected, other = (
        model.score(torch.stack(s, 1)[..., -16:], memory.keys)[0].detach().numpy()
        for s in (right, wrong)
    )
    np.testing.assert_allclose(e, expected, atol=1e-6)
    assert not np.allclose(e, other, atol=1e-4)


def test_a_sentence_has_the_softmax_of_its_scores_and_the_first_of_its_states(model):
    both = (read(model, PAIRS, *BOTH) for read in (read_back, forced_attention))
    for one, (A, e, h) in zip(*both, strict=True):
        np.testing.assert_allclose(one.A, A, rtol=1e-5)
        np.testing.assert_allclose(
            one.A, np.exp(e) / np.exp(e).sum(axis=1, keepdims=True), rtol=1e-5
        )
        np.testing.assert_array_equal(one.h, h[:, :12])


def test_what_is_kept_comes_back_to_sixteen_bits(model):
    kept = keep_attention(model, PAIRS, *BOTH)
    again = unpack(*pack({0: kept}))[0]["attention"]
    for before, after in zip(
        read_back(model, PAIRS, *BOTH), map(SentenceAttention.of, again), strict=True
    ):
        for name in ("source", "target", "alignment", "said"):
            assert getattr(after, name) == getattr(before, name), name
        for name in ("e", "h"):
            rounded = getattr(before, name).astype(np.float16).astype(np.float32)
            np.testing.assert_array_equal(getattr(after, name), rounded)
        np.testing.assert_allclose(after.A, before.A, atol=1e-3)
        np.testing.assert_allclose(
            after.A, np.exp(after.e) / np.exp(after.e).sum(1, keepdims=True), rtol=1e-6
        )


def sentence(*source):
    nothing = np.zeros((0, 0))
    return SentenceAttention(source, (), frozenset(), nothing, nothing, nothing, ())


def test_a_sentence_is_found_by_a_word_of_its_source():
    sentences = [sentence("a", "b"), sentence("c"), sentence("d", "a")]
    assert sentence_with("c", sentences) is sentences[1]
    assert sentence_with("d", sentences[::-1]) is sentences[2]


@pytest.mark.parametrize(("word", "times"), [("e", 0), ("a", 2)])
def test_a_sentence_that_is_not_there_or_not_the_only_one_is_named(word, times):
    sentences = [sentence("a", "b"), sentence("c"), sentence("d", "a")]
    says = rf"'{word}' stands in {times} of .*, expected one: a b; c; d a$"
    with pytest.raises(ValueError, match=says):
        sentence_with(word, sentences)
