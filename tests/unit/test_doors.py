"""Which part may import which: read from the source, so that the direction of the doors stays."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import attention_book

ROOT = Path(attention_book.__file__).parent
DOORS = {  # room: the siblings it may import
    "reference": set(),
    "data": set(),
    "metrics": set(),
    "plots": set(),
    "claims": set(),
    "reading": set(),
    "prose": set(),
    "widgets": {"prose"},
    "layers": set(),
    "models": {"layers"},
    "training": set(),
    "decoding": set(),
    "exercises": {"parts", "prose", "reference", "layers", "metrics"},
    "site": {"widgets", "claims"},
    "runs": {"data", "models", "training", "decoding", "metrics"},
    "train": {"runs"},
    "parts": {"chapters"},
    "chapters": {
        "claims",
        "data",
        "decoding",
        "exercises",
        "layers",
        "metrics",
        "models",
        "plots",
        "prose",
        "reading",
        "reference",
        "runs",
        "training",
        "widgets",
    },
    "__init__": set(),
}
FILES = sorted(ROOT.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Full names of all modules a file imports, at its top or inside a function."""
    package = ("attention_book", *path.relative_to(ROOT).parts[:-1])
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            start = ".".join([*base, *filter(None, [node.module])])
            names |= {start} | {f"{start}.{alias.name}" for alias in node.names}
    return names


def siblings(path: Path) -> set[str]:
    parts = [name.split(".") for name in imported(path)]
    return {
        p[1] for p in parts if p[0] == "attention_book" and len(p) > 1 and p[1] in DOORS
    } - {room(path)}


@pytest.mark.parametrize(
    "path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES]
)
def test_a_module_goes_through_its_own_doors_only(path):
    assert room(path) in DOORS, (
        f"{path.name} stands in no known room: give it one, with its doors"
    )
    wrong = siblings(path) - DOORS[room(path)]
    assert not wrong, f"{room(path)} must not import {sorted(wrong)}"


@pytest.mark.parametrize(
    "path", [p for p in FILES if room(p) in {"widgets", "claims", "site"}], ids=str
)
def test_what_runs_on_every_page_never_imports_torch(path):
    assert not {name for name in imported(path) if name.split(".")[0] == "torch"}


def test_nothing_imports_tests_or_chapters():
    for path in FILES:
        assert not {
            name
            for name in imported(path)
            if name.split(".")[0] in {"tests", "chapters", "conftest"}
        }


@pytest.mark.parametrize(
    "module", ["attention_book", "attention_book.widgets", "attention_book.claims"]
)
def test_importing_it_does_not_import_torch(module):
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from attention_book.models import FixedContext", {"models"}),
        ("from attention_book import layers, claims", {"layers", "claims"}),
        ("import attention_book.training.fit as f", {"training"}),
        ("def f():\n    from ..decoding import greedy", {"decoding"}),
        ("from . import softmax", set()),
        ("import numpy", set()),
    ],
)
def test_the_reader_of_imports_finds_each_way_to_write_one(
    tmp_path, monkeypatch, source, found
):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "reference" / "x.py"
    path.parent.mkdir()
    path.write_text(source, "utf-8")
    assert siblings(path) == found
