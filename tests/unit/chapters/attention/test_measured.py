"""What is measured of attention, on models whose attention is known: gold, slipped by
a word, or their own.
"""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.chapters.attention.tasks import (
    INTERVENTIONS,
    alignment,
    gold_attention,
    interventions,
)
from attention_book.data import STOP, Pair, Vocabulary
from attention_book.decoding import greedy
from attention_book.models import Intervened, Translator, TranslatorConfig
from attention_book.models.interventions import forced
from attention_book.models.rnn_attention import InputSet
from attention_book.runs import evaluate

WORDS = Vocabulary(tuple("abcdefgh"))
BOTH = (WORDS, WORDS)
# A copy with one word moved, one written by two, one that stands for two, and one that
# stands for nothing.
CROSSED = Pair(tuple("abc"), tuple("bac"), frozenset({(1, 0), (0, 1), (2, 2)}))
DOUBLED = Pair(tuple("de"), tuple("ddef"), frozenset({(0, 0), (0, 1), (1, 2)}))
MERGED = Pair(tuple("abcd"), tuple("aah"), frozenset({(0, 0), (1, 1), (2, 2), (3, 2)}))
PAIRS = [CROSSED, DOUBLED, MERGED]
COPIES = [
    Pair(tuple(words), tuple(words), frozenset((i, i) for i in range(len(words))))
    for words in ("abcd", "ef")
]


LAST = 8  # row of an oracle's weights, which is used again ever after


def shifted(pair, shift):
    """Gold weights moved right by some inputs; what falls off the end is at [STOP]."""
    gold = gold_attention([pair])[0].float()
    moved = torch.zeros_like(gold)
    for i in range(gold.shape[1]):
        moved[:, min(i + shift, gold.shape[1] - 1)] += gold[:, i]
    return moved


class Oracle(nn.Module):
    """Looks where gold links say, or some inputs to the right of it, and writes the
    words that it sees there.
    """

    scored_state = "previous"
    asking = staticmethod(lambda state: state)

    def __init__(self, pairs, shift=0):
        super().__init__()
        self.rows = {
            (*WORDS.encode(pair.source), STOP): shifted(pair, shift) for pair in pairs
        }

    def encode(self, source, source_visible):
        A = torch.zeros(len(source), LAST + 1, source.shape[1])
        for b, ids in enumerate(source.tolist()):
            row = self.rows[tuple(i for i in ids if i)]
            A[b, : len(row), : row.shape[1]] = row
            A[b, len(row) :, row.shape[1] - 1] = 1  # beyond the last word: at [STOP]
        return InputSet(
            nn.functional.one_hot(source, len(WORDS)).float(),
            A.mT,
            source_visible,
            torch.zeros(len(A), 1),
        )

    def initial_state(self, memory):
        return memory.s_0

    def score(self, s, keys):
        steps = s[..., 0].long().clamp(max=LAST)  # (B, N_Y)
        return keys.mT.gather(
            1, steps.unsqueeze(-1).expand(-1, -1, keys.shape[1])
        ).log()

    def step(self, token, memory, state, intervene=None):
        a_t = self.score(state.unsqueeze(1), memory.keys).squeeze(1).softmax(-1)
        if intervene is not None:
            a_t = intervene(a_t, memory.visible)
        return torch.einsum("bi,biw->bw", a_t, memory.h), state + 1, a_t


@pytest.fixture(params=["previous", "current"])
def translator(request):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Translator(
            TranslatorConfig(len(WORDS), len(WORDS), 6, 8, scored_state=request.param)
        )


def test_gold_attention_has_the_least_error_and_all_its_weight_on_gold_links():
    measured = alignment(Oracle(PAIRS[:2]), PAIRS[:2], BOTH)
    assert measured["aer"] == measured["floor"] == 0
    assert measured["aer_many"] == 0
    assert measured["mass"] == pytest.approx(1)
    assert measured["offsets"] == {"0": 1.0}


def test_a_word_with_two_gold_links_keeps_one_link_a_word_from_zero():
    measured = alignment(Oracle(PAIRS), PAIRS, BOTH)
    assert measured["aer"] == pytest.approx(1 - 2 * 9 / (9 + 10))
    assert measured["floor"] == pytest.approx(measured["aer"])
    assert measured["aer_many"] == 0, "half of the weight each is a link each"
    assert measured["mass"] == pytest.approx(1)


def test_attention_that_slipped_is_one_to_the_right_and_not_on_gold_links():
    measured = alignment(Oracle(COPIES, shift=1), COPIES, BOTH)
    assert measured["offsets"] == {"1": 1.0}, (
        "also where the word to the right is [STOP]"
    )
    assert measured["mass"] == 0
    assert measured["aer"] == 1
    assert measured["floor"] == 0


