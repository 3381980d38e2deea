"""What is measured of attention, on models whose attention is known: gold, slipped by
a word, or their own.
"""

import numpy as np
import pytest
import torch
from torch import nn

from attention_book.chapters.attention.tasks import (
    alignment,
    gold_attention,
    interventions,
)
from attention_book.data import STOP, Pair, Vocabulary
from attention_book.models.rnn_attention import InputSet

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


@pytest.mark.parametrize(
    ("pairs", "shift", "expected"),
    [
        (PAIRS[:2], 0, {"aer": 0, "floor": 0, "mass": 1, "offsets": {"0": 1}}),
        # one link a word misses one of the two gold links of a word
        (PAIRS, 0, {"aer": 1 / 19, "floor": 1 / 19, "aer_many": 0, "mass": 1}),
        # also where the word to the right is [STOP]
        (COPIES, 1, {"aer": 1, "floor": 0, "mass": 0, "offsets": {"1": 1}}),
    ],
)
def test_what_is_measured_of_gold_attention_and_of_attention_that_slipped(
    pairs, shift, expected
):
    measured = alignment(Oracle(pairs, shift), pairs, BOTH)
    for name, value in expected.items():
        assert measured[name] == pytest.approx(value), name


def test_the_step_of_stop_is_no_word():
    elsewhere = Oracle(COPIES)
    for row in elsewhere.rows.values():
        row[-1] = row[0]  # at the first word, and not at [STOP]
    assert alignment(elsewhere, COPIES, BOTH) == alignment(Oracle(COPIES), COPIES, BOTH)


def test_gold_attention_of_a_batch_is_at_the_links_then_at_the_sentences_own_stop():
    A = gold_attention(PAIRS)
    np.testing.assert_array_equal(A[:2], np.eye(5)[[[1, 0, 2, 3, 3], [0, 0, 1, 2, 2]]])
    np.testing.assert_array_equal(
        A[2, 2:], [[0, 0, 0.5, 0.5, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1]]
    )


def test_each_intervention_does_what_its_name_says():
    test = {"four": COPIES[:1], "two": COPIES[1:]}
    for shift, right in ((1, {"gold"}), (0, {"gold", "strongest"})):
        measured = interventions(Oracle(COPIES, shift), test, BOTH)
        assert list(measured) == ["uniform", "shuffled", "strongest", "gold"]
        for name, of_name in measured.items():
            exact = {label: each["exact_match"] for label, each in of_name.items()}
            assert exact == dict.fromkeys(test, name in right), name
