"""A figure with its caption and its alternative text, wherever a notebook is opened.

Both stand in the chapter's `figures.toml`, by the figure's name; the picture, the words
below it and those for a reader who cannot see it travel together in the cell's output.
"""

from __future__ import annotations

import io
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

import matplotlib.pyplot as plt

from attention_book.chapter_files import chapter_file
from attention_book.prose import as_html, check_said

TEXTS = {"caption", "alt"}
SAFE = " =:;/,.()'-_!*~?@$+"  # of an SVG, what an address in quotes may hold as it is


@dataclass(frozen=True)
class Figure:
    """A picture that a notebook shows; `figures` makes them."""

    name: str  # its anchor on the page
    caption: str
    alt: str  # the same for somebody who cannot see it
    svg: str

    def __repr__(self) -> str:
        return f"{self.caption} ({self.alt})"

    def _repr_html_(self) -> str:
        return (
            f'<figure class="captioned" id="{escape(self.name)}" style="margin: 0">'
            f'<img alt="{escape(self.alt)}" style="max-width: 100%" '
            f'src="data:image/svg+xml,{quote(self.svg, safe=SAFE)}">'
            f"<figcaption>{as_html(self.caption)}</figcaption></figure>"
        )


def figures(where: str | Path) -> Callable[[str], Figure]:
    """Read a chapter's captions: `figure = figures("attention")`.

    What comes back takes the figure that was drawn last, closes it, and gives it the
    caption and the alternative text of that name: `figure("lengths")`.

    Parameters
    ----------
    where : str or Path
        A chapter's name, or a TOML file: a table for each figure, with `caption` and
        `alt`.
    """
    path = chapter_file(where, "figures.toml")
    texts = tomllib.loads(path.read_text(encoding="utf-8"))
    place = f"{path.parent.name}/{path.name}"
    for name, given in texts.items():
        if not isinstance(given, Mapping) or set(given) != TEXTS:
            raise ValueError(f"{place}: {name!r} is {given!r:.80}: expected {TEXTS}")
        for key, text in given.items():
            check_said(f"{place}: {key} of {name!r}", text)

    def figure(name: str) -> Figure:
        """Show the figure that was drawn last, with its caption."""
        if name not in texts:
            known = ", ".join(map(repr, texts))
            raise ValueError(f"name is {name!r}: {place} has {known}")
        if not plt.get_fignums():
            raise ValueError(f"nothing has been drawn for {name!r}: plot first")
        svg = io.StringIO()
        with plt.rc_context({"svg.hashsalt": name}):  # the same picture, the same bytes
            plt.savefig(svg, format="svg", bbox_inches="tight", metadata={"Date": None})
        plt.close()
        return Figure(name, **texts[name], svg=svg.getvalue())

    return figure
