"""Your own corpus: sentence pairs from a text file, and parts that share no sentence.

A line of the file is a pair, with a tab between the source and the target.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from io import StringIO
from math import fsum, isclose
from pathlib import Path
from random import Random

from attention_book.shapes import check_choice, check_count, check_filled, check_type

from .pairs import Pair, check_pairs
from .tokens import LANGUAGES, tokenize

FIFTY_PAIRS = Path(__file__).with_name("fifty_pairs.tsv")  # English, French


def pairs_from(
    file: str | Path | Iterable[str],
    *,
    columns: tuple[int, int] = (0, 1),
    lower: bool = True,
    languages: tuple[str | None, str | None] | None = None,
) -> list[Pair]:
    """Read sentence pairs, split into words by `tokenize`; they have no gold links.

    Parameters
    ----------
    file : path, or lines
        A UTF-8 file with line ends of any system, or its lines. A line has columns,
        parted by tabs. Blank lines are left out, and a byte order mark before a line.
    columns : (int, int)
        Which columns hold source and target, counted from 0. Others, such as the names
        of the authors in files of Tatoeba, are left out.
    lower : bool
        Write all words in lower case.
    languages : (str, str), optional
        Those of source and target, "en", "fr" or "es", or None for another one: what
        they write with apostrophes and hyphens is split as it should be.
    """
    _check_columns(columns)
    if languages is not None:
        _check_languages(languages)
    lines: Iterable[str] = file if not isinstance(file, (str, Path)) else _read(file)
    of = f" of {file}" if isinstance(file, (str, Path)) else ""
    pairs = []
    for number, line in enumerate(lines, 1):
        check_type(f"line {number}{of}", line, str)
        line = line.removeprefix("\ufeff")
        if "\n" in line.rstrip("\r\n"):
            raise ValueError(
                f"line {number}{of} holds several: text.splitlines() gives lines"
            )
        if line.strip():
            cells = _cells(line.rstrip("\r\n"), columns, f"line {number}{of}")
            source, target = (
                tokenize(text, language, lower=lower, marks=True)
                for text, language in zip(cells, languages or (None, None), strict=True)
            )
            pairs.append(Pair(source, target))
    check_filled(f"file{of}", pairs, "pair")
    return pairs


def _check_columns(columns: tuple[int, int]) -> None:
    check_type("columns", columns, tuple)
    for column in columns:
        check_count("each of columns", column, 0)
    if len({*columns}) != 2:
        raise ValueError(f"columns is {columns}, expected two, such as (0, 1)")


def _check_languages(languages: tuple[str | None, str | None]) -> None:
    check_type("languages", languages, tuple)
    if len(languages) != 2:
        raise ValueError(
            f"languages is {languages}, expected two, such as ('en', 'fr')"
        )
    for language in languages:
        if language is not None:
            check_choice("each of languages", language, LANGUAGES)


def _read(path: str | Path) -> Iterable[str]:
    if not str(path) or {*"\t\n\r"} & {*str(path)}:
        raise ValueError(
            f"file is the text {str(path)!r:.80}, expected a path or lines: "
            "text.splitlines() gives lines"
        )
    raw = Path(path).read_bytes()
    try:
        return StringIO(raw.decode("utf-8"), newline=None)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise ValueError(
            f"line {line} of {path} is not UTF-8 ({error.reason}): save the file as "
            "UTF-8, or pass its lines, open(path, encoding=...)"
        ) from error


def _cells(line: str, columns: tuple[int, int], where: str) -> list[str]:
    cells, (source, target) = line.split("\t"), columns
    if len(cells) <= max(source, target):
        raise ValueError(
            f"{where} has {len(cells)} column{'s' * (len(cells) > 1)}, expected "
            f"{max(source, target) + 1} with tabs between them: {line!r:.60}"
        )
    for column in (source, target):
        if not cells[column].strip():
            raise ValueError(f"{where} has nothing in column {column}, expected words")
    return [cells[source], cells[target]]


def split(
    pairs: Sequence[Pair], shares: Sequence[float] = (0.8, 0.1, 0.1), *, seed: int
) -> tuple[list[Pair], ...]:
    """Part pairs at random, so that no sentence of either side stands in two parts.

    Pairs that share a source or a target, or are linked by others that do, stay
    together; case and punctuation do not make two sentences of one. Such groups, in
    random order, go to the part that lacks most: small and large groups are as frequent
    in each part. Only those larger than the smallest part come first.

    Parameters
    ----------
    shares : sequence of float
        The size of each part; they sum to 1.

    Returns
    -------
    tuple of lists
        A list for each share, each in the order of `pairs`.
    """
    check_pairs("pairs", pairs)
    check_count("seed", seed, 0)
    if min(shares, default=0) <= 0 or not isclose(fsum(shares), 1):
        raise ValueError(f"shares is {shares}, expected positive numbers that sum to 1")
    groups = _groups(pairs)
    Random(seed).shuffle(groups)
    groups.sort(key=lambda group: len(group) <= min(shares) * len(pairs))
    parts: list[list[int]] = [[] for _ in shares]
    for group in groups:
        lacks = [
            share * len(pairs) - len(part)
            for share, part in zip(shares, parts, strict=True)
        ]
        parts[lacks.index(max(lacks))] += group
    if not all(parts):
        raise ValueError(
            f"pairs gives parts of {', '.join(str(len(part)) for part in parts)}: "
            f"{len(pairs)} pairs in {len(groups)} groups without a common sentence are "
            "too few"
        )
    return tuple([pairs[i] for i in sorted(part)] for part in parts)


def _groups(pairs: Sequence[Pair]) -> list[list[int]]:
    """Places of pairs that are linked by sentences they share."""
    having: dict[Hashable, list[int]] = defaultdict(list)
    keys = [[("source", _key(p.source)), ("target", _key(p.target))] for p in pairs]
    for i, of_pair in enumerate(keys):
        for key in of_pair:
            having[key].append(i)
    groups, left = [], dict.fromkeys(range(len(pairs)))
    while left:
        group = [left.popitem()[0]]
        for i in group:  # grows while it is walked
            for key in keys[i]:
                for other in having.pop(key, ()):
                    if other in left:
                        del left[other]
                        group.append(other)
        groups.append(group)
    return groups


def _key(words: Sequence[str]) -> tuple[str, ...]:
    """A sentence without case and punctuation, or as it is if it has nothing else."""
    plain = tuple(word.casefold() for word in words if any(map(str.isalnum, word)))
    return plain or tuple(words)
