"""The Sphinx extension behind the static site: what it makes of plain notebooks.

Widgets that live, claims that are collected, math that is ready; exercises in boxes,
figures in files, plumbing out of sight, lists of references.

One file a concern; a reader of the book never imports any of them.
"""

from __future__ import annotations

from sphinx.application import Sphinx

from attention_book.site.citations import setup_citations
from attention_book.site.claims import setup_claims
from attention_book.site.exercises import setup_exercises
from attention_book.site.figures import setup_figures
from attention_book.site.icons import setup_icons
from attention_book.site.math import setup_math
from attention_book.site.plumbing import setup_plumbing
from attention_book.site.theme import setup_theme
from attention_book.site.widgets import setup_widgets


def setup(app: Sphinx) -> dict[str, object]:
    """Connect each part; Sphinx calls this, as ``_config.yml`` lists the package."""
    for part in (
        setup_math,
        setup_theme,
        setup_icons,
        setup_widgets,
        setup_claims,
        setup_figures,
        setup_exercises,
        setup_plumbing,
        setup_citations,
    ):
        part(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
