"""Fold a notebook's cells alike wherever it is opened, by one rule from their tags.

    python tools/fold_cells.py chapters/*.ipynb
    python tools/fold_cells.py --check chapters/*.ipynb

JupyterLab hides a source by `jupyter.source_hidden`, Colab by `cellView: form` below a
`# @title`, the site by a tag of its own. What a solution prints is folded by
`attention_book.reading.solution`, in the output itself: VS Code and nbconvert know no
tag, and Colab shows every output that a run brings. A heading "Closer look: ..." is
collapsed with all that stands under it.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat

TITLE = re.compile(r"# @title .*\n?")


@dataclass(frozen=True)
class Fold:
    """How a tag's cells are folded: the tag for the site, the title for Colab."""

    site: str
    title: str = ""  # none: Colab shows the source


FOLDS = {
    "colab": Fold(
        "remove-cell", "Set up: fetches the book's package where it is missing"
    ),
    "solution": Fold("remove-input", "Solution"),
    "imports": Fold("hide-input"),
    "hide-input": Fold("hide-input"),
}
CLOSER_LOOK = re.compile(r"### Closer look: .+")
OPEN = {"imports"}  # in JupyterLab: one cell at the top shows what the notebook uses


def titled(rule: str | None, source: str) -> str:
    """A cell's source below the title that its tag asks for, or without one."""
    body = TITLE.sub("", source, count=1) if TITLE.match(source) else source
    title = FOLDS[rule].title if rule else ""
    return f"# @title {title}\n{body}" if title else body


def fold(cell: nbformat.NotebookNode) -> None:
    """Give a code cell the title and metadata that its tags ask for, and no others."""
    tags = cell.metadata.get("tags", [])
    rule = next((tag for tag in FOLDS if tag in tags), None)
    cell.source = titled(rule, cell.source)
    for name in ("jupyter", "cellView"):
        cell.metadata.pop(name, None)
    if rule and FOLDS[rule].site not in tags:
        cell.metadata["tags"] = sorted({*tags, FOLDS[rule].site})
    if rule and rule not in OPEN:
        cell.metadata["jupyter"] = {"source_hidden": True}
    if rule and FOLDS[rule].title:
        cell.metadata["cellView"] = "form"


def fold_closer_looks(notebook: nbformat.NotebookNode) -> None:
    """Collapse the closer looks' headings, in JupyterLab and in Colab."""
    closer = []
    for cell in notebook.cells:
        cell.metadata.pop("jp-MarkdownHeadingCollapsed", None)
        if cell.cell_type == "markdown" and CLOSER_LOOK.fullmatch(cell.source):
            cell.metadata["jp-MarkdownHeadingCollapsed"] = True
            closer.append(cell.id)
    notebook.metadata.pop("colab", None)
    if closer:
        notebook.metadata["colab"] = {"collapsed_sections": closer}


def folded(path: Path) -> str:
    """The text of a notebook with its cells folded as their tags and headings ask."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            fold(cell)
    fold_closer_looks(notebook)
    return nbformat.writes(notebook) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Fold, or with --check name the notebooks that are not, and return 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing")
    asked = parser.parse_args(arguments)
    late = [path for path in asked.notebooks if folded(path) != path.read_text("utf-8")]
    for path in late:
        if asked.check:
            print(
                f"{path}: cells not folded by their tags: `make fold`", file=sys.stderr
            )
        else:
            path.write_text(folded(path), "utf-8")
            print(path)
    return 1 if asked.check and late else 0


if __name__ == "__main__":
    sys.exit(main())
