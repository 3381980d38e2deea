"""What the chapter's cells measure, and what its solutions find."""

import pytest
import torch

from attention_book import layers, runs
from attention_book.chapters.block import experiments, sentences, solutions
from attention_book.chapters.block.bug import HUNT
from attention_book.models import N_weights


@pytest.fixture(scope="module")
def model():
    return runs.load("senses").model()


def test_the_weights_of_a_block_are_those_that_ours_has():
    block = layers.Block(6, 2, 10)
    counted = solutions.block_weights(6, 10)
    assert counted["attention"] == N_weights(block.attend)
    assert counted["mlp"] == N_weights(block.mlp)
    assert sum(counted.values()) == N_weights(block)


def test_filling_moves_what_the_bug_hands_on_and_nothing_else(model):
    moved = experiments.moved_by_padding(HUNT.broken, model, (3,))[3]
    assert max(moved[:2]) < 1e-5
    assert min(moved[2:]) > 0.1
    assert max(experiments.moved_by_padding(solutions.encode, model, (3,))[3]) < 1e-4


def ids(text):
    return torch.tensor([sentences.WORDS.encode(text.split())])


def test_an_exchange_is_that_of_one_vector_at_one_layer(model):
    one, other = ids("the man fed the seal"), ids("the man signed the seal")
    whole = model(one, one > 0)
    for layer in range(4):
        same = solutions.with_exchanged(model, one, one, 2, layer)
        torch.testing.assert_close(same, whole)
    at_the_entrance = solutions.with_exchanged(model, one, other, 2, 0)
    torch.testing.assert_close(at_the_entrance, model(other, other > 0))
    at_the_end = solutions.with_exchanged(model, one, other, 2, 3)
    torch.testing.assert_close(at_the_end[:, 2], model(other, other > 0)[:, 2])
    torch.testing.assert_close(at_the_end[:, 3:], whole[:, 3:])


def test_the_guess_follows_the_verb_at_first_and_the_mask_at_last(model):
    shares = solutions.followed(model)
    assert shares["verb"][0] == pytest.approx(shares["[MASK]"][-1], abs=1e-3)
    assert shares["verb"][-1] == pytest.approx(shares["[MASK]"][0], abs=1e-3)
    assert shares["verb"][0] > 0.6 > 0.3 > max(shares["two-sense word"])
