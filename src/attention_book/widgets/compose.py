"""Joins the small ES modules of `js/` into one script.

It is a module for a kernel's front end and a plain script for a page: anywidget loads a
single module, and a page opened from a file may not load modules at all. So modules
follow one another in one scope, each after those it imports; names at the top of two
modules must differ. Comments and indentation go, a quarter of the bytes on the wire;
nothing is kept on disk.

Of import and export only the forms that `js/` uses are known. Any other is refused: a
browser would say it less clearly, or not at all.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import \{ (?P<names>\w+(?:, \w+)*) \} from "(?P<path>[^"]+)";$')
_EXPORT = re.compile(r"^export (?P<rest>(?:const|function|class) (?P<name>\w+)\b.*)$")
_TOP = re.compile(r"(?:export )?(?:async )?(?:const|let|function|class) (?P<name>\w+)")
_ANY = re.compile(r"^\s*(?:import|export)\b|\bimport\s*[.(]")
_COMMENT = re.compile(r"(?:^|\s+)// .*$")
_QUOTES = re.compile(r"[\"'`]")


class Joined(NamedTuple):
    """A module's text, what it exports, and every name at its top."""

    text: str
    exported: list[str]
    own: set[str]


BEGUN = Joined("", [], set())


def link(path: Path, done: dict[Path, Joined]) -> dict[Path, Joined]:
    """Add a module below `js/` to `done`, after everything it imports.

    `done` holds modules in the order in which they run.
    """
    if path in done:
        return done
    body, exported, own = [], [], set()
    done[path] = BEGUN
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        code = _without_comment(line, where)
        if found := _IMPORT.match(code):
            _follow(path, found, done, where)
            continue
        if found := _EXPORT.match(code):
            exported.append(found["name"])
            code = found["rest"]
        elif _ANY.search(code):
            raise ValueError(
                f"{where}: {code.strip()!r} is no import or export that can be joined; "
                'expected import { a, b } from "./c.mjs"; or export const, function or '
                "class, each on a line of its own"
            )
        if found := _TOP.match(line):
            own.add(found["name"])
        body += [code] if code else []
    del done[path]  # to its place behind what it imports
    for other, joined in done.items():
        if twice := own & joined.own:
            raise ValueError(f"{path.name} and {other.name} both have {min(twice)!r}")
    done[path] = Joined("\n".join([*body, ""]), exported, own)
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


def _follow(path: Path, found: re.Match, done: dict[Path, Joined], where: str) -> None:
    """Link the module of an import, and check that it exports what is named."""
    target = (path.parent / found["path"]).resolve()
    if not target.is_file():
        raise ValueError(f"{where}: there is no module {found['path']!r}")
    if done.get(target) is BEGUN:
        raise ValueError(f"{where}: {target.name} imports {path.name}, in a circle")
    exported = link(target, done)[target].exported
    lost = [name for name in found["names"].split(", ") if name not in exported]
    if lost:
        raise ValueError(f"{where}: {target.name} does not export {lost[0]!r}")


def _joined(name: str) -> str:
    """Return a module below `js/` with all that it imports."""
    return "".join(each.text for each in link(HERE / "js" / name, {}).values())


@cache
def compose_engine() -> str:
    """Return the script of the worker in which networks run."""
    return '"use strict";\n' + _joined("engine/worker.mjs")


def engine_text() -> str:
    """Return that script as a text in JavaScript: a worker is started from it."""
    return json.dumps(compose_engine(), ensure_ascii=False)


def _carried(engine: bool = True) -> str:
    return f"const $engine = {engine_text() if engine else 'null'};\n"


@cache
def compose_module() -> str:
    """Return the ES module that anywidget loads."""
    return f"{_carried()}{_joined('widget.mjs')}export default {{ render }};\n"


@cache
def compose_script(engine: bool = True) -> str:
    """Return the script for a page: it brings every widget on it to life, once.

    Without `engine`, the page fetches `attention-engine.js` when a network is asked.
    """
    return f"""(() => {{
"use strict";
if (window.attentionWidgets) return window.attentionWidgets();
{_carried(engine)}{_joined("mount.mjs")}
window.attentionWidgets = () => mountAll(document);
window.attentionWidgets();
whenParsed(window.attentionWidgets);
}})();
"""


@cache
def stylesheet() -> str:
    """Return the widgets' CSS."""
    return (HERE / "widgets.css").read_text(encoding="utf-8")
