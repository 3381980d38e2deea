"""Sequences of pairs, whose code is new in each."""

import pytest
import torch
from torch import Generator

from attention_book.chapters.generation.codes import (
    FIRST_KEY,
    FIRST_VALUE,
    KEYS,
    VALUES,
    WORDS,
    commonest,
    draw,
    showings,
    split,
)


def drawn(seed=0, B=500, **sizes):
    return draw(Generator().manual_seed(seed), B, **sizes)


def test_keys_and_values_stand_by_turns_and_all_occur():
    keys, values = split(drawn())
    assert {WORDS.words[i] for i in keys.unique()} == {*KEYS}
    assert {WORDS.words[i] for i in values.unique()} == {*VALUES}
    assert len(KEYS) == 32
    assert len(VALUES) == 16


@pytest.mark.parametrize("N_keys", [2, 8])
def test_a_key_has_one_value_in_a_sequence_and_others_elsewhere(N_keys):
    elsewhere, most = set(), 0
    for row in drawn(N_keys=N_keys).tolist():
        code = set(zip(row[::2], row[1::2], strict=True))
        assert len({key for key, _ in code}) == len(code) <= N_keys
        elsewhere |= code
        most = max(most, len(code))
    assert most == N_keys
    assert len(elsewhere) > 400


def test_a_generator_gives_its_sequences_again():
    assert torch.equal(drawn(1), drawn(1))
    assert not torch.equal(drawn(1), drawn(2))


def test_showings_are_those_before(encoded):
    assert showings(encoded("fox 7 bird 2 fox 7 fox 7 bird 2")).tolist() == [
        [0, 0, 1, 2, 1]
    ]


def test_the_commonest_value_is_that_of_the_pairs_before_whatever_their_keys(encoded):
    votes = commonest(encoded("fox 7 bird 2 king 2 fox 7 bird 2"))[0]
    shares = [
        {WORDS.words[i]: row[i].item() for i in row.nonzero()[:, 0]} for row in votes
    ]
    assert shares[0] == dict.fromkeys(VALUES, 1 / 16)
    assert shares[1:] == [
        {"7": 1},
        {"7": 0.5, "2": 0.5},
        {"2": 1},
        {"7": 0.5, "2": 0.5},
    ]
    assert FIRST_KEY < FIRST_VALUE
