"""Write the skeleton of a chapter: its notebook, its package, its tests, its entry in
`_toc.yml`. What comes out builds and passes every test; then it is yours to fill.

Where the package is there already, as its checks came first, its files stay.
"""

from __future__ import annotations

import argparse
import json
import keyword
import re
import subprocess
import sys
from pathlib import Path

from address import address, with_colab_cell

ROOT = Path(__file__).resolve().parent.parent
SKELETON = Path(__file__).resolve().parent / "skeleton"
NAME = re.compile(r"[a-z][a-z0-9_]{1,23}")
WANTED = "2 to 24 lower-case letters, digits and _"
ENTRY = re.compile(r"^ *- file: chapters/(\d\d)_(\w+)\n", re.M)


class Trouble(Exception):
    """Something the author can do something about; the message is one line."""


def plan(root: Path, stem: str, title: str, number: int | None) -> dict[Path, str]:
    """What to write, by its place under `root`; nothing is touched.

    Raises
    ------
    Trouble
        If the name or the number cannot be used, or such a chapter is there already.
    """
    if not NAME.fullmatch(stem) or keyword.iskeyword(stem):
        raise Trouble(f"NAME is {stem!r}: expected {WANTED}, such as two_streams")
    toc = (root / "_toc.yml").read_text("utf-8")
    there = {name: int(digits) for digits, name in ENTRY.findall(toc)}
    number = max(there.values(), default=0) + 1 if number is None else number
    if not 0 < number < 100:
        raise Trouble(f"NUMBER is {number}: expected 1 to 99")
    for name, taken in there.items():
        if name == stem or taken == number:
            raise Trouble(f"chapters/{taken:02}_{name}.ipynb is there: take another")
    names = {"skeleton-": stem.replace("_", "-") + "-", "skeleton": stem}
    names |= {"«title»": title, "«number»": str(number)}
    files = {
        Path("chapters", f"{number:02}_{stem}.ipynb"): with_colab_cell(
            _filled("chapter.ipynb", names), address(root)
        ),
        Path("_toc.yml"): _with_entry(toc, number, stem),
    }
    places = {
        "package": Path("src", "attention_book", "chapters", stem),
        "tests": Path("tests", "unit", "chapters", stem),
    }
    for folder, place in places.items():
        for path in sorted(
            path for path in (SKELETON / folder).iterdir() if path.is_file()
        ):
            if not (root / place / path.name).exists():
                files[place / path.name] = _filled(f"{folder}/{path.name}", names)
    return files


def _filled(name: str, names: dict[str, str]) -> str:
    text = (SKELETON / name).read_text("utf-8")
    for placeholder, value in names.items():
        quoted = json.dumps(value, ensure_ascii=False)[1:-1]
        text = text.replace(placeholder, quoted if name.endswith(".ipynb") else value)
    return text


def _with_entry(toc: str, number: int, stem: str) -> str:
    """Put the chapter behind the last one with a smaller number."""
    before = [match for match in ENTRY.finditer(toc) if int(match[1]) < number]
    if not before:
        raise Trouble("_toc.yml names no chapter before it: add the entry by hand")
    at = before[-1].end()
    return f"{toc[:at]}      - file: chapters/{number:02}_{stem}\n{toc[at:]}"


def write(root: Path, files: dict[Path, str]) -> None:
    """Write the files, with lines broken as long as the names in them ask for."""
    for place, text in files.items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text, "utf-8")
    code = [str(root / place) for place in files if place.suffix in (".py", ".ipynb")]
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *command, "-q", *code], check=True
        )


def main(arguments: list[str] | None = None) -> int:
    """Write the files and name them; 1, with a line on stderr, when it cannot."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", help="the package and the notebook are called so")
    parser.add_argument("--title", help="an idea, such as 'The bottleneck'")
    parser.add_argument("--number", type=int, help="the next one unless told otherwise")
    asked = parser.parse_args(arguments)
    title = asked.title or asked.name.replace("_", " ").capitalize()
    try:
        files = plan(ROOT, asked.name, title, asked.number)
    except Trouble as trouble:
        print(f"chapter: {trouble}", file=sys.stderr)
        return 1
    write(ROOT, files)
    print("\n".join(map(str, files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
