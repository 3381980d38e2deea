"""The Sphinx extension behind the static site: widgets that live, claims that are
collected, math that is ready.

One file a concern; a reader of the book never imports any of them.
"""

from __future__ import annotations

from sphinx.application import Sphinx

from attention_book.site.claims import setup_claims
from attention_book.site.math import setup_math
from attention_book.site.theme import setup_theme
from attention_book.site.widgets import setup_widgets


def setup(app: Sphinx) -> dict[str, object]:
    """Connect each part; Sphinx calls this, as ``_config.yml`` lists the package."""
    for part in (setup_math, setup_theme, setup_widgets, setup_claims):
        part(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
