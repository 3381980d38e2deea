"""The solutions of chapter 15, and what the text says of its bug."""

import numpy as np
import pytest
import torch
from transformers import TopPLogitsWarper

from attention_book import decoding, models, runs
from attention_book.chapters.generation import solutions
from attention_book.chapters.generation.bug import BUG_HUNT
from attention_book.chapters.generation.experiments.look_up import conflict, guesses


@pytest.mark.parametrize("p", [0.05, 0.5, 0.9, 1.0])
def test_the_nucleus_is_that_of_transformers_and_ours(p):
    rng = np.random.default_rng(0)
    for P in rng.dirichlet(np.full(30, 0.3), size=20):
        log_P = torch.tensor(P).log()
        theirs = TopPLogitsWarper(p)(None, log_P[None])[0].softmax(dim=-1)
        found = solutions.nucleus(P, p)
        np.testing.assert_allclose(found, theirs, atol=1e-12)
        np.testing.assert_allclose(found, decoding.chances(log_P, top_p=p), atol=1e-12)


def test_with_p_1_a_word_stays_even_if_those_before_it_sum_to_1():
    assert solutions.nucleus(np.array([0.7, 0.3, 1e-17]), 1.0).all()


def test_a_look_up_finds_what_followed_and_both_where_two_did():
    A_1, A_2, P = solutions.look_up(np.array([0, 1, 4, 2, 5, 1, 6, 1]), 7)
    assert P[5].tolist() == [0, 0, 0, 0, 1, 0, 0]
    assert P[7].tolist() == [0, 0, 0, 0, 0.5, 0, 0.5]
    assert np.flatnonzero(A_2[7]).tolist() == [2, 6]
    assert A_1.argmax(axis=1).tolist() == [0, 0, 1, 2, 3, 4, 5, 6]


def test_by_hand_each_of_two_values_has_its_share_of_the_showings(monkeypatch):
    asked = []
    monkeypatch.setattr(
        solutions,
        "conflict",
        lambda model, showing, right_before: (
            asked.append((showing, right_before)) or (0.3, 0.6)
        ),
    )
    found = solutions.in_conflict(None)
    shares = {shown: row["7 by hand"] for shown, row in found.items()}
    assert shares == pytest.approx(
        {"7, 9": 1 / 2, "7, 7, 9": 2 / 3, "7, 9, 7": 2 / 3, "7, 9, 9": 1 / 3}
        | {"7, 9 right before": 1 / 2}
    )
    drawn = [(showing, False) for showing in ((0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 1))]
    assert asked == [*drawn, ((0, 1), True)]
    assert found["7, 9"]["7"] == 0.3


def test_the_majority_wins_more_than_by_hand_and_a_single_prompt_misleads():
    network = runs.load("look-up").model()
    found = solutions.in_conflict(network)
    for shown, majority in (("7, 7, 9", "7"), ("7, 9, 7", "7"), ("7, 9, 9", "9")):
        assert 0.7 < found[shown][majority] < 0.9
    assert 0.35 < found["7, 9"]["9"] < found["7, 9"]["7"] < 0.65
    assert found["7, 9 right before"]["9"] < 0.05
    assert conflict(network, (0,), right_before=True)[0] < 0.3
    assert conflict(network, (0,))[0] > 0.9
    for prompt in ("fox 7 bird 2 fox 9 fox", "fox 9 bird 2 fox 7 fox"):
        assert guesses(network, prompt)[0][0] == "9"


@pytest.fixture
def tiny():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return models.GPT(models.GPTConfig(9, D=8, N_heads=2, D_hidden=8, std=1.0))


def written(write, model, temperature):
    start, generator = torch.tensor([1, 5]), torch.Generator().manual_seed(0)
    return write(model, start, temperature, 20, generator).tolist()


def test_a_low_temperature_writes_the_likeliest_words(tiny):
    ids = written(solutions.write, tiny, 1e-4)
    assert len(ids) == 22
    assert tiny(torch.tensor([ids]))[0, 1:-1].argmax(dim=-1).tolist() == ids[2:]


def test_the_bug_writes_the_same_at_all_temperatures(tiny):
    broken = [written(BUG_HUNT.broken, tiny, each) for each in (0.2, 1, 5)]
    right = [written(solutions.write, tiny, each) for each in (0.2, 1, 5)]
    assert broken[0] == broken[1] == broken[2] == right[1]
    assert len({*map(tuple, right)}) == 3
