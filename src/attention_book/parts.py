"""The parts of the chapters, found by walking `chapters/`: no list to keep in step.

A part is a module of a chapter's package, such as `checks`, or a folder of modules of
that name. Engines ask for the parts they need and know no chapter.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
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


def chapter_file(where: str | Path, name: str) -> Path:
    """Find a chapter's text file of this name, such as "questions.toml".

    `where` is the chapter ("attention"), or the file itself.
    """
    folders = [Path(folder) for folder in chapters.__path__]
    by_name = isinstance(where, str) and not where.endswith(Path(name).suffix)
    paths = [each / where / name for each in folders] if by_name else [Path(where)]
    for path in paths:
        if path.is_file():
            return path
    known = sorted(
        path.parent.name for each in folders for path in each.glob(f"*/{name}")
    )
    raise ValueError(
        f"where is {str(where)!r}: expected a {Path(name).suffix[1:].upper()} file, or "
        f"one of {', '.join(map(repr, known))}"
    )


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
