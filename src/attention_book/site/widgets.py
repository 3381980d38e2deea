"""Mounts widgets on the static site: shared script and style, launch links, and
warnings for what would stay blank.

A page takes a widget's `text/html`, gives up the inline copy of the script, and loads
one script and one stylesheet for all its widgets; pages without widgets load nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from attention_book.widgets.compose import compose_script, engine_text, stylesheet
from attention_book.widgets.static import INLINE_CLOSE, INLINE_OPEN, safe_json

SCRIPT, STYLE = "attention-widgets.js", "attention-widgets.css"
ENGINE = "attention-engine.js"  # fetched when a page first asks a network
HOST = '<div class="aw-host"'
VIEW = "application/vnd.jupyter.widget-view+json"
CALL = "<script>window.attentionWidgets?.()</script>"  # it is parsed: bring it to life
_INLINE = re.compile(re.escape(INLINE_OPEN) + ".*?" + re.escape(INLINE_CLOSE), re.S)
_NETWORK = re.compile(
    r'<script type="application/json" data-attention-network="([^"]*)">(.*?)</script>',
    re.S,
)
CARRIED, PART = 50_000, 65_536  # letters of base64: on a page, in a file
_HOST = re.compile(r'data-attention-widget="([^"]*)"')
_log = logging.getLogger(__name__)


def setup_widgets(app: Sphinx) -> None:
    """Connect everything below to the build."""
    app.connect("config-inited", choose_html)
    app.connect("env-get-outdated", outdated_by_assets)
    app.connect("doctree-read", lift_widgets)
    app.connect("doctree-resolved", warn_of_blank_outputs)
    app.connect("env-check-consistency", warn_of_equal_links)
    app.connect("html-page-context", add_assets)


def choose_html(app: Sphinx, config: Config) -> None:
    """Prefer `text/html` to a live view and its scripts, and provide our assets."""
    folder = assets(app)
    write_assets(folder)
    config.html_static_path = [*config.html_static_path, str(folder)]
    html = ("html", "text/html", 5)
    config.nb_mime_priority_overrides = [*config.nb_mime_priority_overrides, html]
    config.nb_ipywidgets_js = {}


def write_assets(folder: Path) -> None:
    """Write the script, the engine that it fetches, and the stylesheet."""
    for name, text in {
        SCRIPT: compose_script(engine=False),
        ENGINE: f"window.attentionEngine = {engine_text()};\n",
        STYLE: stylesheet(),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")


def outdated_by_assets(
    app: Sphinx,
    env: BuildEnvironment,
    added: set[str],
    changed: set[str],
    removed: set[str],
) -> Iterable[str]:
    """Rebuild the pages with widgets when script or style changed."""
    now = hashlib.sha256((compose_script() + stylesheet()).encode()).hexdigest()
    before, env.attention_assets = getattr(env, "attention_assets", None), now
    pages = [doc for doc in env.all_docs if "attention_widgets" in env.metadata[doc]]
    return [] if before == now else pages


def lift_widgets(app: Sphinx, doctree: nodes.document) -> None:
    """Take off inline copies and saved live state; remember the widgets' names."""
    names: list[str] = []
    carried: dict[str, int] = {}
    found = False
    for node in doctree.findall(nodes.raw):
        text = node.astext()
        if node.get("format") == "html" and HOST in text:
            found = True
            names += _HOST.findall(text)
            stripped = _INLINE.sub(CALL, keep_networks(app, text, carried))
            node.rawsource = stripped
            node.children[:] = [nodes.Text(stripped)]
    if found:
        app.env.metadata[app.env.docname]["attention_widgets"] = names
    saved = getattr(app.env, "nb_metadata", {}).get(app.env.docname, {})
    saved.get("js_files", {}).pop("ipywidgets_state", None)


def keep_networks(app: Sphinx, text: str, carried: dict[str, int]) -> str:
    """Leave each network on a page once, as long as they are small together; write the
    others to files beside the script, which are fetched when a reader asks.

    `carried` has the letters on the page of each network met before. A file is a script
    that hands over a piece of the weights, so that a page opened from a disk can fetch
    it, too.
    """

    def kept(found: re.Match[str]) -> str:
        key, told = found[1], json.loads(found[2])
        if key in carried:
            return ""
        data = told["data"]
        fits = sum(carried.values()) + len(data) <= CARRIED
        carried[key] = len(data) * fits
        if fits:
            return found[0]
        folder = assets(app) / "networks"
        folder.mkdir(exist_ok=True)
        pieces = range(0, len(data), PART)
        for i, start in enumerate(pieces):
            piece = f'attentionNetwork("{key}",{i},"{data[start : start + PART]}");'
            (folder / f"{key}-{i}.js").write_text(piece, encoding="utf-8")
        state = {"program": told["program"], "parts": len(pieces)}
        return f"{found[0].partition('>')[0]}>{safe_json(state)}</script>"

    return _NETWORK.sub(kept, text)


def assets(app: Sphinx) -> Path:
    """The folder of what the build adds to `_static`."""
    folder = Path(app.doctreedir).resolve() / "attention_widgets"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def warn_of_blank_outputs(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Warn of an output that needs a kernel and has nothing to show without one."""
    for node in doctree.findall(nodes.raw):
        if app.builder.format == "html" and VIEW in node.astext():
            _log.warning(
                "an ipywidget would be blank on the static page; use "
                "attention_book.widgets (Widget, live)",
                location=docname,
                type="attention",
                subtype="blank",
            )


def warn_of_equal_links(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of two widgets on one page that share a name in the address."""
    kind = {"type": "attention", "subtype": "link"}
    for docname in env.all_docs:
        names = Counter(env.metadata[docname].get("attention_widgets", []))
        for name in sorted(name for name, n in names.items() if name and n > 1):
            _log.warning("two widgets have the link %r", name, location=docname, **kind)


def add_assets(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Load script and style on pages that have widgets, and on no others."""
    if "attention_widgets" in app.env.metadata.get(pagename, {}):
        app.add_js_file(SCRIPT)
        app.add_css_file(STYLE)
