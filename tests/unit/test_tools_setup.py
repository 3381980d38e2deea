"""The set-up: what goes wrong is said in one line; what is done is not done again."""

import json
import os
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest
import setup as script


@pytest.fixture
def setup(monkeypatch, tmp_path):
    """The set-up script at home in an empty folder."""
    for name, place in {
        "ROOT": "",
        "VENV": ".venv",
        "BIN": ".venv/bin",
        "PYTHON": ".venv/bin/python",
        "STAMP": ".venv/.attention-book",
        "LOG": "_build/setup.log",
    }.items():
        monkeypatch.setattr(script, name, str(tmp_path / place))
    (tmp_path / "_build").mkdir()
    return script


def make_ready(setup):
    """Everything that a finished set-up leaves behind."""
    for folder in (setup.BIN, f"{setup.ROOT}/node_modules/katex"):
        os.makedirs(folder)
    for name in (
        "requirements.txt",
        "package-lock.json",
        "pyproject.toml",
        ".venv/pyvenv.cfg",
        ".venv/bin/python",
    ):
        Path(setup.ROOT, name).write_text(name)
    Path(setup.STAMP).write_text(setup.fingerprint())


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (
            "ERROR: Could not install due to an OSError: [Errno 28] No space left on "
            "device\n",
            "disk is full",
        ),
        ("npm error code ENOSPC\nnpm error nospc\n", "disk is full"),
        (
            "WARNING: Retrying ... NewConnectionError: [Errno -3] Temporary failure "
            "in name resolution\nERROR: Could not find a version that satisfies the "
            "requirement tqdm==4.1 (from versions: none)\nERROR: No matching "
            "distribution found for tqdm==4.1\n",
            "Could not fetch tqdm==4.1: the network or the package index does not "
            "answer",
        ),
        (
            "ERROR: No matching distribution found for tqdm==9\n",
            "fetch tqdm==9: the package index does not have it",
        ),
        ("npm error code EAI_AGAIN\n", "Could not fetch KaTeX: the network"),
        (
            "npm error request to x failed, reason: x\nnpm error A complete log: x\n",
            "Could not fetch KaTeX",
        ),
        (
            "Traceback\n  File x\nRuntimeError: odd\n\n",
            "Could not install KaTeX: RuntimeError: odd",
        ),
    ],
)
def test_a_failed_installation_is_told_in_one_line(setup, output, words):
    line = setup.complaint(output, "KaTeX")
    assert words in line
    assert "\n" not in line


def test_jupyterlab_is_told_to_save_the_figures(setup, monkeypatch):
    make_ready(setup)
    Path(setup.ROOT, "requirements.txt").write_text("torch==2.13.0\n")
    for name in ("run", "pip", "install_torch"):
        monkeypatch.setattr(setup, name, lambda *_, **__: True)
    setup.install()
    settings = Path(setup.VENV, "share", "jupyter", "lab", "settings", "overrides.json")
    assert json.loads(settings.read_text()) == setup.LAB_SETTINGS


def test_a_failed_command_names_the_log_and_the_log_has_its_output(setup):
    with pytest.raises(setup.Trouble, match=r"Log: _build/setup.log"):
        setup.run(
            "a thing", sys.executable, "-c", "print('the details'); raise SystemExit(3)"
        )
    assert "the details" in Path(setup.LOG).read_text()


def test_a_full_disk_stops_even_what_may_fail(setup):
    command = (
        sys.executable,
        "-c",
        "print('No space left on device'); raise SystemExit(1)",
    )
    with pytest.raises(setup.Trouble, match="disk is full"):
        setup.run("a probe", *command, must=False)


def test_an_old_python_is_told_which_one_to_use(setup, monkeypatch):
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 18))
    with pytest.raises(
        setup.Trouble,
        match=r"3\.11 or newer is needed, and this is 3\.9: try `make book PYTHON=",
    ):
        setup.check_machine()


def test_a_machine_without_venv_is_told_the_package(setup, monkeypatch):
    monkeypatch.setattr(
        setup.importlib.util,
        "find_spec",
        lambda name: None if name == "ensurepip" else object(),
    )
    with pytest.raises(setup.Trouble, match="apt install python3-venv"):
        setup.check_machine()


def test_too_small_a_disk_is_told_before_anything_is_fetched(setup, monkeypatch):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(setup.shutil, "disk_usage", lambda path: usage(1.25e9))
    with pytest.raises(
        setup.Trouble, match=r"4 GB of disk are needed and 1\.2 are free"
    ):
        setup.check_machine()


def test_a_finished_set_up_is_not_done_again(setup, monkeypatch):
    make_ready(setup)
    monkeypatch.setattr(setup, "check_machine", lambda: pytest.fail("set up again"))
    assert setup.main() == 0


@pytest.mark.parametrize(
    "name",
    ["requirements.txt", "package-lock.json", "pyproject.toml", ".venv/pyvenv.cfg"],
)
def test_the_set_up_notices_a_change(setup, name):
    make_ready(setup)
    assert setup.is_ready()
    Path(setup.ROOT, name).write_text("changed")
    assert not setup.is_ready()


@pytest.mark.parametrize(
    "name", [".venv/bin/python", ".venv/.attention-book", ".venv/pyvenv.cfg"]
)
def test_the_set_up_notices_a_broken_environment(setup, name):
    make_ready(setup)
    Path(setup.ROOT, name).unlink()
    assert not setup.is_ready()


@pytest.mark.parametrize(
    ("python", "times"), [("not a program", 1), (None, 1), (sys.executable, 0)]
)
def test_the_environment_is_made_when_there_is_none_that_runs(
    setup, monkeypatch, python, times
):
    os.makedirs(setup.BIN)
    if python == sys.executable:
        Path(setup.PYTHON).symlink_to(python)
    elif python:
        Path(setup.PYTHON).write_text(python)
    run, made = setup.run, []

    def pretend(what, *command, must=True):
        return (
            made.append(command)
            if "venv" in command
            else run(what, *command, must=must)
        )

    monkeypatch.setattr(setup, "run", pretend)
    setup.make_venv()
    assert [command[2:] for command in made] == [
        ("venv", "--clear", setup.VENV)
    ] * times


def test_trouble_ends_in_one_line_and_a_failure(setup, monkeypatch, capsys):
    monkeypatch.setattr(setup.sys, "version_info", (3, 8, 0))
    assert setup.main() == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith("setup: Python 3.11")


def test_linux_asks_for_the_small_torch_first_and_says_when_it_takes_the_large_one(
    setup, monkeypatch, capsys
):
    asked = []
    monkeypatch.setattr(setup.sys, "platform", "linux")
    monkeypatch.setattr(
        setup,
        "run",
        lambda what, *command, must=True: asked.append((command, must)) or must,
    )
    setup.install_torch("torch==2.13.0")
    wanted = [command[-1] for command, _ in asked[1:]]
    assert wanted == ["torch==2.13.0+cpu", "torch==2.13.0+cpu", "torch==2.13.0"]
    assert [must for _, must in asked[1:]] == [False, False, True]
    assert setup.CPU_INDEX in asked[2][0]
    assert "3 GB" in capsys.readouterr().out


def test_the_script_can_be_read_by_an_old_python():
    """Its complaint about an old Python is of use only if that gets to making it."""
    source = Path(script.__file__).read_text()
    compile_old = f"import ast; ast.parse({source!r}, feature_version=(3, 7))"
    assert (
        subprocess.run([sys.executable, "-c", compile_old], check=False).returncode == 0
    )
