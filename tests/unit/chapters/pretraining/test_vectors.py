"""What can be read from a network's vectors, and the network after some steps."""

import pytest
import torch

from attention_book import runs
from attention_book.chapters.pretraining.experiments.vectors import (
    FOOD,
    NEW_NOUNS,
    OTHERS,
    head_says,
    network_after,
    topics_told,
)
from attention_book.training import seeded


def test_blocks_write_the_topic_of_a_hidden_noun_into_its_vector():
    run = runs.load("bert")
    before, *after = topics_told(run.model(), hidden=True, splits=3)
    assert before < 0.3
    assert min(after) > 0.6
    assert min(topics_told(run.model(), hidden=False, splits=3)) > 0.8
    untrained = network_after(run, 0)  # knows nothing of nouns that gave no mean
    assert max(topics_told(untrained, hidden=False, splits=3)) < 0.3


def assert_same(model, other):
    torch.testing.assert_close(model.state_dict(), other.state_dict(), rtol=0, atol=0)


def test_a_network_after_its_last_step_is_the_trained_one_and_after_none_a_fresh_one():
    run = runs.load("bert")
    last = network_after(run, run.recipe.steps)
    assert_same(last, run.model())
    with seeded(0):
        fresh = run.recipe.task.model()
    assert_same(network_after(run, 0), fresh)
    with pytest.raises(ValueError, match="keeps nothing at step 700"):
        network_after(run, 700)


def test_a_head_hears_the_same_of_whole_sentences_as_of_their_nouns():
    model = runs.load("bert").model()
    wanted, labelled, asked = (
        [f"we saw the {noun} ." for noun in nouns]
        for nouns in (FOOD, FOOD + OTHERS, NEW_NOUNS)
    )
    said = head_says(model, wanted, labelled, asked, frame="{}")
    assert [*said] == asked
    assert [*said.values()] == [*head_says(model, FOOD).values()]
