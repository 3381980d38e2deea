"""Recipes: found with their chapters, each under one name, and the same after JSON."""

import json
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from attention_book import registry
from attention_book.recipes import recipe_named, recipes
from attention_book.runs import Recipe, Task
from attention_book.runs.as_json import from_json, to_json


def test_two_recipes_of_one_name_are_an_error(monkeypatch, toy):
    chapters = [
        (name, SimpleNamespace(RECIPES=(toy,), __name__=f"chapters.{name}.recipes"))
        for name in ("one", "two")
    ]
    monkeypatch.setattr(registry, "modules", lambda name: iter(chapters))
    with pytest.raises(
        ValueError, match=r"two recipes are named 'toy', in chapters.one.* chapters.two"
    ):
        recipes()


def test_an_unknown_recipe_is_named_with_those_there_are():
    with pytest.raises(
        ValueError, match=r"'bottleneck', .*bottleneck-short, bottleneck-long"
    ):
        recipe_named("bottleneck")


class NoDataclass(Task):
    """Its fields could not be kept."""

    vocabularies = model = batches = measure = None


@pytest.mark.parametrize("task", ["translation", None, NoDataclass()])
def test_what_is_no_task_is_refused(as_a_reader, task):
    with pytest.raises(TypeError, match=r"expected a dataclass that extends runs.Task"):
        Recipe("x", task, 3)


@pytest.mark.parametrize("every", [-5, 4])
def test_what_is_watched_is_watched_within_the_steps(toy, every):
    with pytest.raises(ValueError, match=f"watch_every is {every}, expected 0 to 3"):
        replace(toy, steps=3, watch_every=every)


def test_a_recipe_watches_only_what_its_task_watches(toy, monkeypatch):
    monkeypatch.delattr(type(toy.task), "watch")
    with pytest.raises(TypeError, match=r"expected one that writes watch\(model\)"):
        replace(toy)


def test_every_recipe_comes_back_from_json_as_it_was(toy):
    for recipe in (toy, *recipes().values()):
        again = from_json(json.loads(json.dumps(to_json(recipe))))
        assert again == recipe
        assert type(again.task) is type(recipe.task)


def test_a_field_that_was_added_since_is_as_it_is_by_default(toy):
    kept = to_json(replace(toy, task=replace(toy.task, by=2)))
    del kept["learning_rate"], kept["task"]["marks"]
    assert from_json(kept) == replace(toy, task=replace(toy.task, by=2))
    del kept["task"]["by"]
    assert from_json(kept) == toy


@pytest.mark.parametrize(
    "changed",
    [{"sizes": {"D": (3,)}}, {"sizes": {"D": float("nan")}}, {"by": {1}}],
    ids=["nested tuple", "nan", "set"],
)
def test_a_task_that_json_cannot_hold_is_refused(toy, changed):
    with pytest.raises(ValueError, match=r"toy (cannot be kept as|does not come back)"):
        to_json(replace(toy, task=replace(toy.task, **changed)))


def test_a_task_from_outside_the_package_is_refused(toy, monkeypatch):
    monkeypatch.setattr(type(toy.task), "__module__", "elsewhere")
    with pytest.raises(ValueError, match=r"'elsewhere.Toy', expected one inside atten"):
        to_json(toy)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("os.system", ValueError),
        ("attention_book.reading.source", ValueError),
        ("attention_book.toy.Missing", AttributeError),
        ("attention_book.nowhere.Task", ImportError),
    ],
)
def test_a_class_that_is_no_task_of_the_package_is_not_made(toy, name, error):
    kept = to_json(toy)
    kept["task"]["class"] = name
    with pytest.raises(error):
        from_json(kept)


def test_recipes_are_imported_only_when_they_are_asked_for():
    """The notebooks' cache is keyed on the modules that a notebook imports."""
    code = (
        "import sys; from attention_book import runs; runs.load('caption-attention');"
        "print(*(n for n in sys.modules if n.startswith('attention_book.chapters.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert loaded == [
        "attention_book.chapters.look_and_say",
        "attention_book.chapters.look_and_say.tasks",
    ]
