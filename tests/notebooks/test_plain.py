"""The notebooks are plain Markdown, read alike in JupyterLab, Colab, VS Code and on the
site: no directive, no role, links that lead somewhere, folds that stay folded.
"""

import ast
import re
import tomllib
from itertools import pairwise, takewhile
from pathlib import Path

import fold_cells
import nbformat
import pytest
from markdown_it import MarkdownIt

from attention_book.site.citations import citations
from attention_book.site.exercises import HEADING, slug

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(
    path
    for pattern in ("*.ipynb", "chapters/*.ipynb", "pages/*.ipynb", "tools/*/*.ipynb")
    for path in ROOT.glob(pattern)
)
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name == "chapters"]
PAGES = [*NOTEBOOKS, *sorted((ROOT / "pages").glob("*.md"))]
DIRECTORY = {  # site pages, whose content Sphinx makes
    "bibliography": "{bibliography}",
    "claims": "{measured-claims}",
}
MYST = {
    "a directive": re.compile(r"^\s*(?:`{3,}|:{3,}|~{3,})\s*\{", re.M),
    "a role": re.compile(r"\{[a-z][\w:+-]*\}`"),
    "a target": re.compile(r"^\([\w.:-]+\)=\s*$", re.M),
    "a break or a comment": re.compile(r"^(?:\+\+\+|%)", re.M),
    "a substitution": re.compile(r"\{\{.*?\}\}"),
    "a field": re.compile(r"^:[\w-]+:", re.M),
}
CITED = re.compile(r"(?:et al\.|[A-Z]\w+ and [A-Z]\w+),? \(?(?:1[89]|20)\d\d")
FOLD = re.compile(
    r"^<details><summary>[^<\n]+</summary>\n\n.+?\n\n</details>$", re.M | re.S
)
CITATIONS = citations(ROOT / "references.bib")
DRAWS = re.compile(
    r"\bplt\.(?:subplots|figure)\("
    r"|\bplots\.(?!(?:table|mean_and_range|seed_range)\b)[a-z]\w*\("
)
BY_URL = {each.url: each for each in CITATIONS.values() if each.url}


def ids(path):
    return path.stem


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=ids)
every_page = pytest.mark.parametrize("path", PAGES, ids=ids)


def cells_of(path):
    return nbformat.read(path, as_version=4).cells


