"""Every figure typed in prose has a tie, in its cell's metadata, to what holds it.

A figure is a number in digits, or in words where these say a share (three looks in
four, a third of) or times, or stand before one of UNITS. "Fifty everyday ones" is none.

    "figures": {"98 %": "lengths: 19-21"}     a cell whose output shows it, and words of
                                              the line that does
    "given": {"128": "models.Seq2SeqConfig"}  a cell, or a part of the package, whose
                                              code sets it; "the text itself", where the
                                              text makes it up, or works it out
    "sources": {"60 %": "wu2016google"}       a work of references.bib, linked there

Each time it is typed: "2 × lengths: 19-21" holds two, ["lengths: 19-21", "cliff: dot"]
two that are different facts.

The prose of a code cell is its figures' captions and alternative texts, its questions.
"""

import inspect
import pkgutil
import re
import tomllib
from collections import Counter
from html import unescape
from pathlib import Path

import dependencies
import execution
import nbformat
import pytest
from jupyter_cache import get_cache

from attention_book.data.translation import BUCKETS
from attention_book.site.citations import citations

ROOT = Path(__file__).parents[2]
NOTEBOOKS = execution.notebooks(ROOT)
CITATIONS = citations(ROOT / "references.bib")
KINDS, OWN = ("figures", "given", "sources"), "the text itself"
NAMES = "one two three four five six seven eight nine ten eleven twelve thirteen "
NAMES += "fourteen fifteen sixteen seventeen eighteen nineteen twenty"
TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {name: value for value, name in enumerate(NAMES.split(), start=1)}
WORDS |= {name: 10 * value for value, name in enumerate(TENS.split(), start=1)}
WORDS |= {"a hundred": 100, "a thousand": 1000, "twice": 2, "half": 1 / 2}
WORDS |= {"a third": 1 / 3, "a quarter": 1 / 4, "a fifth": 1 / 5, "a tenth": 1 / 10}
WORD = "|".join(sorted(WORDS, key=len, reverse=True))  # "thirteen" before "three"
NUMBER = r"(?<![\w.,])[-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e-?\d+)?(?: ?%)?"
ONE = rf"(?:\d+|{WORD})"
UNITS = "digits|draws|pixels|points|seeds|sentences|symbols|words"
FIGURE = re.compile(
    rf"(?i)(?<![\w.,-])(?:(?P<share>{ONE}(?: (?!(?:{WORD})\b)[a-z]+){{0,2}} (?:in|of) "
    rf"(?:the )?(?!one|two)(?:{WORD})|\d+ of (?:the )?\d+|{ONE} of the \d+)"
    r"|(?P<part>(?:half|a third)(?= of\b)|a (?:quarter|fifth|tenth))"
    rf"|twice(?= as\b| the\b)|(?:{WORD})(?: (?:to|or) {ONE})? (?:times|{UNITS})"
    r"|−?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?: ?%)?)(?!\w)"
)
TIE = re.compile(r"(?:(\d+) × )?(.*)")
FENCE = r"(?ms)^(`{3,}).*?^\1$"
BUCKET = "|".join(f"{low}(?:-| to ){high}" for low, high in BUCKETS)
NO_FIGURE = {
    "code": rf"{FENCE}|`[^`]*`",
    "a formula": r"(?s)\$\$.*?\$\$|\$[^$]*\$",
    "a work with its year, an address": r"\[[^\]]*\]\(https?:[^)]*\)|(?<=\])\([^)]*\)",
    "a tag": r"<[^>]*>",
    "a heading, its number in a list": r"(?m)^#+ .*$|^\d+\. |\[\d+ · (?=[A-Z])",
    "a place": r"(?i)\b(?:chapter|exercises?|level|hint|Python) [\d.]*\d(?: to \d)?",
    "a year": r"\b[Ii]n (?:19|20)\d\d\b",
    "the time it takes, which test_length.py holds": r"\*\*Time\*\*: \d+ minutes[^.]*",
    "the name of a bucket": rf"(?<![\w.])(?:{BUCKET})(?!\w)",
    "an end of a scale": r"(?<![\w.,-])[01](?![\w%]|[.,]\d| %)",
}


def figures(prose):
    """The figures typed in a text, in order: [(as typed, its kind)]."""
    for pattern in NO_FIGURE.values():
        prose = re.sub(pattern, "·", prose)
    found = FIGURE.finditer(" ".join(prose.split()))
    return [(each.group().rstrip(","), each.lastgroup) for each in found]


def values(text, words="(?!)"):
    """The numbers in a text, in digits or these words: [(value, digits, percent?)]."""
    found = []
    for each in re.findall(rf"{NUMBER}|\b(?:{words})\b", text.lower()):
        number = each.rstrip("% ").replace(",", "").replace("−", "-")
        value = WORDS[number] if number in WORDS else float(number)
        found.append((value, len(number.partition(".")[2]), "%" in each))
    return found


