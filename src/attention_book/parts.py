"""The parts of the chapters, found by walking `chapters/`: no list to keep in step.

A part is a module of a chapter's package, such as `checks`, or a folder of modules of
that name. Engines ask for the parts they need and know no chapter.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TypeVar

from attention_book import chapters

Part = TypeVar("Part")


def modules(name: str) -> Iterator[tuple[str, ModuleType]]:
    """Import every chapter's part of this name: its chapter's package, and the module.

    Parameters
    ----------
    name : str
        Such as "checks", for `chapters/*/checks.py` and `chapters/*/checks/*.py`.
    """
    for chapter in iter_modules(chapters.__path__):
        package = import_module(f"{chapters.__name__}.{chapter.name}")
        for found in iter_modules(package.__path__):
            if found.name == name:
                module = import_module(f"{package.__name__}.{name}")
                yield from ((chapter.name, each) for each in _leaves(module))


def unique(what: str, named: Iterable[tuple[str, Part, str]]) -> dict[str, Part]:
    """Gather things by name.

    Parameters
    ----------
    what : str
        What they are, for the message.
    named : iterable of (name, thing, where)

    Raises
    ------
    ValueError
        If two have one name; the message says where both stand.
    """
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
