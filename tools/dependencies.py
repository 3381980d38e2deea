"""What the outputs of a notebook depend on besides its own code, as a compiler's
`-MD` does it: the files of the package that its execution used, the pins and Python.

A notebook's record in the cache carries {name: hash}. A name that ends with a slash is
a folder whose contents were listed, and stands for the names below it. JavaScript and
CSS are left out: the site takes its own copies, and no output is computed from them.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

PINS, PACKAGE = "requirements.txt", "src/attention_book"
NO_SOURCES = (".css", ".js", ".mjs")
UNSEEN = ".safetensors"  # opened by compiled code, which tells Python nothing


def hashes(root: Path) -> dict[str, str]:
    """The hash of every file an execution can depend on, by its path in the book."""
    version = f"{sys.version_info[:2]}".encode()
    found = {PINS: _hash(version + (root / PINS).read_bytes())}
    for path in sorted((root / PACKAGE).rglob("*")):
        if path.is_file() and (name := _name(path, root)):
            found[name] = _hash(path.read_bytes())
    return found


def used(
    opened: Iterable[str], walked: Iterable[str], root: Path, now: dict[str, str]
) -> dict[str, str]:
    """The record of an execution: hashes from before it of what it opened and walked.

    A file that is not there has an empty hash.
    """
    names = {_name(path, root) for path in opened}
    folders = {name.rpartition("/")[0] for name in names if name}
    names |= {
        name
        for name in now
        if name.endswith(UNSEEN) and name.rpartition("/")[0] in folders
    }
    names |= {f"{name}/" for path in walked if (name := _name(path, root))}
    return {name: _value(name, now) for name in sorted({PINS, *names} - {""})}


def changed(record: dict[str, str], now: dict[str, str]) -> list[str]:
    """Names in a record whose files are no longer those it was made with."""
    return [name for name in record if record[name] != _value(name, now)]


def _value(name: str, now: dict[str, str]) -> str:
    if not name.endswith("/"):
        return now.get(name, "")
    return _hash(
        "\0".join(sorted(each for each in now if each.startswith(name))).encode()
    )


def _name(path: str | Path, root: Path) -> str:
    """Path within the book of a file that outputs can depend on, else empty."""
    resolved, package = Path(path).resolve(), (root / PACKAGE).resolve()
    if not resolved.is_relative_to(package) or "__pycache__" in resolved.parts:
        return ""
    if resolved.suffix in NO_SOURCES:
        return ""
    return (Path(PACKAGE) / resolved.relative_to(package)).as_posix()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