def code_cells(path):
    return [cell for cell in cells_of(path) if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


def text(path):
    if path.suffix == ".md":
        return path.read_text("utf-8")
    return "\n\n".join(c.source for c in cells_of(path) if c.cell_type == "markdown")


def links(path):
    """(words, address) of every link in a page, as a Markdown parser sees them."""
    for block in MarkdownIt().enable("table").parse(text(path)):
        pieces = block.children or []
        for i, piece in enumerate(pieces):
            if piece.type == "link_open":
                inside = takewhile(lambda p: p.type != "link_close", pieces[i:])
                yield "".join(p.content for p in inside), piece.attrs["href"]


def headings(path):
    pairs = pairwise(MarkdownIt().parse(text(path)))
    return [after.content for before, after in pairs if before.type == "heading_open"]


def myst(source):
    """Which of what only MyST understands a text holds, outside code."""
    plain = re.sub(r"^(`{3,})\w*\n.*?^\1$", "", source, flags=re.M | re.S)
    return [name for name, pattern in MYST.items() if pattern.search(plain)]


@pytest.mark.parametrize("path", CHAPTERS, ids=ids)
def test_a_chapters_title_begins_with_the_number_of_its_file(path):
    title = headings(path)[0]
    assert title.startswith(f"{int(path.name[:2])} · "), title


@every_notebook
def test_a_notebook_holds_no_myst(path):
    assert not myst(text(path))


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*.md")), ids=ids)
def test_a_page_holds_no_myst_but_what_the_site_fills_in(path):
    allowed = DIRECTORY.get(path.stem, "{no directive}")
    assert not myst(text(path).replace(allowed, ""))


@pytest.mark.parametrize(
    "source",
    [
        "```{exercise} One\n```",
        ":::{note}\n:::",
        "as {footcite}`luong2015effective` did",
        "(a-target)=\n# One",
        "+++",
        "% nobody reads this",
        "{{ version }}",
        "text\n:label: one",
    ],
)
def test_what_only_myst_understands_is_found(source):
    assert myst(source)


@every_page
def test_a_citation_is_a_link_with_author_and_year(path):
    for words, address in links(path):
        if address in BY_URL:
            assert words in BY_URL[address].words
        else:
            assert not CITED.search(words), f"{address} is not in references.bib"


@every_page
def test_nobody_is_cited_without_a_link(path):
    unlinked = re.sub(r"\[[^\]]*\]\([^)]*\)", "", text(path))
    assert not CITED.findall(unlinked)


def test_every_work_is_cited_under_a_name_and_an_address_of_its_own():
    labels = [each.label for each in CITATIONS.values()]
    addresses = [each.url for each in CITATIONS.values() if each.url]
    assert len(set(labels)) == len(labels)
    assert len(set(addresses)) == len(addresses)
    assert all(each.startswith("https://") for each in addresses)


@every_page
def test_a_link_inside_the_book_leads_to_a_file_or_a_heading(path):
    folder = ROOT / "chapters" if path.parent.name == "skeleton" else path.parent
    for words, address in links(path):
        if "://" not in address:
            file, _, anchor = address.partition("#")
            target = folder / file if file else path
            assert target.is_file(), (words, address)
            if anchor:
                assert anchor in map(slug, headings(target)), (words, address)


@every_notebook
def test_a_fold_is_one_that_every_reader_renders(path):
    source = text(path)
    assert source.count("<details") == len(FOLD.findall(source)), (
        "write <details><summary>Name</summary>, a blank line, the text, a blank line, "
        "</details>"
    )
    assert all("\n#" not in fold for fold in FOLD.findall(source)), "no heading in it"


@every_notebook
def test_a_closer_look_has_its_heading_in_a_cell_of_its_own(path):
    for cell in cells_of(path):
        if cell.cell_type == "markdown" and "# Closer look" in cell.source:
            assert fold_cells.CLOSER_LOOK.fullmatch(cell.source), cell.id


@every_notebook
def test_exercises_count_from_one(path):
    found = [each for each in headings(path) if each.startswith("Exercise ")]
    matched = [HEADING.fullmatch(each) for each in found]
    assert None not in matched, found
    assert [int(each["number"]) for each in matched] == [*range(1, len(found) + 1)]


@every_notebook
def test_cells_are_folded_as_their_tags_ask(path):
    assert fold_cells.folded(path) == path.read_text("utf-8"), "run `make fold`"


@every_notebook
def test_a_solution_is_shown_in_a_fold_and_nothing_else(path):
    for cell in code_cells(path):
        if "solution" in tags(cell):
            last = ast.unparse(ast.parse(cell.source).body[-1])
            assert last.startswith("solution("), f"{cell.id} ends with solution(...)"
            assert not re.search(r"\bprint\(|\bdisplay\(", cell.source), cell.id
        assert not re.search(r"\bsource\([^)]*\bsolutions\.", cell.source), cell.id


@every_notebook
def test_a_notebook_opens_with_its_title_then_set_up_and_imports(path):
    assert cells_of(path)[0].source.startswith("# ")
    first, *others = [cell for cell in code_cells(path) if "colab" not in tags(cell)]
    assert re.match(r"(?:import|from) ", first.source)
    assert re.search(r"^(?:figure = )?start\(", first.source, re.M), "kinder errors"
    if path.parent.name == "chapters":
        assert "imports" in first.metadata["tags"]
    for cell in others:
        if "exercise" not in tags(cell):
            late = re.search(r"^(?:import|from) ", cell.source, re.M)
            assert not late, f"{cell.id}: imports stand in one cell, at the top"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "src/attention_book/chapters").glob("*/figures.toml")),
    ids=lambda path: path.parent.name,
)  # fmt: skip
def test_every_figure_is_shown_once_and_described(path):
    (notebook,) = ROOT.glob(f"chapters/??_{path.parent.name}.ipynb")
    texts = tomllib.loads(path.read_text("utf-8"))
    source = "\n".join(cell.source for cell in code_cells(notebook))
    assert sorted(re.findall(r'\bfigure\("([\w-]+)"\)', source)) == sorted(texts)
    for name, given in texts.items():
        assert len(given["alt"]) >= 80, f"{name}: an alternative text says what is seen"
        assert given["alt"] != given["caption"]


@every_notebook
def test_a_cell_that_plots_ends_with_its_figure(path):
    for cell in code_cells(path):
        if DRAWS.search(cell.source):
            assert re.search(r'\bfigure\("[\w-]+"\)', cell.source), cell.id


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_claim_is_shown(path):
    """The last line of a cell is shown by itself, others by `display`."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and "claim(" in cell.source:
            *before, _ = map(ast.unparse, ast.parse(cell.source).body)
            assert not any(each.startswith("claim(") for each in before), cell.id
