"""The pins, and the files that must say the same as others."""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinxcontrib import katex

ROOT = Path(__file__).parents[2]
PINS = [
    line
    for line in (ROOT / "requirements.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NEEDS = [Requirement(line) for line in PROJECT["dependencies"]]
SITE_NEEDS, SUBWORDS_NEED = (
    [Requirement(line) for line in PROJECT["optional-dependencies"][extra]]
    for extra in ("site", "subwords")
)


def test_every_requirement_is_pinned_and_none_brings_cuda():
    requirements = [Requirement(line) for line in PINS]
    names = [requirement.name.lower() for requirement in requirements]
    assert len(set(names)) == len(names)
    for requirement in requirements:
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert not re.match(r"nvidia|triton|cuda", requirement.name)


def test_the_pins_are_within_the_ranges_of_the_package():
    pinned = {
        canonicalize_name(requirement.name): requirement.specifier
        for requirement in map(Requirement, PINS)
    }
    for dependency in [*NEEDS, *SITE_NEEDS, *SUBWORDS_NEED]:
        version = str(pinned[canonicalize_name(dependency.name)])[2:]
        assert dependency.specifier.contains(version), dependency


# with every kernel, and by Sphinx
BROUGHT = {"ipython", "matplotlib-inline", "traitlets", "docutils"}


def imports(folder):
    """The packages beside the standard library that the modules of a folder import."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"attention_book"}


@pytest.mark.parametrize("room", ["site", "everything else"])
def test_what_the_package_imports_is_among_its_dependencies(room):
    package = ROOT / "src" / "attention_book"
    folders = [path for path in package.iterdir() if path.is_dir()]
    if room == "site":
        names, declared = imports(package / "site"), [*NEEDS, *SITE_NEEDS]
    else:
        of_rooms = (imports(each) for each in folders if each.name != "site")
        names, declared = set.union(*of_rooms), [*NEEDS, *SUBWORDS_NEED]
    assert names
    declared = {canonicalize_name(each.name) for each in declared} | BROUGHT
    known = importlib.metadata.packages_distributions()
    for name in names:
        assert {canonicalize_name(each) for each in known[name]} & declared, name


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
        f'#!/bin/sh\necho "$@" >> {notes}\n'
        f'for a; do test -f "$a" && cat "$a" >> {notes}; done; true\n'
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
            "bench",
            "fold",
            "chapter",
            "look",
            "runs",
            "address",
            "clean",
        ]
    }
