"""Joins the small ES modules of `js/` into one script.

It is a module for a kernel's front end and a plain script for a page: anywidget loads a
single module, and a page opened from a file may not load modules at all. So each module
becomes a function in a scope of its own, run after those it imports. Comments and
indentation go, a quarter of the bytes on the wire; nothing is kept on disk.

Of import and export only the forms that `js/` uses are known. Any other is refused: a
browser would say it less clearly, or not at all.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import \{ (?P<names>\w+(?:, \w+)*) \} from "(?P<path>[^"]+)";$')
_EXPORT = re.compile(r"^export (?P<rest>(?:const|function|class) (?P<name>\w+)\b.*)$")
_ANY = re.compile(r"^\s*(?:import|export)\b|\bimport\s*[.(]")
_COMMENT = re.compile(r"(?:^|\s+)// .*$")
_QUOTES = re.compile(r"[\"'`]")


def link(path: Path, done: dict[Path, str]) -> dict[Path, str]:
    """Add a module below `js/` to `done` as a function, after everything it imports.

    `done` holds each module's function, in the order in which they run.
    """
    if path in done:
        return done
    body, exported = [], []
    done[path] = ""  # begun
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        code = _without_comment(line, where)
        if found := _IMPORT.match(code):
            code = _linked(path, found, done, where)
        elif found := _EXPORT.match(code):
            exported.append(found["name"])
            code = found["rest"]
        elif _ANY.search(code):
            raise ValueError(
                f"{where}: {code.strip()!r} is no import or export that can be joined; "
                'expected import { a, b } from "./c.mjs"; or export const, function or '
                "class, each on a line of its own"
            )
        body += [code] if code else []
    del done[path]  # to its place behind what it imports
    inside = "\n".join(body)
    done[path] = (
        f"const {_name(path)} = (() => {{\n{inside}\n"
        f"return {{ {', '.join(exported)} }};\n}})();\n"
    )
    return done


def _without_comment(line: str, where: str) -> str:
    found = _COMMENT.search(line)
    if found is None:
        return line.strip()
    code = line[: found.start()]
    if len(_QUOTES.findall(code)) % 2:
        raise ValueError(
            f"{where}: ' // ' stands in a text, where it would be taken for a comment"
        )
    return code.strip()


def _linked(path: Path, found: re.Match, done: dict[Path, str], where: str) -> str:
    """Write an import as constants taken from the module's function."""
    target = (path.parent / found["path"]).resolve()
    if not target.is_file():
        raise ValueError(f"{where}: there is no module {found['path']!r}")
    if done.get(target) == "":
        raise ValueError(f"{where}: {target.name} imports {path.name}, in a circle")
    link(target, done)
    exported = done[target].rpartition("return { ")[2].partition(" }")[0].split(", ")
    lost = [name for name in found["names"].split(", ") if name not in exported]
    if lost:
        raise ValueError(f"{where}: {target.name} does not export {lost[0]!r}")
    return f"const {{ {found['names']} }} = {_name(target)};"


def _name(path: Path) -> str:
    return "$" + "_".join(path.relative_to(HERE / "js").with_suffix("").parts)


@cache
def compose_engine() -> str:
    """Return the script of the worker in which networks run."""
    parts = link(HERE / "js" / "engine" / "worker.mjs", {}).values()
    return '"use strict";\n' + "".join(parts)


def engine_text() -> str:
    """Return that script as a text in JavaScript: a worker is started from it."""
    return json.dumps(compose_engine(), ensure_ascii=False)


def _carried(engine: bool = True) -> str:
    return f"const $engine = {engine_text() if engine else 'null'};\n"


@cache
def compose_module() -> str:
    """Return the ES module that anywidget loads."""
    parts = link(HERE / "js" / "widget.mjs", {}).values()
    joined = _carried() + "".join(parts)
    return joined + "export default { render: $widget.render };\n"


@cache
def compose_script(engine: bool = True) -> str:
    """Return the script for a page: it brings every widget on it to life, once.

    Without `engine`, the page fetches `attention-engine.js` when a network is asked.
    """
    parts = "".join(link(HERE / "js" / "mount.mjs", {}).values())
    return f"""(() => {{
"use strict";
if (window.attentionWidgets) return window.attentionWidgets();
{_carried(engine)}{parts}window.attentionWidgets = () => $mount.mountAll(document);
window.attentionWidgets();
$mount.whenParsed(window.attentionWidgets);
}})();
"""


@cache
def stylesheet() -> str:
    """Return the widgets' CSS."""
    return (HERE / "widgets.css").read_text(encoding="utf-8")
