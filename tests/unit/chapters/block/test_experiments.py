"""What the chapter's cells measure, and what its solutions find."""

import pytest
import torch

from attention_book import runs
from attention_book.chapters.block import experiments, sentences, solutions
from attention_book.chapters.block.bug import BUG_HUNT


@pytest.fixture(scope="module")
def model():
    return runs.load("senses").model()


def test_filling_moves_what_the_bug_hands_on_and_nothing_else(model):
    moved = experiments.moved_by_padding(BUG_HUNT.broken, model, (3,))[3]
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