def is_held(figure, kind, lines):
    """Whether numbers of these lines, rounded as a figure is, give the figure."""
    shown, typed = values("\n".join(lines)), values(figure, WORD)
    plain = [value for value, _, _ in shown]
    shares = [value / 100 if percent else value for value, _, percent in shown]
    if kind in ("share", "part"):  # three looks in four; a third
        part, whole = typed[0][0], typed[-1][0] if kind == "share" else 1
        near = min(0.05, 0.5 / whole)
        both = kind == "share" and {part, whole} <= {*plain}
        return both or any(abs(share - part / whole) <= near for share in shares)
    plain += shares if typed[0][1] else []
    among = [100 * share for share in shares] if typed[0][2] else plain
    return all(
        any(abs(each - value) <= 0.5 * 10**-digits + 1e-9 for each in among)
        for value, digits, _ in typed
    )


def lines(outputs):
    """What outputs say, line by line: a row of a table, a claim, what was printed.

    Without what is typed there, too: code, captions, alternative texts, claims' bounds.
    """
    texts = [""]
    for output in outputs:
        data = output.get("data", {})
        known = (data.get(f"text/{kind}") for kind in ("html", "markdown", "plain"))
        if "text" in output:  # a line that is printed may come in pieces
            texts[-1] += output["text"]
        else:
            texts += [next(filter(None, known), ""), ""]
    said = []
    for each in texts:
        text = re.sub(FENCE, "", each)
        text = re.sub(r"(?s)<(script|style|caption|figcaption)\b.*?</\1>", "", text)
        text = re.sub(r"<[^>]*>", " ", re.sub(r"</(?:tr|div|p|li)>", "\n", text))
        bound = r"claimed (?:(?:at least|at most|exactly) \S+|\S+ to \S+)"
        said += re.sub(bound, "", unescape(text)).splitlines()
    return said


def code(place, cells):
    """The lines of a cell or of a part of the package, or the value of a constant."""
    if place in cells:
        return cells[place].source.splitlines()
    thing = pkgutil.resolve_name(f"attention_book.{place}")
    is_code = inspect.ismodule(thing) or callable(thing)
    return (inspect.getsource(thing) if is_code else repr(thing)).splitlines()


def prose(cell, chapter):
    """What is typed in a cell, or stands in its chapter's files and is shown by it."""
    texts = [cell.source] if cell.cell_type == "markdown" else []
    for name in re.findall(r'\bfigure\("([\w-]+)"\)', cell.source):
        known = tomllib.loads((chapter / "figures.toml").read_text("utf-8"))
        texts += known[name].values()
    if cell.cell_type == "code" and "read_questions(" in cell.source:
        asked = (chapter / "questions.toml").read_text("utf-8")
        texts += re.findall(r'^\w+ = "(.*)"$', asked, re.M)
    return "\n\n".join(texts)


def faults(notebook, outputs, chapter):
    """Which ties of a notebook are missing, superfluous or broken."""
    cells = {cell.id: cell for cell in notebook.cells}
    for cell in notebook.cells:
        found = figures(prose(cell, chapter))
        typed, times = dict(found), Counter(figure for figure, _ in found)
        ties = [
            (figure, *TIE.fullmatch(tie).groups("1"), kind)
            for kind in KINDS
            for figure, tied in cell.metadata.get(kind, {}).items()
            for tie in ([tied] if isinstance(tied, str) else tied)
        ]
        for figure in typed:
            held = sum(int(n) for tied, n, *_ in ties if tied == figure)
            if held != times[figure]:
                yield (
                    f"{cell.id}: {figure!r} needs {times[figure]} ties in the cell's "
                    f"metadata, and has {held}; one each time it is typed, such as "
                    '"figures": {"98 %": "id of a cell: words of the line with it"}, '
                    '"2 × id: words" for two that are the same, else a list'
                )
        for figure, _, tie, kind in ties:
            place, _, words = tie.partition(": ")
            if figure not in typed:
                yield f"{cell.id}: {figure!r} has a tie, the text has only {[*typed]}"
            elif kind == "sources":
                url = CITATIONS[tie].url if tie in CITATIONS else "references.bib"
                if f"]({url})" not in cell.source:
                    yield f"{cell.id}: {figure!r} has {tie!r}, not linked in the cell"
            elif tie != OWN:
                shown = lines(outputs.get(place, [])) if kind == "figures" else None
                held = code(place, cells) if shown is None else shown
                held = [line for line in held if words in line]
                if not is_held(figure, typed[figure], held):
                    yield f"{cell.id}: {figure!r} is not in {tie!r}: {held[:20]}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_figure_in_prose_is_held(path):
    notebook = nbformat.read(path, as_version=4)
    cache = get_cache(ROOT / "_build" / ".jupyter_cache")
    is_cached = execution.is_cached(cache, path, dependencies.hashes(ROOT))
    assert is_cached, "not executed as it is now: run `make notebooks`"
    _, executed = cache.merge_match_into_notebook(notebook)
    cache.db.dispose()
    outputs = {cell.id: cell.get("outputs", []) for cell in executed.cells}
    source = "\n".join(cell.source for cell in notebook.cells)
    begun = re.search(r'= start\("(\w+)"\)', source)
    chapter = ROOT / "src/attention_book/chapters" / (begun[1] if begun else "")
    if found := [*faults(notebook, outputs, chapter)]:
        pytest.fail("\n".join(found))


