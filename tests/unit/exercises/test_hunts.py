"""The programs of the "Find the bug" exercises are what they claim to be: a worked solution with one known mistake."""

import ast
import inspect
from pathlib import Path

import nbformat
import pytest

from attention_book.exercises.hunts import hunts

HUNTS = hunts()
CHAPTERS = Path(__file__).parents[3] / "chapters"
NOTEBOOKS = {path.stem.partition("_")[2]: path for path in CHAPTERS.glob("*.ipynb")}


def program(text, name):
    """The function of that name, without what does not run: comments, docstring, annotations."""
    (function,) = (
        node for node in ast.parse(text).body if getattr(node, "name", "") == name
    )
    if ast.get_docstring(function):
        del function.body[0]
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    return ast.unparse(function)


def spoiled(hunt):
    text = inspect.getsource(hunt.repaired)
    for old, new in hunt.bug.changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("chapter", HUNTS)
def test_the_reader_is_given_the_known_mistake(chapter):
    cells = {
        cell.id: cell
        for cell in nbformat.read(NOTEBOOKS[chapter], as_version=4).cells
    }
    name = HUNTS[chapter].repaired.__name__
    assert program(cells["bug"].source, name) == program(spoiled(HUNTS[chapter]), name)


@pytest.mark.parametrize("hunt", HUNTS.values(), ids=HUNTS)
def test_the_mistake_is_one_in_what_runs(hunt):
    name = hunt.repaired.__name__
    assert program(spoiled(hunt), name) != program(
        inspect.getsource(hunt.repaired), name
    )
