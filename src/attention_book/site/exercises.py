"""Exercises are plain headings, "Exercise 2: One step · level 2"; the site puts each
exercise's text in a box. It folds what stands under "Closer look: Greedy, or a beam?".

`slug` gives headings the anchors that Jupyter gives them, so that a link to an exercise
leads there on the site, in JupyterLab and in an exported notebook.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

HEADING = re.compile(
    r"Exercise (?P<number>\d+): (?:(?P<bug>Find the bug)|.+ · level (?P<level>[123]))"
)
FOLD = "<details"
CLOSER_LOOK = "Closer look: "


def slug(title: str) -> str:
    """Make a heading's anchor as Jupyter does: a hyphen for each blank."""
    return title.replace(" ", "-")


def setup_exercises(app: Sphinx) -> None:
    """Box the exercises of a page as it is read; fold its closer looks at the end.

    Before the end, a section begins with its title: Sphinx takes the contents from it.
    """
    app.connect("doctree-read", box_exercises)
    app.connect("doctree-resolved", fold_closer_looks)


def box_exercises(app: Sphinx, doctree: nodes.document) -> None:
    """Put the text of each exercise, up to its cell or its first hint, in a box."""
    for section in doctree.findall(nodes.section):
        title, *rest = section.children
        if HEADING.fullmatch(title.astext()):
            section["classes"].append("exercise")
            ends = (i for i, node in enumerate(rest) if _is_past_the_text(node))
            text = rest[: next(ends, len(rest))]
            box = nodes.container("", *text, classes=["exercise-text"])
            section.children[:] = []
            section.extend([title, box, *rest[len(text) :]])


def fold_closer_looks(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Fold each closer look; its title stays in sight."""
    for section in doctree.findall(nodes.section):
        title, *rest = section.children
        if title.astext().startswith(CLOSER_LOOK):
            section.children[:] = []
            section.extend([_raw(f'{FOLD} class="closer-look"><summary>'), title])
            section.extend([_raw("</summary>"), *rest, _raw("</details>")])


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def _is_past_the_text(node: nodes.Node) -> bool:
    is_cell = "cell" in node.get("classes", [])
    return is_cell or (isinstance(node, nodes.raw) and FOLD in node.astext())
