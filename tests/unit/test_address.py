"""The repository's address: it stands in one place, and everything else follows."""

import address
import nbformat
import pytest

NEW = "https://github.com/you/your.fork"
README = """[Binder](https://mybinder.org/v2/gh/o/book/main)
[Colab](https://colab.research.google.com/github/o/book/blob/x.ipynb)
Pages: https://o.github.io/book/ Code: https://github.com/o/book. Clone
https://github.com/o/book.git, not https://github.com/o/bookshelf,
https://github.com/o/book.js, https://github.com/else/thing or
https://o.github.io/books/.
pip install git+https://github.com/o/book
"""
CONFIG = """title: a book
repository:
  url: https://github.com/o/book
  branch: main
x:
  url: https://else.org
"""
PROJECT = """[project.urls]
Homepage = "https://o.github.io/book/"
Repository = "https://github.com/o/book"
Issues = "https://github.com/o/book/issues"
Changelog = "https://github.com/o/book/blob/main/CHANGELOG.md"
"""


@pytest.fixture
def book(tmp_path):
    """A small book, at https://github.com/o/book, in which everything follows."""
    (tmp_path / "_config.yml").write_text(CONFIG)
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "CITATION.cff").write_text(
        "title: a book\nrepository-code: https://github.com/o/book\n"
    )
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_markdown_cell("# T", id="t"),
        nbformat.v4.new_code_cell("1", id="one"),
    ]
    (tmp_path / "chapters").mkdir()
    text = address.with_colab_cell(
        nbformat.writes(notebook), "https://github.com/o/book"
    )
    (tmp_path / "chapters" / "a.ipynb").write_text(text)
    return tmp_path


def contents(root):
    return {path: path.read_text() for path in root.rglob("*") if path.is_file()}


def test_everything_in_this_repository_follows_its_address(capsys):
    assert address.main(["--check"]) == 0, capsys.readouterr().out


def test_the_new_address_is_written_everywhere_and_only_there(book, capsys):
    assert address.main(["--check"], book) == 0
    assert address.main([NEW], book) == 0
    written = capsys.readouterr().out.split("\n")
    assert (
        written[-2] == "_config.yml written"
    )  # last, so that a run that was stopped can be run again
    readme = (book / "README.md").read_text()
    assert "gh/you/your.fork/main" in readme
    assert "github/you/your.fork/blob" in readme
    assert (
        "https://you.github.io/your.fork/ Code: https://github.com/you/your.fork. Clone"
        in readme
    )
    assert "https://github.com/you/your.fork.git," in readme
    for other in (
        "o/bookshelf",
        "o/book.js",
        "else/thing",
        "https://o.github.io/books/",
    ):
        assert other in readme
    assert address.address(book) == NEW
    assert "https://else.org" in (book / "_config.yml").read_text()
    assert address.main(["--check"], book) == 0


def test_writing_back_gives_the_same_book(book):
    before = contents(book)
    address.main([NEW], book)
    assert contents(book) != before
    address.main(["https://github.com/o/book"], book)
    assert contents(book) == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("README.md", "gh/o/book", "gh/o/other"),
        ("README.md", "google.com/github/o/book", "google.com/github/p/book"),
        ("CITATION.cff", "o/book", "o/other"),
        ("pyproject.toml", "https://o.github.io/book/", "https://p.github.io/b/"),
        ("pyproject.toml", '"https://github.com/o/book"', '"https://github.com/p/b"'),
        ("pyproject.toml", "o/book/issues", "p/book/issues"),
        ("pyproject.toml", "o/book/blob", "p/book/blob"),
        (
            "chapters/a.ipynb",
            "git+https://github.com/o/book",
            "git+https://github.com/p/book",
        ),
        ("chapters/a.ipynb", "import importlib.util", "import this"),
    ],
)
def test_what_strayed_is_listed_by_check_and_mended_by_writing(
    book, capsys, name, old, new
):
    path = book / name
    good = path.read_text()
    path.write_text(good.replace(old, new))
    assert address.main(["--check"], book) == 1
    assert capsys.readouterr().out == f"{name} does not follow\n"
    assert path.read_text() == good.replace(old, new)
    assert address.main(["https://github.com/o/book"], book) == 0
    assert path.read_text() == good


@pytest.mark.parametrize(
    "url",
    [
        "",
        "you/fork",
        "http://github.com/a/b",
        "https://gitlab.com/a/b",
        "https://github.com/a",
        "https://github.com/a/b c",
        "https://github.com/a/b/tree/main",
        "https://github.com/a/b\nx: y",
    ],
)
def test_a_bad_address_is_one_line_and_nothing_is_written(book, capsys, url):
    before = contents(book)
    assert address.main([url], book) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert contents(book) == before


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/a/b/",
        "https://github.com/a/b.git",
        " https://github.com/a/b",
    ],
)
def test_an_address_has_one_form(url):
    assert address.parse(url) == "https://github.com/a/b"


def test_a_notebook_without_the_colab_cell_gets_it_before_its_code(book):
    path = book / "chapters" / "a.ipynb"
    notebook = nbformat.read(path, as_version=4)
    del notebook.cells[1]
    nbformat.write(notebook, path)
    address.main(["https://github.com/o/book"], book)
    cells = nbformat.read(path, as_version=4).cells
    assert [cell.id for cell in cells] == ["t", "colab", "one"]
    assert cells[1].source == address.colab_cell("https://github.com/o/book")
    assert "colab" in cells[1].metadata.tags


def test_a_book_without_an_address_is_told_where_it_belongs(book, capsys):
    (book / "_config.yml").write_text("title: a book\n")
    assert address.main([NEW], book) == 1
    assert "_config.yml has no `repository: url:" in capsys.readouterr().err


def test_the_colab_cell_installs_nothing_where_the_package_is(monkeypatch):
    from IPython.core.interactiveshell import InteractiveShell

    ran = []
    shell = InteractiveShell()
    monkeypatch.setattr(
        shell, "run_line_magic", lambda name, line, **more: ran.append(line)
    )
    shell.run_cell(address.colab_cell(NEW)).raise_error()
    assert not ran
    shell.run_cell(
        address.colab_cell(NEW).replace('"attention_book"', '"no_such_package"')
    ).raise_error()
    assert ran == [f"install -q git+{NEW}"]
