"""The build: what is executed again, what is kept, what is said about a failure."""

import compileall
import subprocess
import sys
from pathlib import Path

import build_book
import dependencies
import execution
import nbformat
import pytest
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn

HERE = {"requirements.txt": "0a", "src/attention_book/a.py": "0b"}


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
    execution.store(cache, path, outcome, HERE)
    yield path, cache
    cache.db.dispose()


def test_an_executed_notebook_is_found_by_the_book_with_its_output_and_its_cost(
    executed, outcome
):
    path, cache = executed
    assert execution.is_cached(cache, path, HERE)
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


ON_MACOS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import execution
execution.AFTERWARDS = True
sys.exit(str(execution.execute(Path(sys.argv[2]), timeout=60).peak_bytes))
"""


def test_on_macos_the_peak_is_read_when_the_kernel_has_ended(tmp_path):
    path = write_notebook(tmp_path / "a.ipynb", "x = b'1' * 200_000_000", "del x")
    command = [sys.executable, "-c", ON_MACOS, Path(execution.__file__).parent, path]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    unit = 1 if sys.platform == "darwin" else 1024  # of `ru_maxrss`
    assert unit * int(done.stderr.split()[-1]) > 2e8


def test_prose_does_not_make_a_notebook_run_again_but_code_and_tags_do(executed):
    path, cache = executed
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("# A title", id="t"))
    nbformat.write(notebook, path)
    assert execution.is_cached(cache, path, HERE)
    write_notebook(path, "x = 6", "print(7 * x)", tags=["hide-input"])
    assert not execution.is_cached(cache, path, HERE)
    write_notebook(path, "x = 6", "print(8 * x)")
    assert not execution.is_cached(cache, path, HERE)


def test_a_result_without_its_cost_is_executed_again(executed):
    """Jupyter Book, run by itself, keeps none."""
    path, cache = executed
    bundle = CacheBundleIn(
        nbformat.read(path, as_version=4), str(path), data={"execution_seconds": 1.0}
    )
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    assert not execution.is_cached(cache, path, HERE)


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
    assert not execution.is_cached(cache, path, HERE)
    execution.store(cache, path, outcome, HERE)
    assert execution.is_cached(cache, path, HERE)


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


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A book whose package has two chapters, and one notebook that uses one of them."""
    package = tmp_path / "src" / "attention_book"
    for name, text in {
        "__init__.py": "",
        "engine.py": "from pathlib import Path\nHERE = Path(__file__).parent\n",
        "other.py": "",
        "style.css": "",
        "chapters/__init__.py": "",
        "chapters/one/__init__.py": "from attention_book.engine import HERE\n",
        "chapters/two/__init__.py": "",
        "run/run.json": "1",
        "run/weights.safetensors": "",
        "run/other.json": "2",
        "unused/weights.safetensors": "",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    # so that no source is opened by an import
    compileall.compile_dir(package, quiet=1)
    (tmp_path / "requirements.txt").write_text("numpy==2\n")
    (tmp_path / "_config.yml").write_text("execute:\n  timeout: 60\n")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: a\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "src"))
    return tmp_path


def build(root, *codes):
    """Write the notebook if asked to, and execute it if need be; how many were."""
    if codes:
        write_notebook(root / "a.ipynb", *codes)
    executed = []

    def here(paths, timeout):
        for path in paths:
            executed.append(path)
            yield path, execution.execute(path, timeout)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execution, "execute_all", here)
        assert build_book.execute_notebooks(root, dependencies.hashes(root)) == 0
    return len(executed)


USE = "from attention_book.chapters.one import HERE"
READ = "len((HERE / 'run' / 'run.json').read_text())"


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("src/attention_book/chapters/one/__init__.py", 1),
        ("src/attention_book/engine.py", 1),
        ("src/attention_book/run/run.json", 1),
        ("src/attention_book/run/weights.safetensors", 1),
        ("requirements.txt", 1),
        ("src/attention_book/run/other.json", 0),
        ("src/attention_book/unused/weights.safetensors", 0),
        ("src/attention_book/chapters/two/__init__.py", 0),
        ("src/attention_book/chapters/three/__init__.py", 0),
        ("src/attention_book/other.py", 0),
        ("src/attention_book/style.css", 0),
        ("README.md", 0),
    ],
)
def test_a_notebook_runs_again_when_what_it_used_has_changed_and_only_then(
    book, name, again
):
    assert build(book, USE, READ) == 1
    assert build(book) == 0
    (book / name).parent.mkdir(exist_ok=True)
    with (book / name).open("a") as file:
        file.write("'after'\n")
    assert build(book) == again
    assert build(book) == 0


