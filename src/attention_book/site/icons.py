"""The icons that the pages use, and no others: the theme brings 270 kB of them.

What is kept goes into the theme's stylesheet, fonts and all, so that no page waits for
a font file to show a dozen icons. Names are looked for in pages and scripts; an icon
that the theme does not have is a warning.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from pathlib import Path

import pydata_sphinx_theme
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx
from sphinx.util import logging

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme"
SHEET = Path("styles") / "pydata-sphinx-theme.css"
FONTS = Path("vendor") / "fontawesome" / "webfonts"
_NAME = re.compile(r"\bfa-[a-z0-9-]+")
_ICON = re.compile(
    r'(?P<names>\.fa-[\w-]+:before(?:,\.fa-[\w-]+:before)*)\{content:"\\(?P<code>\w+)"\}'
)
_CONTENT = re.compile(r'content:"\\([ef][0-9a-f]{3})"')
_FACE = re.compile(r"src:url\([^)]*/(?P<font>fa-[\w-]+)\.woff2\)[^;}]*")
_log = logging.getLogger(__name__)


def setup_icons(app: Sphinx) -> None:
    """Reduce the theme's icons when all pages are written."""
    app.connect("build-finished", keep_used_icons, priority=950)  # scripts are dropped


def keep_used_icons(app: Sphinx, error: Exception | None) -> None:
    """Write the theme's stylesheet with the icons in use, and drop its font files."""
    if error is None and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        pages = [*Path(app.outdir).rglob("*.html"), *static.rglob("*.js")]
        texts = [p.read_text("utf-8") for p in pages if p.name != "fontawesome.js"]
        names = {name for text in texts for name in _NAME.findall(text)}
        sheets = [path for path in static.rglob("*.css") if path != static / SHEET]
        others = "".join(path.read_text("utf-8") for path in sheets)
        sheet, unknown = reduced(
            (THEME / "static" / SHEET).read_text("utf-8"), names, others
        )
        (static / SHEET).write_text(sheet, "utf-8")
        for name in unknown:
            _log.warning("the theme has no icon %r", name, type="attention")
        for font in (static / FONTS).glob("*"):
            font.unlink()


def reduced(sheet: str, names: set[str], others: str = "") -> tuple[str, list[str]]:
    """Keep the rules and glyphs of some icons of the theme's stylesheet, and put its
    icon fonts inside.

    Parameters
    ----------
    names : set of str
        Classes in use, such as "fa-rocket"; those that only size or turn an icon too.
    others : str
        Other stylesheets, which may show an icon by its code.

    Returns
    -------
    (str, list of str)
        The stylesheet, and the names it does not know.
    """
    codes = set(_CONTENT.findall(others)) | set(_CONTENT.findall(_ICON.sub("", sheet)))

    def kept(match: re.Match) -> str:
        if names.isdisjoint(_NAME.findall(match["names"])):
            return ""
        codes.add(match["code"])
        return match[0]

    unknown = [name for name in names if not re.search(rf"\.{name}(?![\w-])", sheet)]
    sheet = _ICON.sub(kept, sheet)
    faces = _FACE.sub(lambda match: _face(match["font"], codes), sheet)
    return faces, sorted(unknown)


def _face(name: str, codes: Iterable[str]) -> str:
    font = TTFont(THEME / "static" / FONTS / f"{name}.ttf")
    subset = Subsetter(Options(drop_tables=["FFTM"], hinting=False))
    subset.populate(unicodes=[int(code, 16) for code in codes])
    subset.subset(font)
    font.flavor = "woff"
    written = io.BytesIO()
    font.save(written)
    data = base64.b64encode(written.getvalue()).decode()
    return f'src:url(data:font/woff;base64,{data}) format("woff")'
