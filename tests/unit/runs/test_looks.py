"""Looks: row t belongs to target word t, weights are the softmax of the scores, and what is kept comes back."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.data import START, STOP, Pair, Vocabulary, classic
from attention_book.models import Translator, TranslatorConfig
from attention_book.models.rnn_attention import InputSet
from attention_book.runs.looks import (
    END,
    LENGTHS,
    pack_looks,
    read_pairs,
    take_looks,
    unpack_looks,
    watched,
)

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
    (score, state)
    for score in ("dot", "bilinear", "mlp")
    for state in ("previous", "current")
]


class Follower(nn.Module):
    """Its state is the number of words so far. To write word t it scores input t by 9, and writes z until the fifth."""

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
    score, state = request.param
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Translator(replace(CONFIG, score=score, scored_state=state))


def test_row_t_is_the_step_that_is_to_write_target_word_t():
    some = take_looks(Follower(), PAIRS, *BOTH)
    for look, pair in zip(some, PAIRS, strict=True):
        assert (
            look.e.shape == look.A.shape == (1 + len(pair.target), 1 + len(pair.source))
        )
        for t, row in enumerate(look.e):
            np.testing.assert_array_equal(row, 9.0 * (np.arange(len(row)) == t))


def test_both_sides_end_with_stop():
    some = take_looks(Follower(), PAIRS, *BOTH)
    assert [(look.source, look.target) for look in some] == [
        (("a", "b", "c", "d", END), ("w", "u", END)),
        (("g", END), ("u", "v", "w", END)),
    ]
    assert [look.alignment for look in some] == [pair.alignment for pair in PAIRS]
    for look, (_, _, h) in zip(some, read_pairs(Follower(), PAIRS, *BOTH), strict=True):
        assert h[:, 0].tolist() == [*SOURCE_WORDS.encode(look.source[:-1]), STOP]


def test_what_the_model_says_is_its_own_and_not_the_right_translation():
    assert [look.said for look in take_looks(Follower(), PAIRS, *BOTH)] == [
        ("z",) * 4
    ] * 2


def test_the_model_is_shown_the_right_words_and_not_its_own(model):
    (A, *_), _ = read_pairs(model, PAIRS, *BOTH)
    source = torch.tensor([[*SOURCE_WORDS.encode(tuple("abcd")), STOP]])
    with torch.no_grad():
        memory = model.encode(source, source != 0)
        state, rows = model.initial_state(memory), []
        for word in (START, *TARGET_WORDS.encode(tuple("wu"))):
            _, state, a_t = model.step(torch.tensor([word]), memory, state)
            rows.append(a_t[0].numpy())
    np.testing.assert_allclose(A, rows, rtol=1e-6)


def test_scores_are_the_logarithm_of_the_weights_up_to_a_constant_in_each_row(model):
    for A, e, h in read_pairs(model, PAIRS, *BOTH):
        rest = e - np.log(A)
        np.testing.assert_allclose(
            rest, np.broadcast_to(rest[:, :1], e.shape), atol=1e-5
        )
        assert e.std(axis=1).min() > 1e-4, "the inputs are told apart"
        assert h.shape == (A.shape[1], 16)


def test_scores_are_those_of_the_state_that_the_convention_names(model):
    pair = PAIRS[0]
    _, e, _ = next(read_pairs(model, [pair], *BOTH))
    source = torch.tensor([[*SOURCE_WORDS.encode(pair.source), STOP]])
    memory = model.encode(source, source != 0)
    states = [model.initial_state(memory)]
    for word in (START, *TARGET_WORDS.encode(pair.target)):
        states.append(model.step(torch.tensor([word]), memory, states[-1])[1])
    right = states[:-1] if model.scored_state == "previous" else states[1:]
    wrong = states[1:] if model.scored_state == "previous" else states[:-1]
    expected, other = (
        model.score(torch.stack(s, 1), memory.keys)[0].detach().numpy()
        for s in (right, wrong)
    )
    np.testing.assert_allclose(e, expected, atol=1e-6)
    assert not np.allclose(e, other, atol=1e-4)


def test_a_look_has_the_softmax_of_its_scores_and_the_first_of_its_states(model):
    for look, (A, e, h) in zip(
        take_looks(model, PAIRS, *BOTH), read_pairs(model, PAIRS, *BOTH), strict=True
    ):
        np.testing.assert_allclose(look.A, A, rtol=1e-5)
        np.testing.assert_allclose(
            look.A, np.exp(e) / np.exp(e).sum(axis=1, keepdims=True), rtol=1e-5
        )
        np.testing.assert_array_equal(look.h, h[:, :12])


def test_looking_leaves_the_model_as_it_was(model):
    model.train()
    take_looks(model, PAIRS, *BOTH)
    assert model.training
    assert all(weight.grad is None for weight in model.parameters())


@pytest.mark.parametrize("target", ["fr", "es"])
def test_the_sentences_are_the_classics_and_the_first_of_some_lengths_in_the_recipes_languages(
    target,
):
    test = {
        label: [Pair((label,), (label, str(i)), frozenset()) for i in range(3)]
        for label in ("3-6", *LENGTHS)
    }
    area, bread, *others = watched(f"translation en-{target}", test)
    for pair, name in ((area, "area"), (bread, "bread")):
        one = classic(name)
        assert (pair.source, pair.target) == (one.tokens("en"), one.tokens(target))
        assert pair.alignment == one.alignment("en", target)
    assert bread.source == ("we", "are", "eating", "bread")
    assert others == [test[label][0] for label in LENGTHS]


# Kept and unpacked.


@pytest.fixture
def looks(model):
    return {
        0: take_looks(Follower(), PAIRS, *BOTH),
        50: take_looks(model, PAIRS, *BOTH),
    }


def through_json(words):
    return json.loads(json.dumps(words))


@pytest.mark.parametrize(
    "trip", [through_json, lambda words: words], ids=["json", "memory"]
)
def test_what_is_packed_comes_back_to_sixteen_bits(looks, trip):
    words, file = pack_looks(looks)
    again = unpack_looks(trip(words), file)
    assert list(again) == [0, 50]
    for step, some in looks.items():
        for before, after in zip(some, again[step], strict=True):
            for name in ("source", "target", "alignment", "said"):
                assert getattr(after, name) == getattr(before, name), name
            for name in ("e", "h"):
                rounded = getattr(before, name).astype(np.float16).astype(np.float32)
                np.testing.assert_array_equal(getattr(after, name), rounded)
            np.testing.assert_allclose(after.A, before.A, atol=1e-3)


def test_unpacked_weights_are_the_softmax_of_unpacked_scores(looks):
    for some in unpack_looks(*pack_looks(looks)).values():
        for look in some:
            np.testing.assert_allclose(
                look.A, np.exp(look.e) / np.exp(look.e).sum(1, keepdims=True), rtol=1e-6
            )
            np.testing.assert_allclose(look.A.sum(1), 1, atol=1e-6)


def test_two_bytes_are_kept_of_each_number(looks):
    _, file = pack_looks(looks)
    numbers = sum(look.e.size + look.h.size for some in looks.values() for look in some)
    assert 2 * numbers < len(file) < 2 * numbers + 1500


@pytest.mark.parametrize("keep", [0, 5, 100, -10])
def test_a_file_that_was_cut_is_named(looks, keep):
    words, file = pack_looks(looks)
    with pytest.raises(ValueError, match="the file of looks is damaged"):
        unpack_looks(words, file[:keep])


@pytest.mark.parametrize(
    "damage",
    [
        lambda words: words.pop("said"),
        lambda words: words.pop("sentences"),
        lambda words: words["sentences"][0].pop("alignment"),
        lambda words: words["said"].update({"77": words["said"]["50"]}),
        lambda words: words["said"]["50"].pop(),
        lambda words: words.update(said={"0": None}),
    ],
    ids=["said", "sentences", "alignment", "step", "sentence", "null"],
)
def test_words_that_do_not_fit_their_file_are_named(looks, damage):
    words, file = pack_looks(looks)
    words = through_json(words)
    damage(words)
    with pytest.raises(ValueError, match="words and file do not fit together"):
        unpack_looks(words, file)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 7e4])
def test_numbers_that_sixteen_bits_cannot_hold_are_not_packed(bad):
    look = take_looks(Follower(), PAIRS[:1], *BOTH)[0]
    e = look.e.copy()
    e[0, 0] = bad
    with (
        np.errstate(over="ignore"),
        pytest.raises(ValueError, match="3/0/e holds numbers that 16 bits cannot hold"),
    ):
        pack_looks({3: [replace(look, e=e)]})


def test_no_looks_at_all_are_refused():
    with pytest.raises(ValueError, match="looks is empty"):
        pack_looks({})


def test_two_looks_can_be_compared_although_they_hold_arrays():
    first, other = (take_looks(Follower(), PAIRS[:1], *BOTH)[0] for _ in range(2))
    assert first == first
    assert first != other
