"""Text that everybody has: the documentation strings of Python's standard library.

They are read from the reader's own files, so they differ a little from one version of
Python to the next: `checksum` tells.
"""

import ast
import hashlib
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from zlib import crc32

Strings = tuple[str, ...]

TESTS = {"test", "tests", "idle_test"}  # folders
DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
# A module, or a string of the others, is held out by the checksum of its name or text.
SHARE = 16  # one of so many
HELD_OUT = {"modules": 2, "development": 3}
STRINGS = 4


@cache
def docstrings() -> Mapping[str, Strings]:
    """Collect the strings of each module, or package, of this Python's library."""
    home = Path(sysconfig.get_path("stdlib"))
    found = {
        name: tuple(
            chain.from_iterable(
                _strings(ast.parse(path.read_bytes()))
                for path in (home / f"{name}.py", *sorted((home / name).rglob("*.py")))
                if path.is_file() and TESTS.isdisjoint(path.relative_to(home).parts)
            )
        )
        for name in sorted(sys.stdlib_module_names)
    }
    return {name: strings for name, strings in found.items() if strings}


def _strings(node: ast.AST) -> Iterator[str]:
    if isinstance(node, DOCUMENTED) and (string := ast.get_docstring(node)):
        yield string
    for part in ("body", "orelse", "handlers", "finalbody"):
        for inner in getattr(node, part, ()):
            yield from _strings(inner)


@cache
def splits() -> Mapping[str, Strings]:
    """Split them: whole "modules" held out, others for "development", and of the rest
    "strings" held out, and those to "train" on. No string is on two sides.
    """
    found: dict[str, dict[str, None]] = {
        name: {} for name in ("train", "strings", *HELD_OUT)
    }
    side_of = {rest: name for name, rest in HELD_OUT.items()}
    for module, strings in docstrings().items():
        side = side_of.get(_checksum(module))
        for string in strings:
            inside = "strings" if _checksum(string) == STRINGS else "train"
            found[side or inside].setdefault(string)
    known = found["train"].keys() | found["strings"].keys()
    return {
        name: tuple(s for s in some if name not in HELD_OUT or s not in known)
        for name, some in found.items()
    }


def _checksum(text: str) -> int:
    return crc32(text.encode()) % SHARE


@cache
def checksum() -> str:
    """Tell one version of the text from another."""
    text = "\0".join(chain.from_iterable(splits().values()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