def test_a_share_of_the_words_that_slipped_is_a_share_of_the_offsets():
    slipped = Oracle(COPIES[:1], shift=1)
    slipped.rows |= Oracle(COPIES[1:]).rows
    measured = alignment(slipped, COPIES, BOTH)
    assert measured["offsets"] == {"0": round(2 / 6, 4), "1": round(4 / 6, 4)}
    assert measured["mass"] == pytest.approx(2 / 6)
    assert measured["aer"] == pytest.approx(
        1 - 2 * 2 / (6 + 5)
    )  # the last word's link is at [STOP], and none


def test_the_step_of_stop_is_no_word():
    elsewhere = Oracle(COPIES)
    for row in elsewhere.rows.values():
        row[-1] = row[0]  # at the first word, and not at [STOP]
    assert alignment(elsewhere, COPIES, BOTH) == alignment(Oracle(COPIES), COPIES, BOTH)


def test_a_model_that_looks_at_everything_alike_has_an_equal_share_on_each_word(
    translator,
):
    for weight in translator.f_W.parameters():  # all inputs become the same
        nn.init.zeros_(weight)
    assert alignment(translator, COPIES, BOTH)["mass"] == pytest.approx(
        (4 * 1 / 5 + 2 * 1 / 3) / 6
    )


def test_gold_attention_of_a_batch_is_at_the_links_then_at_the_sentences_own_stop():
    A = gold_attention(PAIRS)
    assert A.shape == (3, 5, 5)
    np.testing.assert_array_equal(
        A[0],
        [
            [0, 1, 0, 0, 0],
            [1, 0, 0, 0, 0],
            [0, 0, 1, 0, 0],
            [0, 0, 0, 1, 0],
            [0, 0, 0, 1, 0],
        ],
    )
    np.testing.assert_array_equal(
        A[1],
        [
            [1, 0, 0, 0, 0],
            [1, 0, 0, 0, 0],
            [0, 1, 0, 0, 0],
            [0, 0, 1, 0, 0],
            [0, 0, 1, 0, 0],
        ],
    )
    np.testing.assert_array_equal(
        A[2, 2:], [[0, 0, 0.5, 0.5, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]
    )


def test_gold_attention_of_a_padded_batch_is_that_of_each_pair_alone():
    together = gold_attention(PAIRS)
    for b, pair in enumerate(PAIRS):
        N_Y, N_X = len(pair.target) + 1, len(pair.source) + 1
        assert torch.equal(together[b, :N_Y, :N_X], gold_attention([pair])[0])
        assert (together[b, :, N_X:] == 0).all(), "nothing looks at padding"


def test_an_oracle_with_gold_attention_forced_on_it_writes_the_copy_in_any_case():
    lost = Oracle(COPIES, shift=1)
    assert evaluate(lost, {"all": COPIES}, *BOTH)["all"]["exact_match"] == 0
    found = Intervened(lost, forced(gold_attention(COPIES)))
    assert evaluate(found, {"all": COPIES}, *BOTH)["all"]["exact_match"] == 1


def test_each_intervention_does_what_its_name_says():
    test = {"four": COPIES[:1], "two": COPIES[1:]}
    measured = interventions(Oracle(COPIES, shift=1), test, BOTH)
    assert (
        list(measured)
        == list(INTERVENTIONS)
        == ["uniform", "shuffled", "strongest", "gold"]
    )
    assert all(list(of_name) == ["four", "two"] for of_name in measured.values())
    assert {metrics["exact_match"] for metrics in measured["gold"].values()} == {1}
    assert {metrics["exact_match"] for metrics in measured["strongest"].values()} == {
        0
    }, "it is as lost as before"
    right = interventions(Oracle(COPIES), test, BOTH)
    assert {metrics["exact_match"] for metrics in right["strongest"].values()} == {1}
    for name in ("uniform", "shuffled"):
        assert {metrics["exact_match"] for metrics in right[name].values()} == {0}, name


def test_a_model_forced_to_gold_uses_gold_in_every_bucket(translator):
    for pairs in ([CROSSED, MERGED], PAIRS, COPIES):
        source = torch.tensor(
            [[*WORDS.encode(p.source), STOP] + [0] * (4 - len(p.source)) for p in pairs]
        )
        decoded = greedy(
            Intervened(translator, INTERVENTIONS["gold"](pairs)),
            source,
            source != 0,
            max_words=3,
        )
        gold = gold_attention(pairs)[:, : decoded.attention.shape[1]].float()
        torch.testing.assert_close(decoded.attention, gold)


def test_interventions_leave_the_model_as_it_was(translator):
    before = {name: weight.clone() for name, weight in translator.state_dict().items()}
    translator.train()
    interventions(translator, {"all": PAIRS}, BOTH)
    assert translator.training
    assert all(
        torch.equal(weight, before[name])
        for name, weight in translator.state_dict().items()
    )


def test_the_same_interventions_give_the_same_measurements_again(translator):
    first, again = (interventions(translator, {"all": PAIRS}, BOTH) for _ in range(2))
    assert first == again
