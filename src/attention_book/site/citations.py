"""Citations are links to the paper, `[Bahdanau et al., 2015](https://...)`; the site
adds to each page the list of what it cites.

`references.bib` says who, when and where: `citations` makes of each entry the words a
link to it has to have, and a test holds the book's links to them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from docutils import nodes
from pybtex.database import Entry, parse_file
from pybtex.plugin import find_plugin
from pybtex_docutils import Backend
from sphinx.application import Sphinx

TITLE = "References"
# found once: each search asks every installed package
PLAIN_TEXT = find_plugin("pybtex.backends", "text")()
STYLE = find_plugin("pybtex.style.formatting", "plain")()


@dataclass(frozen=True)
class Citation:
    """How a work is cited."""

    authors: str  # "Bahdanau et al."
    year: str  # "2015", with a letter if works share it and authors
    url: str  # empty if its entry says none
    entry: Entry

    @property
    def label(self) -> str:
        """The words of a link in brackets or beside a name: "Bahdanau et al., 2015"."""
        return f"{self.authors}, {self.year}"

    @property
    def words(self) -> tuple[str, str]:
        """What a link may say, the second as a part of the sentence."""
        return self.label, f"{self.authors} ({self.year})"


def citations(bibliography: Path) -> dict[str, Citation]:
    """Read how every work of a BibTeX file is cited, by its key."""
    entries = parse_file(str(bibliography)).entries
    keys = {key: (_authors(each), each.fields["year"]) for key, each in entries.items()}
    shared = Counter(keys.values())
    letters = {each: iter(ascii_lowercase) for each in shared}
    found = {}
    for key, (authors, year) in keys.items():
        if shared[authors, year] > 1:
            year += next(letters[authors, year])
        url = entries[key].fields.get("url", "")
        found[key] = Citation(authors, year, url, entries[key])
    return found


def _authors(entry: Entry) -> str:
    people = entry.persons["author"]
    parts = ([*each.rich_prelast_names, *each.rich_last_names] for each in people)
    names = [" ".join(part.render(PLAIN_TEXT) for part in each) for each in parts]
    if len(names) > 2 or names[-1] == "others":
        return f"{names[0]} et al."
    return " and ".join(names)


def setup_citations(app: Sphinx) -> None:
    """Add the list to every page that cites, before its contents are collected."""
    app.setup_extension("sphinxcontrib.bibtex")
    app.connect("doctree-read", list_references, priority=400)


def list_references(app: Sphinx, doctree: nodes.document) -> None:
    """Append the works that a page links to, by name, as a section of its own."""
    linked = {node.get("refuri") for node in doctree.findall(nodes.reference)}
    works = [
        each
        for file in app.config.bibtex_bibfiles
        for each in citations(Path(app.srcdir) / file).values()
        if each.url and each.url in linked
    ]
    if works:
        page = next(doctree.findall(nodes.section))
        section = nodes.section("", nodes.title("", TITLE), ids=["references"])
        section += nodes.bullet_list(
            "", *map(_item, sorted(works, key=lambda work: work.label)), bullet="-"
        )
        doctree.note_implicit_target(section)
        page += section


def _item(work: Citation) -> nodes.list_item:
    (formatted,) = STYLE.format_entries([work.entry])
    words = Backend().paragraph(formatted)
    words[:0] = [nodes.strong("", work.label), nodes.Text(". ")]
    return nodes.list_item("", words)
