"""The build, the browser and the files that speak of the same things."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from jupyter_cache import get_cache
from packaging.requirements import Requirement
from sphinxcontrib import katex

ROOT = Path(__file__).parents[2]
PINS = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line and not line.startswith("#")]


def load_tool(name, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def execution(monkeypatch):
    return load_tool("execution", monkeypatch)


@pytest.fixture
def build_book(monkeypatch):
    load_tool("execution", monkeypatch)
    return load_tool("build_book", monkeypatch)


def write_notebook(path, *codes, tags=()):
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    notebook.cells = [nbformat.v4.new_code_cell(code, id=f"c{i}") for i, code in enumerate(codes)]
    notebook.cells[0].metadata["tags"] = list(tags)
    nbformat.write(notebook, path)
    return path


@pytest.fixture
def executed(execution, tmp_path, monkeypatch):
    """A notebook, its outcome, and the cache that has it."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    path = write_notebook(tmp_path / "a.ipynb", "x = 6", "print(7 * x)")
    cache = get_cache(tmp_path / "cache")
    outcome = execution.execute(path, timeout=60)
    execution.store(cache, path, outcome)
    yield path, outcome, cache
    cache.db.dispose()


def test_an_executed_notebook_is_found_by_the_book_with_its_output_and_its_cost(execution, executed):
    path, outcome, cache = executed
    assert execution.is_cached(cache, path)
    record, merged = cache.merge_match_into_notebook(nbformat.read(path, as_version=4))
    assert merged.cells[1].outputs[0].text == "42\n"
    data = cache.get_cache_record(record).data
    assert data["processor_seconds"] > 0
    assert 0 < data["execution_seconds"] == outcome.execution_seconds
    assert 2e7 < data["peak_bytes"] < 1e9


def test_prose_does_not_make_a_notebook_run_again_but_code_and_tags_do(execution, executed):
    path, _, cache = executed
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("# A title", id="t"))
    nbformat.write(notebook, path)
    assert execution.is_cached(cache, path)
    write_notebook(path, "x = 6", "print(7 * x)", tags=["hide-input"])
    assert not execution.is_cached(cache, path)
    write_notebook(path, "x = 6", "print(8 * x)")
    assert not execution.is_cached(cache, path)


@pytest.mark.parametrize("damage", ["missing", "cut"])
def test_a_result_half_written_is_executed_again_and_replaced(execution, executed, damage):
    path, outcome, cache = executed
    kept = next(cache.path.rglob("base.ipynb"))
    if damage == "missing":
        kept.unlink()
    else:
        kept.write_text(kept.read_text()[:50])
    assert not execution.is_cached(cache, path)
    execution.store(cache, path, outcome)
    assert execution.is_cached(cache, path)


