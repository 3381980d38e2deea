"""What the theme needs to be ours: one stylesheet, no script that draws what a font
already draws, no chatter.

The theme's scripts tell the console what they do. A reader who opens the console, or a
test that does, should find it empty unless something is wrong, so those notes (never
warnings or errors) are taken out of the built copies.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

STATIC = Path(__file__).parent / "static"
# paper is white, whatever the screen is, and nobody can open a closer look on it
PRINT = """((page, shown, opened) => {
  const open = (some, is) => some.forEach((each) => { each.open = is; });
  addEventListener("beforeprint", () => {
    [shown, page.theme] = [page.theme, "light"];
    open(opened = document.querySelectorAll("details.closer-look:not([open])"), true);
  });
  addEventListener("afterprint", () => { page.theme = shown; open(opened, false); });
})(document.documentElement.dataset)"""
# what is above a place has its height only once it was near the screen; a link to the
# place lays out all of the page first
FOLLOW = """((root) => {
  const lay = (hash) => hash.length > 1 && root.classList.add("laid-out");
  lay(location.hash);
  addEventListener("click", ({ target }) => lay(target.closest("a")?.hash ?? ""), true);
})(document.documentElement)"""
_ENTRY_ROLE = re.compile(r'(<div class="citation" id="[^"]*") role="doc-biblioentry"')
_CHATTY = (
    "_static/scripts/pydata-sphinx-theme.js",
    "_static/scripts/sphinx-book-theme.js",
    "search.html",
)
_NOTE = re.compile(r"console\.(?:log|info|debug)\(")
# pydata-sphinx-theme loads Font Awesome twice: as a web font, which draws every icon,
# and as a script of 0.5 MB
_ICON_SCRIPT = re.compile(
    r"\s*<(script|link)\b[^>]*fontawesome\.js[^>]*?(?:></script>|/?>)"
)
# and the search engine with its index, which grows with the book, on every page, though
# only search.html runs it
_SEARCH_SCRIPTS = re.compile(
    r'\s*<script src="[^"]*\b(?:searchtools|language_data|searchindex)\.js[^"]*">'
    r"</script>"
)
# What the first screen does not need comes after it; what it needs is two scripts: one
# that the page itself calls, and the widgets', which come alive as they are parsed.
_BLOCKING = re.compile(
    r'<script (?=[^>]*src="(?![^"]*(?:documentation_options|attention-widgets)))'
    r"(?![^>]*\b(?:defer|async)\b)"
)


def setup_theme(app: Sphinx) -> None:
    """Add the stylesheet, and drop the theme's scripts where they are not needed."""
    app.add_css_file("book.css")
    app.add_js_file(None, body=PRINT)
    app.add_js_file(None, body=FOLLOW)
    app.connect("config-inited", _add_static)
    app.connect("html-page-context", _mend_roles)
    # after Jupyter Book wrote its bare redirect
    app.connect("build-finished", _finish, priority=900)


def _add_static(app: Sphinx, config: Config) -> None:
    config.html_static_path.append(str(STATIC))


def _mend_roles(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Mend the roles of references, and let folded code have the name that is seen."""
    if "body" in context:
        body = _ENTRY_ROLE.sub(r'\1 role="listitem"', context["body"])
        context["body"] = body.replace(' aria-label="Toggle hidden content"', "")


def _finish(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        _write_front_door(app, Path(app.outdir))
        _drop_scripts(Path(app.outdir))
        _silence_scripts(Path(app.outdir))


def _write_front_door(app: Sphinx, site: Path) -> None:
    """Send a visitor on to the first page, with a page that has a title and icon."""
    first = f"{app.config.root_doc}.html"
    icon = f"_static/{Path(app.config.html_favicon).name}"
    (site / "index.html").write_text(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{app.config.html_title}</title>"
        f'<link rel="icon" href="{icon}">'
        f'<meta http-equiv="refresh" content="0; url={first}"></head>'
        f'<body><a href="{first}">{app.config.html_title}</a></body></html>\n',
        encoding="utf8",
    )


def _drop_scripts(site: Path) -> None:
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf8")
        lighter = _ICON_SCRIPT.sub("", page)
        if path.name != "search.html":
            lighter = _BLOCKING.sub("<script defer ", _SEARCH_SCRIPTS.sub("", lighter))
        if lighter != page:
            path.write_text(lighter, encoding="utf8")


def _silence_scripts(site: Path) -> None:
    for name in _CHATTY:
        silent = _NOTE.sub("void(", (site / name).read_text(encoding="utf8"))
        (site / name).write_text(silent, encoding="utf8")
