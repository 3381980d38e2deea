"""The browser for the tests: found, installed where that is allowed, or asked for."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import chromium
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """The tool on a machine with no programs but those a test puts into its folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    monkeypatch.setattr(chromium, "MAC", ())
    monkeypatch.setattr(chromium, "of_playwright", lambda: None)
    monkeypatch.setattr(sys, "platform", "linux")
    become(monkeypatch, "debian", user=0)
    return chromium


def become(monkeypatch, name, user):
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": name})
    monkeypatch.setattr(os, "geteuid", lambda: user)


def program(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def with_apt(folder, *, sudo=None, has=chromium.SHELL):
    """An apt-get that notes its arguments and makes a Chromium; a sudo if asked for."""
    made = f"printf '#!/bin/sh\\n' > {folder}/{has}; /bin/chmod +x {folder}/{has}"
    program(folder, "env", 'shift; exec "$@"')
    program(
        folder,
        "apt-get",
        f"echo $* >> {folder}/asked\n"
        f"case $* in *update);; *{has}) {made};; *) exit 1;; esac",
    )
    if sudo is not None:
        program(folder, "sudo", f'[ "$1" = -n ] && shift && {sudo} && exec "$@"')


def asked(folder):
    notes = folder / "asked"
    return notes.read_text().splitlines() if notes.exists() else []


def test_an_installed_browser_is_taken_and_nothing_is_installed(
    machine, tmp_path, capsys
):
    with_apt(tmp_path)
    path = program(tmp_path, machine.SHELL, "exit 0")
    assert machine.main() == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert not asked(tmp_path)


@pytest.mark.parametrize(("user", "tried"), [(1000, []), (0, ["update", "SHELL"])])
def test_an_installed_one_is_taken_where_its_shell_cannot_be_had(
    machine, tmp_path, monkeypatch, capsys, user, tried
):
    with_apt(tmp_path, has="nothing")
    become(monkeypatch, "debian", user)
    path = program(tmp_path, "chromium", "exit 0")
    assert machine.main() == 0
    assert capsys.readouterr().out == f"{path}\n"
    last = [
        line.split()[-1].replace(machine.SHELL, "SHELL") for line in asked(tmp_path)
    ]
    assert last == tried


def test_a_browser_that_does_not_start_is_passed_over(machine, tmp_path):
    """As Ubuntu's stub, which only says that Chromium is a snap."""
    program(tmp_path, "chromium-browser", "echo requires the snap; exit 1")
    assert machine.of_the_system() is None
    path = program(tmp_path, "google-chrome", "exit 0")
    assert machine.of_the_system() == path


@pytest.mark.parametrize("user", [0, 1000])
def test_on_a_bare_debian_it_is_installed(machine, tmp_path, monkeypatch, capsys, user):
    with_apt(tmp_path, sudo="/bin/true" if user else None)
    program(tmp_path, "true", "exit 0")
    become(monkeypatch, "debian", user)
    assert machine.main() == 0
    assert capsys.readouterr().out == f"{tmp_path}/{machine.SHELL}\n"
    install = f"-y install --no-install-recommends {machine.SHELL}"
    assert asked(tmp_path) == ["-y update", install]


def test_an_older_debian_has_no_shell_of_its_own(machine, tmp_path, capsys):
    with_apt(tmp_path, has="chromium")
    assert machine.main() == 0
    assert capsys.readouterr().out == f"{tmp_path}/chromium\n"
    assert [each.split()[-1] for each in asked(tmp_path)[1:]] == [
        machine.SHELL,
        "chromium",
    ]


@pytest.mark.parametrize("sudo", [None, "/bin/false"])
def test_without_root_nothing_is_tried_and_one_line_says_what_to_do(
    machine, tmp_path, monkeypatch, capsys, sudo
):
    with_apt(tmp_path, sudo=sudo)
    become(monkeypatch, "debian", 1000)
    assert machine.main() == 0
    said = capsys.readouterr()
    assert said.out == "\n"
    assert said.err == f"No browser: {machine.ADVICE}\n"
    assert "sudo apt install chromium-headless-shell" in machine.ADVICE
    assert not asked(tmp_path)


def test_elsewhere_apt_is_left_alone(machine, tmp_path, monkeypatch):
    with_apt(tmp_path)
    become(monkeypatch, "ubuntu", 0)
    assert machine.of_the_machine() is None
    assert not asked(tmp_path)


def test_the_browser_that_was_asked_for_is_taken(machine, monkeypatch, capsys):
    monkeypatch.setenv("BROWSER_PATH", sys.executable)
    assert machine.main() == 0
    assert capsys.readouterr().out == f"{sys.executable}\n"


def test_a_browser_path_that_is_no_program_is_an_error(machine, monkeypatch, capsys):
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chromium")
    assert machine.main() == 1
    said = capsys.readouterr().err
    assert said == "BROWSER_PATH=/nowhere/chromium is not a program\n"


TESTS = """
import pytest
from missing_browser import NO_BROWSER

@pytest.mark.parametrize("k", range(3))
def test_a(k):
    pytest.skip(f"{NO_BROWSER}: get one")

def test_b():
    pytest.skip("something else")

def test_c():
    pass
"""


def run(folder, *options, ci):
    """Run `TESTS` with the hook, in a process of their own."""
    (folder / "conftest.py").write_text(
        "from missing_browser import pytest_sessionfinish\n"
    )
    (folder / "test_it.py").write_text(TESTS)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "."],
        cwd=folder,
        env=os.environ | {"CI": ci, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("workers", "ci", "code"), [("2", "true", 1), ("0", "", 0)])
def test_the_last_line_counts_what_did_not_run(tmp_path, workers, ci, code):
    done = run(tmp_path, "-n", workers, ci=ci)
    assert done.stdout.splitlines()[-1] == "3 tests did not run: no browser: get one"
    assert done.returncode == code


def test_with_a_browser_nothing_is_said(tmp_path):
    done = run(tmp_path, "-k", "not test_a", ci="true")
    assert "did not run" not in done.stdout
    assert done.returncode == 0
