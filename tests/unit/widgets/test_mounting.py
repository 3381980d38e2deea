"""The extension mounts widgets: what it strips, what it adds, what it warns of."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from attention_book.site import widgets as mounting
from attention_book.widgets import Widget, live, text, text_box
from attention_book.widgets.static import network_html


def page_of(widget):
    return widget._repr_mimebundle_()[0]["text/html"]


def document(*parts):
    made = new_document("page")
    made += [nodes.raw("", part, format="html") for part in parts]
    return made


def app(**metadata):
    saved = {"js_files": {"ipywidgets_state": 1, "other": 2}}
    env = SimpleNamespace(
        docname="page",
        metadata={"page": metadata},
        nb_metadata={"page": saved},
        all_docs=["page"],
    )
    added = []
    return SimpleNamespace(
        env=env,
        added=added,
        builder=SimpleNamespace(format="html"),
        add_js_file=lambda name, **_: added.append(name),
        add_css_file=added.append,
    )


@pytest.fixture(autouse=True)
def stand_ins(as_a_reader):
    """Let the stand-ins for Sphinx's objects pass: they are not of its types."""


@pytest.fixture
def warnings(monkeypatch):
    heard = []
    monkeypatch.setattr(
        mounting._log,
        "warning",
        lambda message, *args, **_: heard.append(message % args),
    )
    return heard


def test_the_inline_copies_go_and_the_state_stays():
    widget = Widget("t", panels=[text("hello")], link="one")
    made, building = document(page_of(widget), page_of(widget)), app()
    mounting.lift_widgets(building, made)
    for node in made.findall(nodes.raw):
        assert "<style>" not in node.astext()
        assert node.astext().count("attentionWidgets") == 1, "the call, not the script"
        assert node.astext().strip().endswith(mounting.CALL)
        assert '"text":{"is":"hello"}' in node.astext()
    assert building.env.metadata["page"]["attention_widgets"] == ["one", "one"]


def test_the_saved_live_state_goes_and_other_scripts_stay():
    building = app()
    mounting.lift_widgets(building, document())
    assert building.env.nb_metadata["page"]["js_files"] == {"other": 2}


def test_a_page_with_only_a_live_figure_gets_the_stylesheet():
    building = app()
    mounting.lift_widgets(
        building, document(page_of(live(str.upper, text_box("s", "x"), title="t")))
    )
    mounting.add_assets(building, "page", "", {}, None)
    assert mounting.STYLE in building.added


def test_a_page_without_widgets_gets_nothing():
    building = app()
    mounting.lift_widgets(building, document('<p data-attention-claim="{}">plain</p>'))
    mounting.add_assets(building, "page", "", {}, None)
    assert building.added == []


def test_an_output_that_would_be_blank_is_warned_of(warnings):
    mounting.warn_of_blank_outputs(
        app(), document(f'<script type="{mounting.VIEW}">{{}}</script>'), "page"
    )
    assert len(warnings) == 1
    mounting.warn_of_blank_outputs(
        app(), document(page_of(Widget("t", panels=[text("x")]))), "page"
    )
    assert len(warnings) == 1


def test_two_widgets_of_one_name_on_a_page_are_warned_of(warnings):
    building = app(attention_widgets=["a", "b", "a", "", ""])
    mounting.warn_of_equal_links(building, building.env)
    assert warnings == ["two widgets have the link 'a'"]


def test_new_script_or_style_rebuilds_the_pages_with_widgets_once(monkeypatch):
    building = app(attention_widgets=["a"])
    building.env.all_docs = ["page", "plain"]
    building.env.metadata["plain"] = {}

    def outdated():
        return list(
            mounting.outdated_by_assets(building, building.env, set(), set(), set())
        )

    outdated()
    assert outdated() == []
    monkeypatch.setattr(mounting, "stylesheet", lambda: "changed")
    assert outdated() == ["page"]
    assert outdated() == []


def network_of(key, letters):
    return f"{network_html({'key': key, 'program': {}, 'data': letters})}"


def test_small_networks_stay_on_the_page_and_others_go_to_files(tmp_path):
    page, carried = app(), {}
    page.doctreedir = tmp_path
    small, large = "A" * 30_000, "B" * 70_000

    def kept(key, letters):
        return mounting.keep_networks(page, network_of(key, letters), carried)

    assert kept("one", small) == network_of("one", small)
    assert kept("one", small) == "", "once a page"
    assert '"parts":2' in kept("two", large).replace(" ", "")
    assert kept("three", "C" * 15_000) == network_of("three", "C" * 15_000)
    files = sorted((tmp_path / "attention_widgets" / "networks").iterdir())
    assert [file.name for file in files] == ["two-0.js", "two-1.js"]
    pieces = [file.read_text().split('"')[3] for file in files]
    assert "".join(pieces) == large
