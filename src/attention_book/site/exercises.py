"""Exercises are plain headings, "Exercise 2: One step · level 2"; the site puts each
exercise's text in a box.

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


def slug(title: str) -> str:
    """Make a heading's anchor as Jupyter does: a hyphen for each blank."""
    return title.replace(" ", "-")


def setup_exercises(app: Sphinx) -> None:
    """Box the exercises of a page as soon as it is read."""
    app.connect("doctree-read", box_exercises)


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


def _is_past_the_text(node: nodes.Node) -> bool:
    is_cell = "cell" in node.get("classes", [])
    return is_cell or (isinstance(node, nodes.raw) and FOLD in node.astext())
