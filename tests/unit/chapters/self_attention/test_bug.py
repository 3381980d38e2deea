"""Find the bug, chapter 5: queries and keys in each other's place mirror the scores."""

from copy import deepcopy

import pytest
import torch

from attention_book import runs
from attention_book.chapters.self_attention import experiments, tasks
from attention_book.chapters.self_attention.bug import BUG_HUNT
from attention_book.chapters.self_attention.sentences import collate
from attention_book.chapters.self_attention.solutions import read

broken = BUG_HUNT.broken


@pytest.fixture(scope="module")
def run():
    return runs.load("it")


@pytest.fixture(scope="module")
def batch(run):
    batch = collate(run.recipe.task.test[:20])
    return batch.source, batch.source_visible[:, None]


@torch.no_grad()
def test_one_product_for_three_gives_what_the_model_gives(run, batch):
    model = run.model()
    for came, expected in zip(
        read(model, *batch), model.with_attention(*batch), strict=True
    ):
        torch.testing.assert_close(came, expected)


@torch.no_grad()
def test_the_bug_asks_with_keys_and_nothing_else(run, batch):
    model = run.model()
    twin = deepcopy(model)
    twin.attend.W_Q, twin.attend.W_K = model.attend.W_K, model.attend.W_Q
    for came, expected in zip(
        broken(twin, *batch), model.with_attention(*batch), strict=True
    ):
        torch.testing.assert_close(came, expected)


def test_the_bug_makes_it_say_that_nothing_fits(run):
    model, test = run.model(), run.recipe.task.test
    asked = tasks.asked_in(test)
    for program, low, high in ((read, 0.995, 1), (broken, 0.24, 0.28)):
        trial = experiments.with_program(model, program)
        said, _ = tasks.attend(trial, test, asked)
        assert low <= tasks.share_right(said, asked) <= high
    assert said.count("-") / len(said) > 0.98
