"""The build: what is executed again, what is kept, and what is said when a notebook fails."""

import importlib.util
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn

ROOT = Path(__file__).parents[2]


def load_tool(name):
    """A script of `tools/` as a module, under the name by which the others import it."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


execution, build_book = load_tool("execution"), load_tool("build_book")


def write_notebook(path, *codes, tags=()):
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )
    notebook.cells = [
        nbformat.v4.new_code_cell(code, id=f"c{i}") for i, code in enumerate(codes)
    ]
    notebook.cells[0].metadata["tags"] = list(tags)
    nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What comes of executing a small notebook."""
    path = write_notebook(
        tmp_path_factory.mktemp("outcome") / "a.ipynb", "x = 6", "print(7 * x)"
    )
    return execution.execute(path, timeout=60)


@pytest.fixture
def executed(outcome, tmp_path):
    """That notebook, and a cache that has it."""
    path = write_notebook(tmp_path / "a.ipynb", "x = 6", "print(7 * x)")
    cache = get_cache(tmp_path / "cache")
    execution.store(cache, path, outcome)
    yield path, cache
    cache.db.dispose()


def test_an_executed_notebook_is_found_by_the_book_with_its_output_and_its_cost(
    executed, outcome
):
    path, cache = executed
    assert execution.is_cached(cache, path)
    record, merged = cache.merge_match_into_notebook(nbformat.read(path, as_version=4))
    assert merged.cells[1].outputs[0].text == "42\n"
    data = cache.get_cache_record(record).data
    assert data["processor_seconds"] > 0
    assert 0 < data["execution_seconds"] == outcome.execution_seconds
    assert 2e7 < data["peak_bytes"] < 1e9


def test_the_peak_is_the_kernels_own_and_not_that_of_who_started_it(tmp_path):
    ballast = b"1" * 500_000_000
    path = write_notebook(tmp_path / "a.ipynb", "x = b'1' * 200_000_000", "del x")
    assert 2e8 < execution.execute(path, timeout=60).peak_bytes < len(ballast)


def test_prose_does_not_make_a_notebook_run_again_but_code_and_tags_do(executed):
    path, cache = executed
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("# A title", id="t"))
    nbformat.write(notebook, path)
    assert execution.is_cached(cache, path)
    write_notebook(path, "x = 6", "print(7 * x)", tags=["hide-input"])
    assert not execution.is_cached(cache, path)
    write_notebook(path, "x = 6", "print(8 * x)")
    assert not execution.is_cached(cache, path)


def test_a_result_without_its_cost_is_executed_again(executed):
    """Jupyter Book, run by itself, keeps none; the budgets would have nothing to be held against."""
    path, cache = executed
    bundle = CacheBundleIn(
        nbformat.read(path, as_version=4), str(path), data={"execution_seconds": 1.0}
    )
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    assert not execution.is_cached(cache, path)


@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_result_half_written_is_executed_again_and_replaced(
    executed, outcome, damage
):
    path, cache = executed
    kept = next(cache.path.rglob("base.ipynb"))
    if damage == "missing":
        kept.unlink()
    else:
        kept.write_text(kept.read_text()[:50])
    assert not execution.is_cached(cache, path)
    execution.store(cache, path, outcome)
    assert execution.is_cached(cache, path)


def test_a_failing_notebook_names_its_cell_and_error(tmp_path):
    outcome = execution.execute(
        write_notebook(tmp_path / "a.ipynb", "x = 0", "1 / x"), timeout=60
    )
    assert (
        outcome.error
        == "cell 2 of 2 (id c1)\n    | 1 / x\n    ZeroDivisionError: division by zero"
    )


def test_a_cell_that_does_not_end_is_stopped(tmp_path):
    outcome = execution.execute(
        write_notebook(tmp_path / "a.ipynb", "import time\ntime.sleep(60)"), timeout=1
    )
    assert (
        "CellTimeoutError: A cell timed out while it was being executed, after 1 "
        "seconds." in outcome.error
    )


def test_a_notebook_has_one_thread_and_two_run_at_once():
    assert build_book.execution.WORKERS == 2
    assert build_book.ENVIRONMENT["OMP_NUM_THREADS"] == "1"


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("src/p/a.py", True),
        ("src/p/a.safetensors", True),
        ("src/p/new.toml", True),
        ("requirements.txt", True),
        ("src/p/a.mjs", False),
        ("src/p/a.css", False),
        ("README.md", False),
    ],
)
def test_only_what_outputs_depend_on_makes_the_notebooks_run_again(
    tmp_path, name, again
):
    for file in (
        "requirements.txt",
        "src/p/a.py",
        "src/p/a.safetensors",
        "src/p/a.mjs",
        "src/p/a.css",
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("before")
    result = tmp_path / "_build" / ".jupyter_cache" / "result"
    build_book.forget_what_changed(tmp_path, force=False)
    result.parent.mkdir(parents=True)
    result.touch()
    build_book.forget_what_changed(tmp_path, force=False)
    assert result.exists()
    (tmp_path / name).write_text("after")
    build_book.forget_what_changed(tmp_path, force=False)
    assert result.exists() is not again
    result.parent.mkdir(exist_ok=True)
    result.touch()
    build_book.forget_what_changed(tmp_path, force=True)
    assert not result.exists()