def test_a_failing_notebook_names_its_cell_and_error(execution, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    outcome = execution.execute(write_notebook(tmp_path / "a.ipynb", "x = 0", "1 / x"), timeout=60)
    assert outcome.error == "cell 2 of 2 (id c1)\n    | 1 / x\n    ZeroDivisionError: division by zero"


def test_a_cell_that_does_not_end_is_stopped(execution, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    outcome = execution.execute(write_notebook(tmp_path / "a.ipynb", "import time\ntime.sleep(60)"), timeout=1)
    assert "CellTimeoutError" in outcome.error
    assert outcome.execution_seconds < 40


def test_a_notebook_has_one_thread_and_two_run_at_once(build_book):
    assert build_book.execution.WORKERS == 2
    assert build_book.ENVIRONMENT["OMP_NUM_THREADS"] == "1"


@pytest.mark.parametrize(
    ("name", "again"),
    [("src/p/a.py", True), ("src/p/a.safetensors", True), ("src/p/new.toml", True), ("requirements.txt", True)]
    + [("src/p/a.mjs", False), ("src/p/a.css", False), ("README.md", False)],
)
def test_only_what_outputs_depend_on_makes_the_notebooks_run_again(build_book, tmp_path, name, again):
    for file in ("requirements.txt", "src/p/a.py", "src/p/a.safetensors", "src/p/a.mjs", "src/p/a.css"):
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


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_without_a_browser_it_says_what_to_install_and_fails_under_ci(monkeypatch, capsys, ci, code):
    browser = load_tool("browser", monkeypatch)
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    monkeypatch.setattr(browser, "of_the_system", lambda: None)
    monkeypatch.setattr(browser, "of_playwright", lambda: None)
    assert browser.main() == code
    said = capsys.readouterr()
    assert said.out == "\n"
    assert "sudo apt install chromium" in said.err


def test_the_browser_that_was_asked_for_is_taken(monkeypatch, capsys):
    browser = load_tool("browser", monkeypatch)
    monkeypatch.setenv("BROWSER_PATH", sys.executable)
    assert browser.main() == 0
    assert capsys.readouterr().out == f"{sys.executable}\n"
    monkeypatch.setenv("BROWSER_PATH", "/no/such/browser")
    assert browser.main() == 1
    assert "/no/such/browser is not a program" in capsys.readouterr().err


def test_every_requirement_is_pinned_and_none_brings_cuda():
    requirements = [Requirement(line) for line in PINS]
    names = [requirement.name.lower() for requirement in requirements]
    assert len(set(names)) == len(names)
    for requirement in requirements:
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert not re.match(r"nvidia|triton|cuda", requirement.name)


def test_the_pins_are_within_the_ranges_of_the_package():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {requirement.name: requirement.specifier for requirement in map(Requirement, PINS)}
    for dependency in map(Requirement, project["dependencies"]):
        assert dependency.specifier.contains(str(pinned[dependency.name])[2:]), dependency


def test_the_css_of_katex_is_of_the_version_that_renders():
    package, lock = (json.loads((ROOT / name).read_text()) for name in ("package.json", "package-lock.json"))
    assert package["dependencies"]["katex"] == lock["packages"]["node_modules/katex"]["version"] == katex.katex_version


def test_the_lock_names_no_host_and_checks_every_file():
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert all("resolved" not in package for package in packages.values())
    assert all(package["integrity"].startswith("sha512-") for name, package in packages.items() if name)


def test_binder_takes_its_pins_from_the_requirements(tmp_path):
    """Run Binder's script with a pip that only notes what it is asked for."""
    notes, pip = tmp_path / "notes", tmp_path / "pip"
    pip.write_text(f'#!/bin/sh\necho "$@" >> {notes}\nfor a; do test -f "$a" && cat "$a" >> {notes}; done; true\n')
    pip.chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([ROOT / ".binder" / "postBuild"], cwd=ROOT, env=environment, check=True)
    asked = notes.read_text()
    torch = next(line for line in PINS if line.startswith("torch=="))
    assert asked.splitlines()[0].split()[2] == f"{torch}+cpu"
    got = [line for line in asked.splitlines() if re.fullmatch(r"[\w-]+==[\w.]+", line)]
    assert set(got) <= set(PINS)
    assert {"numpy", "torch", "anywidget", "tqdm"} <= {line.split("==")[0] for line in got}
    assert not {"ruff", "pytest", "jupyter-book"} & {line.split("==")[0] for line in got}


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_reads_as_one_and_its_actions_are_pinned(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"]["contents"] == "read"
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", step.get("uses", "actions/x@v1"))


@pytest.mark.parametrize(
    "command", [["bash", "-n", ".ci/run"], ["make", "-n", "help"], ["bash", "-n", ".binder/postBuild"]]
)
def test_the_scripts_can_be_read(command):
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def test_make_help_lists_every_target_a_reader_may_want():
    said = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    targets = set(re.findall(r"make (\w+)", said))
    assert targets == set(
        ["help", "book", "serve", "test", "lint", "unit", "js", "notebooks", "browser", "runs", "address", "clean"]
    )