def test_a_notebook_runs_again_when_a_file_it_used_is_gone(book):
    assert build(book, USE, f"path = HERE / 'run' / 'run.json'; {READ}") == 1
    now = dependencies.hashes(book)
    del now["src/attention_book/run/run.json"]
    with_cache = get_cache(book / "_build" / ".jupyter_cache")
    assert not execution.is_cached(with_cache, book / "a.ipynb", now)
    with_cache.db.dispose()


def test_who_walks_the_chapters_runs_again_when_there_is_a_new_one(book):
    walk = "import pkgutil\n[m.name for m in pkgutil.iter_modules([HERE / 'chapters'])]"
    assert build(book, USE, walk) == 1
    (book / "src/attention_book/chapters/two/__init__.py").write_text("'after'")
    assert build(book) == 0
    (book / "src/attention_book/chapters/two/checks.py").write_text("")
    assert build(book) == 1


def test_a_file_changed_while_its_notebook_ran_makes_it_run_again(book):
    before = dependencies.hashes(book)
    engine = book / "src" / "attention_book" / "engine.py"
    outcome = execution.execute(write_notebook(book / "a.ipynb", USE), timeout=60)
    used = dependencies.used(**outcome.noted, root=book, now=before)
    assert not dependencies.changed(used, dependencies.hashes(book))
    engine.write_text(engine.read_text() + "# more\n")
    changed = dependencies.changed(used, dependencies.hashes(book))
    assert changed == ["src/attention_book/engine.py"]


def test_a_file_that_the_notebook_makes_in_the_package_is_never_trusted(book):
    make = "(HERE / 'made.json').write_text('3')"
    assert build(book, USE, make) == 1
    assert build(book) == 1


def test_noting_leaves_no_trace_in_the_notebook(book):
    build(book, "dir()", "_, __, In")
    cache = get_cache(book / "_build" / ".jupyter_cache")
    _, merged = cache.merge_match_into_file(book / "a.ipynb")
    cache.db.dispose()
    names, history = (cell.outputs[0].data["text/plain"] for cell in merged.cells)
    assert "note" not in names
    assert "report" not in names
    assert history.endswith("['', 'dir()', '_, __, In'])")


@pytest.mark.parametrize("page", [".doctrees", "jupyter_execute"])
def test_pages_are_read_afresh_when_a_notebook_ran_or_the_package_changed(book, page):
    build(book, USE)
    folder = book / "_build" / page

    def kept():
        folder.mkdir(exist_ok=True)
        build_book.forget_old_pages(book / "_build", dependencies.hashes(book))
        build(book)
        return folder.exists()

    kept()
    assert kept()
    (book / "src/attention_book/other.py").write_text("'after'")
    assert not kept()
    assert kept()
    write_notebook(book / "a.ipynb", USE, "1")
    assert not kept()


def test_force_executes_everything_again(book, monkeypatch):
    assert build(book, USE) == 1
    monkeypatch.setattr(build_book, "ROOT", book)
    monkeypatch.setattr(build_book, "BUILD", book / "_build")
    here = [(book / "a.ipynb", execution.execute(book / "a.ipynb", 60))]
    monkeypatch.setattr(execution, "execute_all", lambda todo, _: here[: len(todo)])
    monkeypatch.setattr(sys, "argv", ["build_book.py", "--force", "--execute-only"])
    cells = next((book / "_build").rglob("base.ipynb"))
    before = cells.stat().st_mtime_ns
    assert build_book.main() == 0
    assert next((book / "_build").rglob("base.ipynb")).stat().st_mtime_ns > before


@pytest.mark.parametrize(
    ("errors", "runs"),
    [
        (["RuntimeError: Kernel died before replying to kernel_info", ""], 2),
        (["ValueError: no"], 1),
        ([""], 1),
    ],
)
def test_a_kernel_that_never_answered_is_started_once_more(monkeypatch, errors, runs):
    left = list(errors)

    def once(path, timeout):
        return execution.Outcome("", left.pop(0), 0, 0, 0, {})

    monkeypatch.setattr(execution, "_execute_once", once)
    assert execution.execute(Path("a.ipynb"), timeout=60).error == errors[-1]
    assert len(errors) - len(left) == runs
