"""Joins the small ES modules of `js/` into one script: a module for a kernel's front
end, a plain script for a page.

anywidget loads a single module, and a page opened from a file may not load modules at
all. So each module becomes a function in a scope of its own, run after those it
imports. Nothing is minified and nothing is kept on disk.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import (?P<names>\{[^}]*\}) from "(?P<path>[^"]+)";$', re.M)
_EXPORT = re.compile(r"^export (?P<kind>const|function|class) (?P<name>\w+)", re.M)

_MARGIN = re.compile(
    r"^(?:[ ]+|//.*\n)", re.M
)  # indentation and comments: a quarter of the bytes on the wire


def link(path: Path, done: dict[Path, str]) -> dict[Path, str]:
    """Add a module to `done` as a function, after everything it imports."""
    if path in done:
        return done
    source = path.read_text(encoding="utf-8")
    for found in _IMPORT.finditer(source):
        link((path.parent / found["path"]).resolve(), done)
    names = ", ".join(found["name"] for found in _EXPORT.finditer(source))
    body = _IMPORT.sub(
        lambda found: (
            f"const {found['names']} = "
            f"{_name((path.parent / found['path']).resolve())};"
        ),
        source,
    )
    body = _MARGIN.sub("", _EXPORT.sub(r"\g<kind> \g<name>", body))
    done[path] = (
        f"const {_name(path)} = (() => {{\n{body}return {{ {names} }};\n}})();\n"
    )
    return done


def _name(path: Path) -> str:
    return "$" + "_".join(path.relative_to(HERE / "js").with_suffix("").parts)


@cache
def compose_module() -> str:
    """Return the ES module that anywidget loads."""
    parts = link(HERE / "js" / "widget.mjs", {}).values()
    return "".join(parts) + "export default { render: $widget.render };\n"


@cache
def compose_script() -> str:
    """Return the classic script for a page: it brings every widget on the page to life, once."""
    parts = "".join(link(HERE / "js" / "mount.mjs", {}).values())
    return f"""(() => {{
"use strict";
if (window.attentionWidgets) return window.attentionWidgets();
{parts}window.attentionWidgets = () => $mount.mountAll(document);
$mount.whenParsed(window.attentionWidgets);
}})();
"""


@cache
def stylesheet() -> str:
    """Return the widgets' CSS."""
    return (HERE / "widgets.css").read_text(encoding="utf-8")
