"""The notebooks as they are kept: clean, readable, and within their memory."""

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from statistics import median

import nbformat
import pytest
from jupyter_cache import get_cache

ROOT = Path(__file__).parents[2]
LONGEST_CELL, LONGEST_FOLDED, USUAL_CELL = 16, 25, 6  # lines
WIDEST_LINE = 88  # columns: what a page shows without scrolling
FOLDED = {
    "hide-input",
    "hide-cell",
    "remove-input",
    "remove-cell",
    "solution",
    "exercise",
}
# A figure or word filled up with blanks, as in {label:24} or {share:6.2f}
PADDED = re.compile(r"\{[^{}]*:[<>^]?\d[\d,.]*[a-z%]?\}")
PLACES = re.compile(
    r"(?<![\w.:/-])/(?:home|root|Users|tmp|work|mnt|content|opt|var)/|[A-Z]:\\|file://"
)


def load_tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


dependencies, execution = load_tool("dependencies"), load_tool("execution")
address = load_tool("address")
NOTEBOOKS = execution.notebooks(ROOT)
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name == "chapters"]


def ids(path):
    return path.stem


def code_cells(path):
    return [
        cell
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
    ]


def test_the_book_has_chapters_and_every_notebook_is_in_it():
    assert CHAPTERS
    kept = [
        *ROOT.glob("*.ipynb"),
        *ROOT.glob("chapters/*.ipynb"),
        *ROOT.glob("pages/*.ipynb"),
    ]
    assert sorted(kept) == sorted(NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_notebook_is_kept_without_outputs(path):
    nbformat.validate(nbformat.read(path, as_version=4))
    for cell in code_cells(path):
        assert not cell.outputs, cell.id
        assert cell.execution_count is None, cell.id
        assert not {"execution", "collapsed", "scrolled"} & set(cell.metadata), cell.id


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_cells_have_ids_of_their_own(path):
    notebook = nbformat.read(path, as_version=4)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert set(Counter(cell.id for cell in notebook.cells).values()) == {1}


def is_folded(cell):
    return bool(FOLDED & set(cell.metadata.get("tags", [])))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_code_cell_is_one_thought(path):
    for cell in code_cells(path):
        most = LONGEST_FOLDED if is_folded(cell) else LONGEST_CELL
        assert len(cell.source.splitlines()) <= most, cell.id


@pytest.mark.parametrize("path", CHAPTERS, ids=ids)
def test_most_cells_of_a_chapter_are_short(path):
    shown = [cell.source for cell in code_cells(path) if not is_folded(cell)]
    assert median(len(source.splitlines()) for source in shown) <= USUAL_CELL


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_no_line_of_code_is_wider_than_a_page(path):
    for cell in code_cells(path):
        for line in cell.source.splitlines():
            assert len(line) <= WIDEST_LINE, f"{cell.id}: {line}"


@pytest.mark.parametrize("path", CHAPTERS, ids=ids)
def test_tables_are_tables(path):
    for cell in code_cells(path):
        aligned = PADDED.findall(cell.source)
        assert not aligned, f"{cell.id} aligns {aligned}: use plots.table"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_the_first_code_cell_fetches_the_package_on_colab(path):
    first = code_cells(path)[0]
    assert "colab" in first.metadata.get("tags", [])
    assert first.source == address.colab_cell(address.address(ROOT)), (
        "run `make address REPOSITORY=...`"
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_notebook_names_no_place_on_somebodys_machine(path):
    for cell in nbformat.read(path, as_version=4).cells:
        assert not PLACES.search(cell.source), cell.id


@pytest.fixture(scope="module")
def cost():
    """What executing a notebook, as it is now, has cost; the build kept the figures."""
    cache = get_cache(ROOT / "_build" / ".jupyter_cache")
    now = dependencies.hashes(ROOT)

    def of(path):
        assert execution.is_cached(cache, path, now), (
            "not executed as it is now: run `make notebooks`"
        )
        return execution.cost(cache, path)

    yield of
    cache.db.dispose()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
def test_a_notebook_keeps_within_its_memory(path, cost):
    assert cost(path)["peak_bytes"] <= execution.BUDGETS["peak_bytes"]
