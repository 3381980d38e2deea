"""The site's own parts, on a book of three pages."""

import io
import json
from types import SimpleNamespace

import pytest
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinxcontrib import katex

from attention_book.claims import claim
from attention_book.site import math, theme
from attention_book.site.claims import setup_claims

RUN = SimpleNamespace(recipe=SimpleNamespace(name="run"), measured={0: {}, 1: {}})
TEXT = "short sentences are <easy>"
HOLDS = claim("first", TEXT, [0.9, 1.0], at_least=0.9, recorded=RUN)
FAILS = claim("second", "a wider state rescues it", 0.1, at_least=0.5, expected=False)


def build(folder, **pages):
    """Build pages of Markdown with claims; the application, and what it warned of."""
    source, warnings = folder / "source", io.StringIO()
    source.mkdir(exist_ok=True)
    names = "\n".join(pages)
    pages = {"index": f"# Book\n\n```{{toctree}}\n{names}\n```\n", **pages}
    for name, text in pages.items():
        (source / f"{name}.md").write_text(text, encoding="utf8")
    app = Sphinx(
        source, None, folder / "out", folder / "doctrees", "html",
        confoverrides={"extensions": ["myst_parser"]}, status=None, warning=warnings,
    )  # fmt: skip
    setup_claims(app)
    app.build()
    return app, warnings.getvalue()


def chapter(title, *claims):
    return f"# {title}\n\n" + "\n\n".join(made._repr_html_() for made in claims)


LIST = "# Claims\n\n```{measured-claims}\n```\n"


@pytest.mark.filterwarnings("ignore")
def test_claims_are_listed_in_the_order_of_the_book_and_saved(tmp_path):
    more = claim("third", "computed", 1, at_least=1)
    two = chapter("Two", FAILS, more)
    _, warnings = build(tmp_path, one=chapter("One", HOLDS), two=two, claims=LIST)
    assert "claim" not in warnings
    saved = json.loads((tmp_path / "out" / "claims.json").read_text(encoding="utf8"))
    assert [(made["chapter"], made["id"], made["holds"]) for made in saved] == [
        ("one", "first", True),
        ("two", "second", False),
        ("two", "third", True),
    ]
    page = (tmp_path / "out" / "claims.html").read_text(encoding="utf8")
    assert 'href="one.html#claim-first"' in page
    assert "3 claims: 1 recorded, 2 computed in this build." in page
    for cell in (
        "recorded, 2 seeds</p></td><td><p>mean 0.95</p><p>0.90 to 1.00</p></td>",
        "computed in this build</p></td><td><p>0.10</p></td>",
        "<td><p>at least 0.9</p><p>holds</p></td>",
        "<td><p>at least 0.5</p><p>does not hold here</p></td>",
    ):
        assert cell in page.replace("\n", "")
    assert "&lt;easy&gt;" in page
    assert page.index("#claim-first") < page.index("#claim-second")


@pytest.mark.filterwarnings("ignore")
def test_a_chapter_that_drops_its_claims_leaves_the_list(tmp_path):
    pages = {"one": chapter("One", HOLDS), "two": chapter("Two", FAILS), "claims": LIST}
    build(tmp_path, **pages)
    build(tmp_path, **{**pages, "one": "# One\n"})
    page = (tmp_path / "out" / "claims.html").read_text(encoding="utf8")
    assert "#claim-second" in page
    assert "#claim-first" not in page


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("chapters", "says"),
    [
        ({}, "no chapter makes one"),
        (
            {"one": chapter("One", HOLDS), "two": chapter("Two", HOLDS)},
            "claim 'first' is made in one and in two",
        ),
    ],
)
def test_no_claims_and_two_of_one_name_are_warnings(tmp_path, chapters, says):
    assert says in build(tmp_path, **chapters, claims=LIST)[1]


def test_katex_files_of_another_version_stop_the_build(tmp_path):
    manifest = tmp_path / "package.json"
    with pytest.raises(ExtensionError, match="is missing"):
        math._check_version(manifest)
    manifest.write_text('{"version": "0.1.2"}')
    with pytest.raises(
        ExtensionError,
        match=rf"0\.1\.2 but sphinxcontrib-katex renders with {katex.katex_version}",
    ):
        math._check_version(manifest)
    manifest.write_text(json.dumps({"version": katex.katex_version}))
    math._check_version(manifest)


def test_only_notes_and_the_icon_script_are_taken_out_of_the_theme():
    script = 'a();%s("b",c);console.warn("d");console.error("e")'
    assert theme._NOTE.sub("void(", script % "console.log") == script % "void"
    page = (
        '<script src="x/fontawesome.js?v=1"></script>'
        '<link rel="preload" href="fontawesome.js"/><script src="a.js">'
    )
    assert theme._ICON_SCRIPT.sub("", page) == '<script src="a.js">'


def test_the_search_engine_is_kept_where_it_runs(tmp_path):
    engine = (
        '<script src="_static/searchtools.js?v=1"></script>\n'
        '<script src="../searchindex.js"></script>'
    )
    for name in ("chapter.html", "search.html"):
        (tmp_path / name).write_text(
            f'<script src="_static/doctools.js"></script>{engine}'
        )
    theme._drop_scripts(tmp_path)
    chapter = (tmp_path / "chapter.html").read_text()
    assert chapter == '<script defer src="_static/doctools.js"></script>'
    assert engine in (tmp_path / "search.html").read_text()


def test_what_the_first_screen_does_not_need_comes_after_it(tmp_path):
    now = (
        '<script src="_static/documentation_options.js"></script>'
        '<script src="../_static/attention-widgets.js?v=1"></script>'
        '<script>let a = 1;</script><script async src="b.js"></script>'
    )
    late = '<script data-x="1" src="_static/copybutton.js"></script>'
    (tmp_path / "page.html").write_text(now + late)
    theme._drop_scripts(tmp_path)
    assert (tmp_path / "page.html").read_text() == now + late.replace(
        "<script ", "<script defer "
    )
