"""Which part may import which, read from the source: the doors keep their direction."""

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import version
from pathlib import Path

import pytest

import attention_book

ROOT = Path(attention_book.__file__).parent
LEAVES = {"shapes"}  # whom everyone may import
DOORS = {  # room: the other siblings it imports, besides the leaves
    "shapes": set(),
    "devices": set(),
    "reference": set(),
    "data": {"trees"},
    "metrics": set(),
    "plots": {"chapter_files", "prose", "trees"},
    "claims": {"prose"},
    "reading": {"listing", "plots"},
    "listing": set(),
    "prose": set(),
    "trees": set(),
    "widgets": {"chapter_files", "prose"},
    "layers": set(),
    "models": {"layers"},
    "training": {"data", "devices", "models"},
    "decoding": {"devices"},
    "exercises": {"prose", "reference"},
    "site": {"widgets", "claims"},
    "networks": {"data", "decoding"},
    "runs": {
        "data",
        "decoding",
        "devices",
        "metrics",
        "networks",
        "recipes",
        "training",
    },
    "chapter_files": set(),
    "registry": {"chapters"},
    "zoo": {"exercises", "prose", "registry"},
    "recipes": {"registry", "runs"},
    "chapters": {
        "data",
        "decoding",
        "exercises",
        "layers",
        "metrics",
        "models",
        "networks",
        "reference",
        "runs",
        "training",
        "trees",
        "widgets",
    },
    "__init__": set(),
}
ENGINES = {"widgets", "exercises", "networks", "runs"}
FILES = sorted(ROOT.rglob("*.py"))


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


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


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_a_module_goes_through_its_own_doors_only(path):
    assert room(path) in DOORS, (
        f"{path.name} stands in no known room: give it one, with its doors"
    )
    wrong = siblings(path) - DOORS[room(path)] - LEAVES
    assert not wrong, f"{room(path)} must not import {sorted(wrong)}"


def module(path: Path) -> str:
    """Name the module that a file holds."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("attention_book", *parts)).removesuffix(".__init__")


def ancestors(name: str) -> set[str]:
    """Name the packages that a module stands in."""
    parts = name.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts))}


def graph(files: list[Path]) -> dict[str, set[str]]:
    """Give the modules that each imports, their packages included.

    The registry imports every chapter by name, which its source does not show.
    """
    modules = {module(path) for path in files}
    edges = {}
    for path in files:
        name = module(path)
        found = imported(path)
        if name == "attention_book.registry":
            found |= {each for each in modules if ".chapters." in each}
        found |= set().union(*map(ancestors, found))
        edges[name] = (found & modules) - ancestors(name) - {name}
    return edges


def test_no_module_imports_itself_through_others():
    TopologicalSorter(graph(FILES)).prepare()


def own_imports_in_functions(path: Path) -> list[int]:
    """Find the lines where a function imports a module of ours."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return [
        node.lineno
        for function in functions
        for node in ast.walk(function)
        if (isinstance(node, ast.ImportFrom) and node.level)
        or "attention_book" in _first_names(node)
    ]


def _first_names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module.split(".")[0]}
    return set()


def test_modules_of_ours_are_imported_at_the_top():
    found = {relative(path): own_imports_in_functions(path) for path in FILES}
    assert not {name: lines for name, lines in found.items() if lines}


def test_a_circle_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    sources = {
        "registry.py": "from attention_book import chapters",
        "chapters/__init__.py": "",
        "chapters/block/__init__.py": "",
        "chapters/block/checks.py": "from attention_book.exercises.zoo import CHECKS",
        "exercises/__init__.py": "",
        "exercises/zoo.py": "def f():\n    from attention_book import registry",
    }
    for place, source in sources.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(source, "utf-8")
    files = [tmp_path / place for place in sources]
    with pytest.raises(CycleError, match=r"exercises\.zoo"):
        TopologicalSorter(graph(files)).prepare()
    assert [own_imports_in_functions(path) for path in files] == [
        [],
        [],
        [],
        [],
        [],
        [2],
    ]


