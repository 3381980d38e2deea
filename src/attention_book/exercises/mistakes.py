"""The known mistakes of a chapter's checks, read from its `mistakes.md`.

    # layer_norm

    ## variance with 1/(D-1)
        - variance = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
        + variance = ((x - mu) ** 2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)
    You divide the sum of squares by D - 1, as torch's std and var do unless told
    otherwise. Here it is a plain mean, with 1/D.
    Seen: annotated-transformer 122; allennlp 953

A section for each check, in it a mistake under a heading: whole lines of the
reference's module and what replaces them (nothing, if no + follows), what the reader is
told, and where it was seen, if it was. Indentation does not matter; new lines keep
theirs relative to the first old one. A - after a + begins another change; so does @@.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from attention_book.exercises.mutants import Change, Mutant

FILE = "mistakes.md"
PATCH = re.compile(r" {4}(?P<mark>-|\+|@@)(?: (?P<text>.*))?")


@dataclass
class _Entry:
    """What has been read of one mistake."""

    name: str
    place: str
    hunks: list[tuple[list[str], list[str]]] = field(default_factory=list)
    says: list[str] = field(default_factory=list)

    def patch(self, mark: str, text: str, place: str) -> None:
        """Take a line that begins with four spaces."""
        if self.says:
            raise ValueError(f"{place} stands after the sentence, expected before it")
        if mark == "@@" or (mark == "-" and (not self.hunks or self.hunks[-1][1])):
            self.hunks.append(([], []))
        if mark == "-":
            self.hunks[-1][0].append(text)
        if mark == "+":
            if not self.hunks or not self.hunks[-1][0]:
                raise ValueError(f"{place} is a + line without a - line before it")
            self.hunks[-1][1].append(text)

    def mutant(self) -> Mutant:
        """Put it together."""
        says, _, seen = "\n".join(self.says).partition("\nSeen: ")
        changes = tuple(self._change(*hunk) for hunk in self.hunks if hunk[0])
        if not changes or not says.strip():
            raise ValueError(
                f"{self.place} has {len(changes)} changes and the sentence {says!r}, "
                "expected at least one change (lines that begin with four spaces and "
                "a -) and a sentence"
            )
        says, seen = (" ".join(text.split()) for text in (says, seen or "common"))
        return Mutant(self.name, says, changes, seen=seen)

    def _change(self, old: list[str], new: list[str]) -> Change:
        margin = old[0][: len(old[0]) - len(old[0].lstrip())]
        for line in new:
            if not line.startswith(margin):
                raise ValueError(
                    f"{self.place}: {line.strip()!r} is indented less than "
                    f"{old[0].strip()!r}, which it replaces: expected as much or more"
                )
        shifted = (line.removeprefix(margin) for line in new)
        return Change("\n".join(old), "\n".join(shifted), f"{self.place}: ")


def read_mistakes(beside: str) -> dict[str, tuple[Mutant, ...]]:
    """Read a chapter's known mistakes.

    Parameters
    ----------
    beside : str
        The path of a module of the chapter, `__file__`: the nearest `mistakes.md`
        beside or above it is read.

    Returns
    -------
    dict
        The mistakes of each section, by its heading: the name of a function.

    Raises
    ------
    ValueError
        If a line is not what it should be; names the file and the line.
    """
    folder = next(f for f in Path(beside).parents if (f / FILE).exists())
    return parse((folder / FILE).read_text("utf-8"), f"{folder.name}/{FILE}")


@cache
def parse(text: str, name: str = FILE) -> dict[str, tuple[Mutant, ...]]:
    """Read the text of such a file; `name` is for messages."""
    sections: dict[str, list[_Entry]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{name}, line {number}, {line.strip()!r}"
        if line.startswith("# "):
            section = line[2:].strip()
            if section in sections:
                raise ValueError(f"{place} is the second section of this name")
            sections[section] = []
        elif line.startswith("## ") and sections:
            sections[section].append(_Entry(line[3:].strip(), place))
        elif line.strip():
            if not sections or not sections[section]:
                raise ValueError(f"{place} stands under no mistake, expected '## ...'")
            _take(sections[section][-1], line, place)
    return {
        section: tuple(entry.mutant() for entry in entries)
        for section, entries in sections.items()
    }


def _take(entry: _Entry, line: str, place: str) -> None:
    """Give an entry its next line."""
    if not line.startswith(" "):
        entry.says.append(line.strip())
    elif patch := PATCH.fullmatch(line):
        entry.patch(patch["mark"], patch["text"] or "", place)
    else:
        raise ValueError(f"{place} is indented, expected '    - ...' or '    + ...'")
