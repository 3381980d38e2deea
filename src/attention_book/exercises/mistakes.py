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
told, and where it was seen, if it was. Lines are indented relative to the first old
one. A - after a + begins another change; so does @@.
"""

import re
from functools import cache
from pathlib import Path

from attention_book.exercises.mutants import Change, Mutant

FILE = "mistakes.md"
PIECE = re.compile(r"^(##?) (.*)((?:\n(?!##? ).*)*)", re.M)
HUNK = r"( {4}- \S.*\n(?: {4}- .*\n)*)((?: {4}\+ .*\n)*)(?: {4}@@\n)?"
ENTRY = re.compile(
    rf"(?P<patch>(?:{HUNK})+)"
    r"(?P<says>(?:(?!Seen: )\S.*\n)+)"
    r"(?:Seen: (?P<seen>(?:\S.*\n)+))?"
)


def read_mistakes(beside: str) -> dict[str, tuple[Mutant, ...]]:
    """Read a chapter's known mistakes, by section: the name of a function.

    Parameters
    ----------
    beside : str
        The path of a module of the chapter, `__file__`: the nearest `mistakes.md`
        beside or above it is read.
    """
    folder = next(f for f in Path(beside).parents if (f / FILE).exists())
    return parse((folder / FILE).read_text("utf-8"), f"{folder.name}/{FILE}")


@cache
def parse(text: str, name: str = FILE) -> dict[str, tuple[Mutant, ...]]:
    """Read the text of such a file; `name` is for messages."""
    if not text.startswith("# "):
        raise ValueError(
            f"{name} begins with {text[:20]!r}, expected '# ' and a function"
        )
    sections: dict[str, list[Mutant]] = {}
    section: list[Mutant] = []
    for piece in PIECE.finditer(text):
        mark, title, body = piece.groups()
        line = text.count("\n", 0, piece.start()) + 1
        place = f"{name}, line {line}, '{mark} {title}'"
        if mark == "##":
            section.append(_mutant(title, body, place))
        elif body.strip() or title in sections:
            raise ValueError(
                f"{place}: expected one section of this name, of '## ' entries only"
            )
        else:
            section = sections[title] = []
    return {title: tuple(mutants) for title, mutants in sections.items()}


def _mutant(name: str, body: str, place: str) -> Mutant:
    entry = ENTRY.fullmatch(re.sub(r"\s*\n", "\n", f"{body}\n").removeprefix("\n"))
    if not entry:
        raise ValueError(
            f"{place}: expected lines '    - old', '    + new' (or none), a sentence, "
            "and perhaps 'Seen: ...'; another change begins with a - or with '    @@'"
        )
    hunks = re.findall(HUNK, entry["patch"])
    changes = tuple(Change(*map(_unmarked, hunk), place) for hunk in hunks)
    says, seen = (
        " ".join(text.split()) for text in (entry["says"], entry["seen"] or "common")
    )
    return Mutant(name, says, changes, seen=seen)


def _unmarked(lines: str) -> str:
    return "\n".join(line.removeprefix("    ")[2:] for line in lines.splitlines())
