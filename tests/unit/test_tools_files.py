"""The browser, the pins, and the files that must say the same as others."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from sphinxcontrib import katex

ROOT = Path(__file__).parents[2]
PINS = [
    line
    for line in (ROOT / "requirements.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture
def browser():
    spec = importlib.util.spec_from_file_location(
        "book_browser", ROOT / "tools" / "browser.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_without_a_browser_it_says_what_to_install_and_fails_under_ci(
    browser, monkeypatch, capsys, ci, code
):
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    monkeypatch.setattr(browser, "of_the_system", lambda: None)
    monkeypatch.setattr(browser, "of_playwright", lambda: None)
    assert browser.main() == code
    said = capsys.readouterr()
    assert said.out == "\n"
    assert "sudo apt install chromium" in said.err


def test_the_browser_that_was_asked_for_is_taken(browser, monkeypatch, capsys):
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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {
        requirement.name: requirement.specifier
        for requirement in map(Requirement, PINS)
    }
    for dependency in map(Requirement, project["dependencies"]):
        assert dependency.specifier.contains(str(pinned[dependency.name])[2:]), (
            dependency
        )


def test_the_css_of_katex_is_of_the_version_that_renders():
    package, lock = (
        json.loads((ROOT / name).read_text())
        for name in ("package.json", "package-lock.json")
    )
    assert (
        package["dependencies"]["katex"]
        == lock["packages"]["node_modules/katex"]["version"]
        == katex.katex_version
    )


def test_the_lock_names_no_host_and_checks_every_file():
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert all("resolved" not in package for package in packages.values())
    assert all(
        package["integrity"].startswith("sha512-")
        for name, package in packages.items()
        if name
    )


def test_binder_takes_its_pins_from_the_requirements(tmp_path):
    """Run Binder's script with a pip that only notes what it is asked for."""
    notes, pip = tmp_path / "notes", tmp_path / "pip"
    pip.write_text(
        f'#!/bin/sh\necho "$@" >> {notes}\nfor a; do test -f "$a" && cat "$a" >> {notes}; done; true\n'
    )
    pip.chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(
        [ROOT / ".binder" / "postBuild"], cwd=ROOT, env=environment, check=True
    )
    asked = notes.read_text()
    torch = next(line for line in PINS if line.startswith("torch=="))
    assert asked.splitlines()[0].split()[2] == f"{torch}+cpu"
    got = [line for line in asked.splitlines() if re.fullmatch(r"[\w-]+==[\w.]+", line)]
    assert set(got) <= set(PINS)
    assert {"numpy", "torch", "anywidget", "tqdm"} <= {
        line.split("==")[0] for line in got
    }
    assert not {"ruff", "pytest", "jupyter-book"} & {
        line.split("==")[0] for line in got
    }


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    ids=lambda path: path.stem,
)
def test_a_workflow_reads_as_one_and_its_actions_are_pinned(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"]["contents"] == "read"
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert re.fullmatch(
                r"actions/[a-z-]+@v\d+", step.get("uses", "actions/x@v1")
            )


@pytest.mark.parametrize(
    "command", ["bash -n .ci/run", "bash -n .binder/postBuild", "make -n lint"]
)
def test_the_scripts_can_be_read(command):
    read = subprocess.run(
        command.split(), cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert read.returncode == 0, read.stderr


def test_make_help_lists_every_target_a_reader_may_want():
    said = subprocess.run(
        ["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    targets = set(re.findall(r"make (\w+)", said))
    assert targets == {
        *[
            "help",
            "setup",
            "book",
            "serve",
            "test",
            "lint",
            "unit",
            "js",
            "notebooks",
            "browser",
            "compare",
            "runs",
            "address",
            "clean",
        ]
    }
