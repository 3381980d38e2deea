"""Every chapter has exercises at three levels and a bug to find.

Their cells call checks that the solutions pass.
"""

import ast
import importlib
import inspect
import re

import pytest
from notebooks.test_plain import CHAPTERS, cells_of, ids, text

from attention_book.site.exercises import HEADING
from attention_book.widgets import read_questions
from attention_book.zoo import CHECKS

UNWRITTEN = [
    pytest.param(path, cell, id=f"{path.stem}-{cell.id}")
    for path in CHAPTERS
    for cell in cells_of(path)
    if "exercise" in cell.metadata.get("tags", [])
    and "NotImplementedError" in cell.source
]
every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=ids)


@every_chapter
def test_a_chapter_has_exercises_at_three_levels_and_a_bug_to_find(path):
    titles = re.findall(r"^### (Exercise .*)$", text(path), re.M)
    levels = [HEADING.fullmatch(title)["level"] for title in titles]
    assert {"1", "2", "3", None} <= set(levels)
    assert levels.count(None) == 1, "one bug to find"


@every_chapter
def test_a_chapter_asks_its_quick_questions(path):
    source = "\n".join(cell.source for cell in cells_of(path))
    (asked,) = re.findall(r'read_questions\("(\w+)"\)', source)
    options = [each.options for each in read_questions(asked)]
    assert len(options) >= 2
    places = {[option.right for option in each].index(True) for each in options}
    assert len(places) > 1, "the right option always stands at the same place"
    longest = [max(each, key=lambda option: len(option.says)) for each in options]
    told = sum(option.right for option in longest)
    assert told <= len(options) / 2, "the right option is recognised by its length"


@pytest.mark.parametrize(("path", "cell"), UNWRITTEN)
def test_a_learners_cell_calls_its_check_and_its_solution_passes(path, cell):
    tree = ast.parse(cell.source)
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    name, verdict = function.name, f"check_{function.name}({function.name})"
    assert cell.source.rstrip().endswith(verdict), "the last line shows the verdict"
    (imported,) = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    package = f"attention_book.chapters.{path.stem.partition('_')[2]}"
    assert imported.module == f"{package}.checks"
    check = getattr(importlib.import_module(imported.module), f"check_{name}")
    assert check is CHECKS[name]
    folded = [c for c in cells_of(path) if "solution" in c.metadata.get("tags", [])]
    shown = rf"solution\([^=]*\.{name}\b"
    assert any(re.search(shown, c.source) for c in folded), "no folded solution"
    arguments = [argument.arg for argument in function.args.args]
    assert arguments == [*check.cases[0].inputs], "those of the check"
    assert check(check.reference)
    module = importlib.import_module(check.reference.__module__)
    assert f"def {name}(" in inspect.getsource(module)


@every_chapter
def test_a_chapter_has_functions_to_write(path):
    """Two at least; at level 3 one may be asked to find out, and not to write."""
    assert [each.values[0] for each in UNWRITTEN].count(path) >= 2
