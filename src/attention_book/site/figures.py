"""Figures carry their caption and alternative text in their own output; the site makes
of them pictures in files, with a number, as it does of any other figure.
"""

from __future__ import annotations

import hashlib
import os
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from sphinx.application import Sphinx

# what attention_book.plots.Figure writes
_FIGURE = re.compile(
    r'<figure class="captioned" id="(?P<name>[^"]*)"[^>]*>'
    r'<img alt="(?P<alt>[^"]*)"[^>]* src="data:image/svg\+xml,(?P<svg>[^"]*)">'
    r"<figcaption>(?P<caption>.*?)</figcaption></figure>",
    re.S,
)
_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"')
_STYLED = re.compile(r'(<img [^>]*?)style="width: (\d+)px; height: (\d+)px;"')
_INLINE = re.compile(r"<(code|em)>(.*?)</\1>")  # all that a caption may hold
_NODES = {"code": nodes.literal, "em": nodes.emphasis}


def setup_figures(app: Sphinx) -> None:
    """Lift the figures of a page before Sphinx collects its pictures, and keep their
    place free while these load.
    """
    app.connect("doctree-read", lift_figures, priority=400)
    app.connect("html-page-context", _keep_place)


def lift_figures(app: Sphinx, doctree: nodes.document) -> None:
    """Write each figure's picture to a file, and show that with caption and number."""
    folder = Path(app.doctreedir) / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    page = Path(app.env.doc2path(app.env.docname)).parent
    for node in list(doctree.findall(nodes.raw)):
        if match := _FIGURE.fullmatch(node.astext().strip()):
            svg = unquote(match["svg"])
            name = f"{match['name']}-{hashlib.sha256(svg.encode()).hexdigest()[:12]}"
            path = folder / f"{name}.svg"
            path.write_text(svg, encoding="utf-8")
            uri = Path(os.path.relpath(path, page)).as_posix()
            figure = nodes.figure(
                "",
                nodes.image("", uri=uri, alt=unescape(match["alt"]), **_size(svg)),
                nodes.caption("", "", *_inline(match["caption"])),
                ids=[unescape(match["name"])],
                align="default",
            )
            doctree.note_explicit_target(figure)
            node.replace_self(figure)


def _size(svg: str) -> dict[str, str]:
    """Its width and height in pixels; a point is 4/3 of one."""
    if not (match := _SIZE.search(svg)):
        raise ValueError(f"svg is {svg[:200]!r}, expected width and height in points")
    width, height = (str(round(float(side) * 4 / 3)) for side in match.groups())
    return {"width": width, "height": height}


def _keep_place(app: Sphinx, page: str, template: str, context: dict, _: Any) -> None:
    """Sizes as attributes: a browser knows the shape before the picture has come, and
    may draw it narrower. Docutils writes them as a style, which holds them fast.
    """
    if "body" in context:
        context["body"] = _STYLED.sub(r'\1width="\2" height="\3"', context["body"])


def _inline(html: str) -> list[nodes.Node]:
    """A caption as nodes: one of raw HTML would have no number."""
    cut = _INLINE.split(html)  # words, tag, words, words, tag, ...
    found: list[nodes.Node] = []
    for i in range(0, len(cut), 3):
        found.append(nodes.Text(unescape(cut[i])))
        if i + 1 < len(cut):
            words = unescape(cut[i + 2])
            found.append(_NODES[cut[i + 1]]("", words))
    return found