@pytest.mark.parametrize("name", DOORS)
def test_a_door_that_nobody_uses_is_closed(name):
    used = [siblings(path) for path in FILES if room(path) == name]
    assert used, "there is no such room"
    assert DOORS[name] == set().union(*used) - LEAVES


def chapters_imported(path: Path) -> set[str]:
    """Chapters' packages that a file imports, but for the one that it stands in."""
    own = path.relative_to(ROOT).parts[1] if room(path) == "chapters" else ""
    parts = [name.split(".") for name in imported(path)]
    found = {p[2] for p in parts if p[:2] == ["attention_book", "chapters"] and p[2:]}
    return found - {own}


@pytest.mark.parametrize(
    "path", [p for p in FILES if room(p) == "chapters"], ids=relative
)
def test_a_chapter_imports_no_other_chapter(path):
    assert not chapters_imported(path), "what two chapters need moves to a room"


def chapters_named(path: Path, stems: set[str]) -> set[str]:
    """Where a file's code, but for its docstrings, says which chapter it is about."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    whole = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node not in whole
    ]
    stem = re.compile(rf"chapters[./]({'|'.join(stems)})\b")
    plain = {name for name in stems if "_" in name}  # "order" may be anything
    found = {text for text in strings if text in plain or stem.search(text)}
    return found | set(re.findall(r"[Cc]hapter \d+", text)) | chapters_imported(path)


@pytest.mark.parametrize("path", [p for p in FILES if room(p) in ENGINES], ids=relative)
def test_an_engine_names_no_chapter(path):
    stems = {each.name for each in (ROOT / "chapters").iterdir() if each.is_dir()}
    assert not chapters_named(path, stems), "it finds chapters' parts by walking"


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
    assert (
        fresh(f"import sys, {module}; sys.exit('torch' in sys.modules)").returncode == 0
    )


def fresh(code: str) -> subprocess.CompletedProcess:
    """Run code in a Python that has imported nothing yet."""
    return subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True
    )


def test_only_who_asks_for_the_version_needs_it_installed():
    unknown = "import importlib.metadata as it, sys; it.version = sys.exit; "
    assert fresh(f"{unknown}import attention_book").returncode == 0
    assert attention_book.__version__ == version("attention-book")


@pytest.mark.parametrize("name", attention_book.ROOMS)
def test_a_room_opens_when_it_is_asked_for(name):
    before = f"import sys, attention_book as book; was = '{name}' in vars(book); "
    after = (
        f"room = book.{name}; sys.exit(was or room.__name__ != 'attention_book.{name}')"
    )
    assert fresh(before + after).returncode == 0


def test_a_room_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'cellar'"):
        attention_book.cellar  # noqa: B018
    assert set(attention_book.ROOMS) <= set(dir(attention_book))


def test_the_types_are_shipped():
    assert (ROOT / "py.typed").is_file()


@pytest.mark.parametrize(
    ("place", "source", "found"),
    [
        ("chapters/block/x.py", "from attention_book.chapters.order import y", "order"),
        ("chapters/block/x.py", "from attention_book.chapters import order", "order"),
        ("chapters/block/x.py", "from ..order.checks import y", "order"),
        ("chapters/block/x.py", "from attention_book.chapters.block import y", None),
        ("chapters/block/x.py", "from . import y", None),
        ("runs/x.py", "import attention_book.chapters.block.checks", "block"),
        ("runs/x.py", "import_module('attention_book.chapters.block')", "book.chap"),
        ("runs/x.py", "if stem == 'look_and_say': pass", "look_and_say"),
        ("runs/x.py", "x = 3  # as in chapter 2", "chapter 2"),
        ("runs/x.py", "kind = 'order'", None),
        ("runs/x.py", 'def f():\n    """Reads chapters/block/x.toml."""', None),
    ],
)
def test_a_chapter_that_is_named_is_found(tmp_path, monkeypatch, place, source, found):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(source, "utf-8")
    if place.startswith("chapters"):
        named = chapters_imported(path) & {"order", "block"}
    else:
        named = chapters_named(path, {"order", "block", "look_and_say"})
    assert bool(named) == bool(found)
    assert found is None or any(found in each for each in named)


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
