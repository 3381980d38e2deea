"""A recipe as JSON and back, with its task as the name of a class and its fields.

The class is imported when a run is loaded, and no other chapter with it: what a
notebook loads is what its outputs depend on.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from attention_book.runs.recipe import Recipe

PACKAGE = "attention_book."


def to_json(recipe: Recipe) -> dict[str, Any]:
    """A recipe as plain data.

    ValueError if it would not come back as it is.
    """
    cls = type(recipe.task)
    task = {"class": f"{cls.__module__}.{cls.__qualname__}"} | _fields(recipe.task)
    kept = _fields(recipe) | {"task": task}
    try:
        again = json.loads(json.dumps(kept, allow_nan=False))
        same = from_json(again) == recipe
    except (TypeError, ValueError, AttributeError, ImportError) as error:
        raise ValueError(f"{recipe.name} cannot be kept as JSON: {error}") from error
    if not same:
        raise ValueError(
            f"{recipe.name} does not come back from JSON as it was: expected fields of "
            "numbers, words, tuples of them, and mappings from words to them"
        )
    return again


def from_json(kept: Mapping[str, Any]) -> Recipe:
    """The reverse of `to_json`; a field that was added since is as it is by default."""
    task = dict(kept["task"])
    cls = _class(task.pop("class"))
    return Recipe(**_tuples(kept) | {"task": cls(**_tuples(task))})


def _class(name: str) -> type:
    module, _, last = name.rpartition(".")
    if not module.startswith(PACKAGE):
        raise ValueError(f"class is {name!r}, expected one inside {PACKAGE[:-1]}")
    cls = getattr(import_module(module), last)
    if not (isinstance(cls, type) and is_dataclass(cls)):
        raise ValueError(f"class is {name!r}, which is not a dataclass")
    return cls


def _fields(thing: Any) -> dict[str, Any]:
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def _tuples(kept: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in kept.items()
    }
