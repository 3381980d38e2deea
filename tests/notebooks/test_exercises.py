"""Every chapter has exercises at three levels and a bug to find.

Their cells call checks that the solutions pass.
"""

import ast
import importlib
import re
from pathlib import Path

import nbformat
import pytest

from attention_book.exercises.zoo import CHECKS
from attention_book.site.exercises import HEADING
from attention_book.widgets import read_questions

CHAPTERS = sorted((Path(__file__).parents[2] / "chapters").glob("*.ipynb"))
UNWRITTEN = [
    pytest.param(path, cell, id=f"{path.stem}-{cell.id}")
    for path in CHAPTERS
    for cell in nbformat.read(path, as_version=4).cells
    if "exercise" in cell.metadata.get("tags", [])
    and "NotImplementedError" in cell.source
]


def cells(path):
    return nbformat.read(path, as_version=4).cells


def text(path):
    return "\n".join(
        cell.source for cell in cells(path) if cell.cell_type == "markdown"
    )


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_exercises_at_three_levels_and_a_bug_to_find(path):
    titles = re.findall(r"^### (Exercise .*)$", text(path), re.M)
    levels = [HEADING.fullmatch(title)["level"] for title in titles]
    assert {"1", "2", "3", None} <= set(levels)
    assert levels.count(None) == 1, "one bug to find"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_asks_its_quick_questions(path):
    (asked,) = re.findall(
        r'read_questions\("(\w+)"\)', "\n".join(cell.source for cell in cells(path))
    )
    questions = read_questions(asked)
    assert len(questions) >= 2
    places = [
        [option.right for option in each.options].index(True) for each in questions
    ]
    assert len(set(places)) > 1, "the right option always stands at the same place"
    longest = [
        max(each.options, key=lambda option: len(option.says)).right
        for each in questions
    ]
    assert sum(longest) <= len(questions) / 2, (
        "the right option is recognised by its length"
    )


@pytest.mark.parametrize(("path", "cell"), UNWRITTEN)
def test_a_learners_cell_calls_its_check_and_its_solution_passes(path, cell):
    tree = ast.parse(cell.source)
    (name,) = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    assert cell.source.rstrip().endswith(f"check_{name}({name})"), (
        "the last line shows the verdict"
    )
    (imported,) = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    package = f"attention_book.chapters.{path.stem.partition('_')[2]}"
    assert imported.module == f"{package}.checks"
    check = getattr(importlib.import_module(imported.module), f"check_{name}")
    assert check is CHECKS[name]
    shown = [
        c
        for c in cells(path)
        if "solution" in c.metadata.get("tags", [])
        and re.search(rf"solution\([^=]*\.{name}\b", c.source)
    ]
    assert shown, "no folded solution"
    arguments = [
        argument.arg
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for argument in node.args.args
    ]
    assert arguments == list(check.cases[0].inputs), (
        "the learner's arguments are those of the check"
    )
    assert check(check.reference)
    assert f"def {name}(" in Path(
        importlib.import_module(check.reference.__module__).__file__
    ).read_text("utf-8")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_has_functions_to_write(path):
    """Two at least; at level 3 one may be asked to find out, and not to write."""
    assert [each.values[0] for each in UNWRITTEN].count(path) >= 2
