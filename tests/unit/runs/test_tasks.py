"""Recipes and the tasks they name; translating and measuring with a model that cannot be wrong."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from attention_book.data import Pair, Vocabulary, symbol_vocabulary
from attention_book.runs import RECIPES, Recipe, evaluate, task_of, translate
from attention_book.runs.recipes import recipe_named
from attention_book.runs.tasks import LENGTHS, N_BATCH

REVERSE = RECIPES["reverse-fixed"]


class Mirror(nn.Module):
    """Copies its source: the right model for a task whose target is the source as it is fed."""

    def encode(self, source, source_visible):
        return source

    def initial_state(self, memory):
        return 0

    def step(self, token, memory, state):
        return nn.functional.one_hot(memory[:, state], 30).float(), state + 1, None


def test_a_recipe_is_kept_under_its_own_name():
    assert all(recipe.name == name for name, recipe in RECIPES.items())


def test_an_unknown_recipe_is_named_with_those_there_are():
    with pytest.raises(
        ValueError, match=r"'bottleneck', .* bottleneck-short, bottleneck-long"
    ):
        recipe_named("bottleneck")


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("caption-attention", {"keep_predictions": True}),
        ("caption-attention", {"keep_looks": True}),
        ("caption-attention", {"interventions": True}),
        ("bottleneck-french", {"keep_looks": True}),
        ("bottleneck-french", {"interventions": True}),
        ("reverse-fixed", {"model": "attention", "interventions": True}),
        ("attention-dot", {"reverse_source": True}),
    ],
)
def test_a_recipe_that_asks_for_what_its_model_or_task_cannot_give_is_refused(
    name, asked
):
    with pytest.raises(
        ValueError,
        match=f"{list(asked)[-1]} is True, expected False for model '{asked.get('model', RECIPES[name].model)}'",
    ):
        replace(RECIPES[name], **asked)


@pytest.mark.parametrize(
    "task", ["sort", "translation", "translation en", "copy en-es", "translation en-de"]
)
def test_an_unknown_task_is_named(task):
    with pytest.raises(ValueError, match=task.split("-")[-1]):
        task_of(Recipe("x", task, steps=3))


def test_the_test_part_of_translation_comes_without_training_pairs(as_a_reader):
    recipe = RECIPES["bottleneck-short"]
    alone = task_of(recipe, train=False)
    assert alone.train == ()
    assert list(alone.test) == [
        "3-6",
        "7-9",
        "10-12",
        "13-15",
        "16-18",
        "19-21",
        "22-24",
    ]
    assert all(len(pairs) == 100 for pairs in alone.test.values())


def test_symbols_come_shortest_first_and_reach_the_longest_half_way():
    recipe = replace(REVERSE, steps=40)
    lengths = [
        batch.target_in.shape[1] - 1
        for batch in task_of(recipe).batches(recipe, seed=0)
    ]
    assert len(lengths) == 40
    assert max(lengths[:4]) <= 4 + 4 * 56 / 20
    assert max(lengths[20:26]) > 50
    assert max(lengths) <= LENGTHS[-1]
    assert all(length <= 4 + int(step / 20 * 56) for step, length in enumerate(lengths))


def test_a_batch_of_symbols_is_one_length_and_reversed():
    batch = next(task_of(REVERSE).batches(REVERSE, seed=3))
    assert batch.source_visible.all()
    assert len(batch.source) == N_BATCH
    assert torch.equal(batch.source[:, :-1].flip(1), batch.target_out[:, :-1])


def test_the_same_seed_gives_the_same_batches_and_another_seed_others():
    first, again, other = (
        list(task_of(REVERSE).batches(replace(REVERSE, steps=9), seed))[8]
        for seed in (1, 1, 2)
    )
    assert torch.equal(first.source, again.source)
    assert first.source.shape != other.source.shape or not torch.equal(
        first.source, other.source
    )


def test_the_test_sequences_have_the_lengths_they_are_labelled_with():
    for label, pairs in task_of(REVERSE).test.items():
        assert {len(pair.source) for pair in pairs} == {int(label)}
        assert all(pair.target == pair.source[::-1] for pair in pairs)


LETTERS = symbol_vocabulary()
SENTENCES = [("a", "b", "c"), ("d",)] * 60


def test_translate_gives_words_in_the_order_asked_for_over_several_batches():
    assert translate(Mirror(), SENTENCES, LETTERS, LETTERS) == SENTENCES


def test_translate_feeds_the_source_reversed_where_training_did():
    assert translate(
        Mirror(), SENTENCES[:2], LETTERS, LETTERS, reverse_source=True
    ) == [("c", "b", "a"), ("d",)]


def test_evaluate_measures_each_bucket_by_itself():
    right = Pair(("a", "b", "c", "d"), ("a", "b", "c", "d"), frozenset())
    half = Pair(("a", "b", "c", "d"), ("a", "b", "d", "c"), frozenset())
    measured = evaluate(
        Mirror(), {"all": [right, right], "some": [right, half]}, LETTERS, LETTERS
    )
    assert measured["all"] == {
        "exact_match": 1.0,
        "token_accuracy": 1.0,
        "bleu": pytest.approx(100),
    }
    assert measured["some"]["exact_match"] == 0.5
    assert measured["some"]["token_accuracy"] == 0.75
    assert 0 < measured["some"]["bleu"] < 100


@pytest.mark.parametrize(
    ("sentences", "says"),
    [([], "sentences is empty"), ([("a", "zebra")], r"'zebra'"), ([()], "empty")],
)
def test_translate_names_bad_input(as_a_reader, sentences, says):
    with pytest.raises(ValueError, match=says):
        translate(Mirror(), sentences, LETTERS, LETTERS)


def test_translate_needs_the_vocabulary_of_the_source(as_a_reader):
    with pytest.raises(ValueError, match="not among the"):
        translate(Mirror(), [("a",)], Vocabulary(["x"]), LETTERS)
