"""Every claim, measured: gathers the claims that executed chapters carry in their HTML
outputs. The directive ``{measured-claims}`` lists them, and ``claims.json`` at the
site's root holds them for machines.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from attention_book.claims import ATTRIBUTE, Claim

log = logging.getLogger(__name__)
_CARRIED = re.compile(rf'{ATTRIBUTE}="([^"]*)"')
COLUMNS = ("Claim", "Measured", "Bound")


def setup_claims(app: Sphinx) -> None:
    """Collect at read time, list at write time, save at the end."""
    app.add_node(measured_claims)
    app.add_directive("measured-claims", MeasuredClaims)
    app.connect("doctree-read", _collect)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _page_to_refresh)
    app.connect("doctree-resolved", _list)
    app.connect("build-finished", _save)


class measured_claims(nodes.General, nodes.Element):
    """Stands where the list of claims will be, until every chapter has been read."""


class MeasuredClaims(SphinxDirective):
    """``{measured-claims}``: the claims of all chapters, as one table a chapter."""

    def run(self) -> list[nodes.Node]:
        _store(self.env, "attention_claims_pages").setdefault(self.env.docname, [])
        return [measured_claims()]


def _store(env: BuildEnvironment, name: str) -> dict[str, list[dict]]:
    if not hasattr(env, name):
        setattr(env, name, {})
    return getattr(env, name)


def claims_of(env: BuildEnvironment) -> list[dict]:
    """All claims in the order of the book, each with the chapter that makes it."""
    chapters = _store(env, "attention_claims")
    order = [doc for doc in _reading_order(env) if doc in chapters]
    return [{"chapter": doc, **made} for doc in order for made in chapters[doc]]


def _reading_order(env: BuildEnvironment) -> list[str]:
    seen, waiting = [], [env.config.root_doc]
    while waiting:
        doc = waiting.pop(0)
        if doc not in seen:
            seen.append(doc)
            waiting = [*env.toctree_includes.get(doc, []), *waiting]
    return seen


def _collect(app: Sphinx, doctree: nodes.document) -> None:
    found = [
        json.loads(html.unescape(carried))
        for node in doctree.findall(nodes.raw)
        if node.get("format") == "html"
        for carried in _CARRIED.findall(node.astext())
    ]
    if found:
        _store(app.env, "attention_claims")[app.env.docname] = found


def _purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    for name in ("attention_claims", "attention_claims_pages"):
        _store(env, name).pop(docname, None)


def _merge(
    app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment
) -> None:
    for name in ("attention_claims", "attention_claims_pages"):
        found = _store(other, name)
        _store(env, name).update({doc: found[doc] for doc in docnames if doc in found})


def _page_to_refresh(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The page that lists the claims is written again whenever anything was read."""
    made: dict[str, str] = {}
    for claim in claims_of(env):
        name, chapter = claim["id"], claim["chapter"]
        if name in made:
            log.warning("claim %r is made in %s and in %s", name, made[name], chapter)
        made[name] = chapter
    return list(_store(env, "attention_claims_pages"))


def _list(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for place in list(doctree.findall(measured_claims)):
        made = claims_of(app.env)
        if not made:
            log.warning("%s lists the claims, but no chapter makes one", docname)
        chapters = dict.fromkeys(claim["chapter"] for claim in made)
        N_recorded = sum(bool(claim["recorded"]) for claim in made)
        counts = (
            f"{len(made)} claims: {N_recorded} recorded, "
            f"{len(made) - N_recorded} computed in this build."
        )
        tables = [_chapter(app, docname, chapter, made) for chapter in chapters]
        place.replace_self([nodes.paragraph("", counts), *chain(*tables)])


def _chapter(
    app: Sphinx, docname: str, chapter: str, made: list[dict]
) -> list[nodes.Node]:
    title = app.env.titles[chapter].astext()
    uri = app.builder.get_relative_uri(docname, chapter)
    heading = nodes.paragraph("", "", nodes.strong("", "", _link(title, uri)))
    rows = [_row(claim, uri) for claim in made if claim["chapter"] == chapter]
    parts = [nodes.colspec(colwidth=1) for _ in COLUMNS]
    parts.append(nodes.thead("", _cells(*([nodes.Text(name)] for name in COLUMNS))))
    group = nodes.tgroup("", *parts, nodes.tbody("", *rows), cols=len(COLUMNS))
    return [heading, nodes.table("", group, classes=["claims-table"])]


def _row(claim: dict, uri: str) -> nodes.row:
    made = Claim(**{name: value for name, value in claim.items() if name != "chapter"})
    link = _link(made.text, f"{uri}#claim-{made.id}")
    measured = [made.shown, made.span] if made.is_mean else [made.shown]
    return _cells(
        [link, nodes.Text(made.origin)],
        map(nodes.Text, measured),
        map(nodes.Text, (made.bound, made.verdict)),
    )


def _cells(*contents: Iterable[nodes.Node]) -> nodes.row:
    """A row; what stands in a cell, one under the other."""
    cells = ([nodes.paragraph("", "", each) for each in cell] for cell in contents)
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def _link(text: str, uri: str) -> nodes.reference:
    return nodes.reference("", text, internal=True, refuri=uri)


def _save(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        listed = json.dumps(claims_of(app.env), indent=1, ensure_ascii=False)
        (Path(app.outdir) / "claims.json").write_text(listed + "\n", encoding="utf8")
