"""Write the repository's address, or check it. It stands in `_config.yml` (`repository:
url`); the rest follows.

What follows: the Colab cell of every notebook, launch links and badges, `CITATION.cff`,
the package's metadata, and every other mention of the address.

    python tools/address.py https://github.com/you/your-fork
    python tools/address.py --check
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import nbformat
from fold_cells import fold, titled

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = re.compile(
    r"https://github\.com/(?P<slug>[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]*[A-Za-z0-9_-])"
)
STANDS_IN = re.compile(
    rf"^repository:\n(?:[ #].*\n)*?  url: (?P<url>{ADDRESS.pattern})$", re.MULTILINE
)
FOLLOWERS = (
    "*.md",
    "*.cff",
    "*.toml",
    "_config.yml",
    "*.ipynb",
    "chapters/*.ipynb",
    "pages/*",
    ".github/**/*.*",
)
# These are ours whatever repository they name; other links to GitHub are left alone
# unless they name the old address.
OURS = re.compile(
    r"""(?P<before>mybinder\.org/v2/gh/|colab\.research\.google\.com/github/|git\+https://github\.com/
    |repository-code:\ https://github\.com/
    |(?:Repository|Issues|Changelog)\ =\ "https://github\.com/)
    (?P<slug>[\w-]+/[\w.-]*[\w-])""",
    re.VERBOSE,
)
PAGES = "https://{}.github.io/{}"
HOMEPAGE = re.compile(r'(?<=Homepage = ")https://[\w-]+\.github\.io/[\w.-]*[\w-]')
COLAB_CELL = """\
# torch and NumPy stay as they are
import importlib.util

if importlib.util.find_spec("attention_book") is None:
    %pip install -q git+{url}"""


def address(root: Path) -> str:
    """The repository's address, from `_config.yml`."""
    found = STANDS_IN.search((root / "_config.yml").read_text(encoding="utf8"))
    if not found:
        raise ValueError(
            "_config.yml has no `repository: url: https://github.com/OWNER/NAME`"
        )
    return found["url"]


def parse(url: str) -> str:
    """The address in its one form, without a final slash or `.git`."""
    plain = url.strip().removesuffix("/").removesuffix(".git")
    if not ADDRESS.fullmatch(plain):
        raise ValueError(
            f"{url!r} is not an address like https://github.com/you/your-fork"
        )
    return plain


def colab_cell(url: str) -> str:
    """Source of the first code cell of every notebook."""
    return titled("colab", COLAB_CELL.format(url=url))


def rewritten(text: str, old: str, new: str) -> str:
    """The text with each mention of the old address, and our own links, renamed."""
    old, new = ADDRESS.fullmatch(old)["slug"], ADDRESS.fullmatch(new)["slug"]
    text = OURS.sub(lambda match: match["before"] + new, text)
    text = re.sub(
        rf"(?<=github\.com/){re.escape(old)}(?![\w-]|\.(?!git\b)\w)", new, text
    )
    old_pages, new_pages = (PAGES.format(*each.split("/")) for each in (old, new))
    text = HOMEPAGE.sub(new_pages, text)
    return re.sub(re.escape(old_pages) + r"(?![\w-]|\.\w)", new_pages, text)


def with_colab_cell(text: str, url: str) -> str:
    """A notebook's text with the Colab cell, tagged `colab`, as its first code cell."""
    notebook = nbformat.reads(text, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if code and "colab" in code[0].metadata.get("tags", []):
        cell = code[0]
    else:
        place = notebook.cells.index(code[0]) if code else len(notebook.cells)
        cell = nbformat.v4.new_code_cell(id="colab", metadata={"tags": ["colab"]})
        notebook.cells.insert(place, cell)
    cell.source = colab_cell(url)
    fold(cell)
    return nbformat.writes(notebook) + "\n"


def changes(root: Path, new: str) -> dict[Path, str]:
    """Every file that does not follow the address `new`, with its proper text."""
    old, wanted = address(root), {}
    for path in sorted(
        {path for pattern in FOLLOWERS for path in root.glob(pattern) if path.is_file()}
    ):
        try:
            text = path.read_text(encoding="utf8")
        except UnicodeDecodeError:  # a picture
            continue
        after = rewritten(text, old, new)
        if path.suffix == ".ipynb":
            after = with_colab_cell(after, new)
        if after != text:
            wanted[path] = after
    return wanted


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Write or check; 1, with a line for each thing that is wrong, if any is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", default="")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, list what does not follow"
    )
    asked = parser.parse_args(arguments)
    try:
        new = address(root) if asked.check else parse(asked.url)
        wanted = changes(root, new)
    except ValueError as error:
        print(f"address: {error}", file=sys.stderr)
        return 1
    for path, text in sorted(
        wanted.items(), key=lambda item: item[0].name == "_config.yml"
    ):  # last: the rest needs it
        print(
            f"{path.relative_to(root)} "
            f"{'does not follow' if asked.check else 'written'}"
        )
        if not asked.check:
            path.write_text(text, encoding="utf8")
    return int(asked.check and bool(wanted))


if __name__ == "__main__":
    sys.exit(main())
