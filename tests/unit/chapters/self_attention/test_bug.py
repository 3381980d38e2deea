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
def test_one_product_for_three_gives_what_the_model_gives_and_the_bug_asks_with_keys(
    run, batch
):
    model = run.model()
    twin = deepcopy(model)
    twin.attend.W_Q, twin.attend.W_K = model.attend.W_K, model.attend.W_Q
    expected = model.with_attention(*batch)
    torch.testing.assert_close(read(model, *batch), expected)
    torch.testing.assert_close(broken(twin, *batch), expected)


def test_the_bug_makes_it_say_that_nothing_fits(run):
    model, test = run.model(), run.recipe.task.test
    asked = tasks.asked_in(test)
    for program, low, high in ((read, 0.995, 1), (broken, 0.24, 0.28)):
        trial = experiments.with_program(model, program)
        said, _ = tasks.attend(trial, test, asked)
        assert low <= tasks.share_right(said, asked) <= high
    assert said.count("-") / len(said) > 0.98
