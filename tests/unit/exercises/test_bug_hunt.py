"""The programs of *Find the bug* are a worked solution with one known mistake."""

import ast
import inspect
from pathlib import Path

import nbformat
import pytest

from attention_book import registry
from attention_book.exercises.mutants import changed

HUNTS = {chapter: module.BUG_HUNT for chapter, module in registry.modules("bug")}
CHAPTERS = Path(__file__).parents[3] / "chapters"
NOTEBOOKS = {path.stem.partition("_")[2]: path for path in CHAPTERS.glob("*.ipynb")}


def program(text, name):
    """The function of that name, without comments, docstring and annotations."""
    (function,) = (
        node for node in ast.parse(text).body if getattr(node, "name", "") == name
    )
    if ast.get_docstring(function):
        del function.body[0]
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    return ast.unparse(function)


@pytest.mark.parametrize("chapter", HUNTS)
def test_the_reader_is_given_the_known_mistake(chapter):
    cells = {
        cell.id: cell for cell in nbformat.read(NOTEBOOKS[chapter], as_version=4).cells
    }
    repaired, bug = HUNTS[chapter]
    ours, name = inspect.getsource(repaired), repaired.__name__
    spoiled = program(changed(ours, bug.changes), name)
    assert program(cells["bug"].source, name) == spoiled != program(ours, name)
