"""`make chapter` writes a chapter that passes, and touches nothing when it cannot."""

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import nbformat
import new_chapter
import pytest

from attention_book import chapters
from attention_book.exercises.verdict import RIGHT
from attention_book.widgets import read_questions

ROOT = Path(__file__).parents[2]
STEM = "a_name_as_long_as_it_may"  # be
TITLE = 'What "attention" is'


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A copy of the table of contents and of settings, with the skeleton written in."""
    root = tmp_path_factory.mktemp("book")
    for name in ("_toc.yml", "_config.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, root)
    new_chapter.write(root, new_chapter.plan(root, STEM, TITLE, None))
    return root


@pytest.fixture(scope="module")
def package(book):
    """The new package, as if it stood in ours."""
    chapters.__path__.append(str(book / "src" / "attention_book" / "chapters"))
    yield f"attention_book.chapters.{STEM}"
    chapters.__path__.pop()


def test_the_notebook_is_valid_and_has_its_title(book):
    (path,) = (book / "chapters").iterdir()
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    title = f"# {int(path.name[:2])} · {TITLE}\n"
    assert notebook.cells[0].source.startswith(title)
    assert "skeleton" not in path.read_text("utf-8")
    assert "«" not in path.read_text("utf-8")


def test_what_is_written_passes_the_linter(book):
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check"], ["format", "--check"]):
        subprocess.run([*ruff, *command, "-q", str(book)], check=True)


def test_its_mistakes_are_named_and_its_attempts_told(package):
    checks, attempts = (
        import_module(f"{package}.{part}") for part in ("checks", "attempts")
    )
    tried = 0
    for name, table in attempts.ATTEMPTS.items():
        check = getattr(checks, f"check_{name}")
        assert check(check.reference)
        assert all(says in check(attempt).says for attempt, says in table.items())
        said = [*table.values()]
        assert said.count(RIGHT) >= 3
        assert len({*said} - {RIGHT}) >= 3  # as `test_attempts` asks of every check
        for mutant in check.mutants:
            assert check(mutant.of(check.reference)).diagnosis == mutant.name
            tried += 1
    assert tried >= 4


def test_the_bug_is_the_one_in_the_notebook(book, package):
    hunt = import_module(f"{package}.bug").BUG_HUNT
    (path,) = (book / "chapters").iterdir()
    (cell,) = (c for c in nbformat.read(path, as_version=4).cells if c.id == "bug")
    for change in hunt.bug.changes:
        assert change.old.strip() not in cell.source
        assert change.new.strip() in cell.source


def test_its_widget_opens(package):
    widget = import_module(f"{package}.widgets").averages()
    assert widget.spec["link"] == f"{STEM.replace('_', '-')}-average"


def test_its_questions_can_be_asked(book):
    assert (
        len(read_questions(book / f"src/attention_book/chapters/{STEM}/questions.toml"))
        >= 3
    )


def test_it_stands_behind_the_chapters_before_it():
    toc = "- file: chapters/01_a\n  - file: chapters/03_c\n  - file: pages/z\n"
    assert (
        new_chapter._with_entry(toc, 2, "b").splitlines()[1].endswith("chapters/02_b")
    )
    assert (
        new_chapter._with_entry(toc, 4, "d").splitlines()[2].endswith("chapters/04_d")
    )


@pytest.mark.parametrize(
    ("stem", "number", "said"),
    [
        ("Attention", None, "NAME is 'Attention'"),
        ("two-streams", None, "NAME is 'two-streams'"),
        ("class", None, "NAME is 'class'"),
        ("a" * 25, None, "NAME is 'a"),
        ("streams", 100, "NUMBER is 100"),
        ("streams", 2, "chapters/02_attention.ipynb is there"),
        ("attention", None, "chapters/02_attention.ipynb is there"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(stem, number, said):
    with pytest.raises(new_chapter.Trouble, match=said):
        new_chapter.plan(ROOT, stem, "A title", number)


def test_files_that_are_there_stay(tmp_path):
    for name in ("_toc.yml", "_config.yml"):
        shutil.copy(ROOT / name, tmp_path)
    package = Path("src/attention_book/chapters", STEM)  # begun with its checks
    (tmp_path / package).mkdir(parents=True)
    (tmp_path / package / "checks.py").touch()
    files = new_chapter.plan(tmp_path, STEM, TITLE, 99)
    assert package / "widgets.py" in files
    assert package / "checks.py" not in files