def test_the_skeleton_of_a_chapter_needs_no_tie():
    skeleton = ROOT / "tools" / "skeleton"
    notebook = nbformat.read(skeleton / "chapter.ipynb", as_version=4)
    assert [*faults(notebook, {}, skeleton / "package")] == []


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("**Time**: 15 minutes. In 2016 chapter 2 had 0 of 1, `3` and $4$.", []),
        ("At 19-21 words .89, at [20](https://a.b) 1.00.", [".89", "1.00"]),
        ("Three looks in four, twice as many", ["Three looks in four", "twice"]),
        ("55 and 40 %, a third of 2,560", ["55", "40 %", "a third", "2,560"]),
        ("Fifty everyday ones, and ninety words", ["ninety words"]),
        ("six words, three to four times, five seeds, a third digit",
         ["six words", "three to four times", "five seeds"]),
    ],
)  # fmt: skip
def test_figures_are_found(typed, found):
    assert [figure for figure, _ in figures(typed)] == found


@pytest.mark.parametrize(
    ("typed", "shown", "held"),
    [
        (".93", "0.926", True),
        (".93", "0.936", False),
        ("98 %", "0.977", True),
        ("98 %", "97.4%", False),
        ("three looks in four", "0.72", True),
        ("three looks in four", "0.66", False),
        ("six of the 44", "6 of 44 wrong", True),
        ("three times", "2.4", False),
        ("three to four times", "3.1 3.9", True),
    ],
)
def test_a_figure_is_compared_at_its_rounding(typed, shown, held):
    ((figure, kind),) = figures(typed)
    assert is_held(figure, kind, [shown]) == held


ONCE = f"It gets .93 ([Xu et al.]({CITATIONS['xu2015show'].url}))"
TWICE = "It gets .93, they get .93."


@pytest.mark.parametrize(
    ("typed", "ties", "fault"),
    [
        (ONCE, {"figures": {".93": "shown: looking"}}, ""),
        (ONCE, {}, "needs 1 ties"),
        (ONCE, {"figures": {".93": "shown"}, "given": {".93": OWN}}, "has 2"),
        (ONCE, {"figures": {".93": "shown: other"}}, "is not in 'shown: other'"),
        (ONCE, {"figures": {".93": "gone"}}, "is not in 'gone'"),
        (ONCE, {"figures": {".93": "shown", ".5": "shown"}}, "'.5' has a tie"),
        (ONCE, {"sources": {".93": "nobody1999"}}, "not linked"),
        (ONCE, {"sources": {".93": "wu2016google"}}, "not linked"),
        (ONCE, {"sources": {".93": "xu2015show"}}, ""),
        (TWICE, {"figures": {".93": "shown: looking"}}, "needs 2 ties"),
        (TWICE, {"figures": {".93": "2 × shown: looking"}}, ""),
        (TWICE, {"figures": {".93": "3 × shown: looking"}}, "has 3"),
        (TWICE, {"figures": {".93": ["shown: looking", "shown: same"]}}, ""),
        (TWICE, {"figures": {".93": ["shown: same", "shown: third"]}}, "shown: third"),
        (TWICE, {"figures": {".93": "shown: same"}, "given": {".93": OWN}}, ""),
    ],
)
def test_a_figure_without_what_holds_it_each_time_is_a_fault(typed, ties, fault):
    cell = nbformat.v4.new_markdown_cell(typed, metadata=ties)
    shown = "looking 0.928\nother 0.41 (claimed at least 0.93, 1 seed)\n"
    shown = [{"text": f"{shown}same 0.93\nthird 0.95\n"}]
    found = [*faults(nbformat.v4.new_notebook(cells=[cell]), {"shown": shown}, ROOT)]
    assert len(found) == bool(fault)
    assert all(fault in each for each in found)


def test_a_line_that_was_printed_in_pieces_is_one_line():
    pieces = [{"text": "100"}, {"text": " of 700\nnext"}, {"data": {"text/plain": "x"}}]
    assert lines(pieces) == ["100 of 700", "next", "x"]
