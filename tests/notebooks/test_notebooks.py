"""The notebooks as they are kept: clean, readable, and within their memory."""

import re
from collections import Counter
from pathlib import Path
from statistics import median

import address
import dependencies
import execution
import nbformat
import pytest
from jupyter_cache import get_cache
from notebooks.test_plain import code_cells, ids

ROOT = Path(__file__).parents[2]
LONGEST_CELL, LONGEST_FOLDED, USUAL_CELL = 16, 25, 6  # lines
WIDEST_LINE = 88  # columns: what a page shows without scrolling
FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
FOLDED |= {"solution", "exercise"}
# A figure or word filled up with blanks, as in {label:24} or {share:6.2f}
PADDED = re.compile(r"\{[^{}]*:[<>^]?\d[\d,.]*[a-z%]?\}")
PLACES = re.compile(
    r"(?<![\w.:/-])/(?:home|root|Users|tmp|work|mnt|content|opt|var)/|[A-Z]:\\|file://"
)


NOTEBOOKS = execution.notebooks(ROOT)
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name == "chapters"]


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=ids)


def test_the_book_has_chapters_and_every_notebook_is_in_it():
    assert CHAPTERS
    folders = (ROOT, ROOT / "chapters", ROOT / "pages")
    kept = [path for folder in folders for path in folder.glob("*.ipynb")]
    assert sorted(kept) == sorted(NOTEBOOKS)


@every_notebook
def test_a_notebook_is_kept_without_outputs(path):
    nbformat.validate(nbformat.read(path, as_version=4))
    for cell in code_cells(path):
        assert not cell.outputs, cell.id
        assert cell.execution_count is None, cell.id
        assert not {"execution", "collapsed", "scrolled"} & set(cell.metadata), cell.id


@every_notebook
def test_cells_have_ids_of_their_own(path):
    notebook = nbformat.read(path, as_version=4)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert set(Counter(cell.id for cell in notebook.cells).values()) == {1}


@every_notebook
def test_a_code_cell_is_one_thought_and_no_wider_than_a_page(path):
    lengths = []
    for cell in code_cells(path):
        lines = cell.source.splitlines()
        is_folded = FOLDED & set(cell.metadata.get("tags", []))
        assert len(lines) <= (LONGEST_FOLDED if is_folded else LONGEST_CELL), cell.id
        assert max(map(len, lines)) <= WIDEST_LINE, cell.id
        lengths += [len(lines)] * (not is_folded)
    assert path not in CHAPTERS or median(lengths) <= USUAL_CELL


@every_chapter
def test_tables_are_tables(path):
    for cell in code_cells(path):
        aligned = PADDED.findall(cell.source)
        assert not aligned, f"{cell.id} aligns {aligned}: use plots.table"


@every_notebook
def test_the_first_code_cell_fetches_the_package_on_colab(path):
    first = code_cells(path)[0]
    assert "colab" in first.metadata.get("tags", [])
    assert first.source == address.colab_cell(address.address(ROOT)), (
        "run `make address REPOSITORY=...`"
    )


@every_notebook
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


@every_notebook
def test_a_notebook_keeps_within_its_memory(path, cost):
    assert cost(path)["peak_bytes"] <= execution.BUDGETS["peak_bytes"]
