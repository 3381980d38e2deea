"""A registry of what the chapters provide, found by walking `chapters/`.

A part is a module of a chapter's package, such as `checks`, or a folder of modules of
that name. The registry imports the chapters, and chapters import the engines, so no
engine imports the registry: `zoo` and `recipes` stand above both.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from attention_book import chapters

Part = TypeVar("Part")


def modules(name: str) -> Iterator[tuple[str, ModuleType]]:
    """Import every chapter's part of a name: its chapter's package, and the module.

    "checks" are `chapters/*/checks.py` and `chapters/*/checks/*.py`.
    """
    for chapter in iter_modules(chapters.__path__):
        package = import_module(f"{chapters.__name__}.{chapter.name}")
        for found in iter_modules(package.__path__):
            if found.name == name:
                module = import_module(f"{package.__name__}.{name}")
                yield from ((chapter.name, each) for each in _leaves(module))


def unique(what: str, named: Iterable[tuple[str, Part, str]]) -> dict[str, Part]:
    """Gather things from (name, thing, where); `what` they are, is for the message."""
    things: dict[str, Part] = {}
    places: dict[str, str] = {}
    for name, thing, where in named:
        if name in things:
            raise ValueError(
                f"two {what} are named {name!r}, in {places[name]} and in {where}: "
                "expected names of their own"
            )
        things[name], places[name] = thing, where
    return things


def _leaves(module: ModuleType) -> list[ModuleType]:
    """The module itself, or, of a folder, the modules in it."""
    if not hasattr(module, "__path__"):
        return [module]
    inside = iter_modules(module.__path__)
    return [import_module(f"{module.__name__}.{found.name}") for found in inside]
