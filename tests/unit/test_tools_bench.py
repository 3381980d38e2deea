"""The bench: twins show what our widgets show, npm answers for others, one table."""

import base64
import io
import json
import tarfile

import bench
import nbformat
import numpy as np
import pytest
import stock_book
from matplotlib import pyplot

from attention_book.widgets import (
    Widget,
    computed,
    control,
    free,
    heat_map,
    over,
    select,
    slider,
    text,
)


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Packages that hold one file each, whatever is asked for."""

    def package(self, spec):
        path = tmp_path / f"{spec.replace('/', '-')}.tgz"
        with tarfile.open(path, "w:gz") as archive:
            known = {"requirejs@2.3.4": "package/require.js"}
            info = tarfile.TarInfo(known.get(spec, "package/dist/main.js"))
            info.size = len(spec)
            archive.addfile(info, io.BytesIO(spec.encode()))
        return path

    monkeypatch.setattr(bench.Npm, "package", package)
    return bench.Npm(tmp_path)


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("npm/mathjax@3/dist/main.js", b"mathjax@3"),
        ("npm/@scope/part@1.0.6/dist/main.js", b"@scope/part@1.0.6"),
        ("thebe@0.8.2/dist/main.js", b"thebe@0.8.2"),
        ("ajax/libs/require.js/2.3.4/require.min.js", b"requirejs@2.3.4"),
    ],
)
def test_an_address_names_package_version_and_file(npm, path, package):
    assert npm.find(f"https://host.example/{path}") == package


@pytest.mark.parametrize("path", ["npm/mathjax@3/dist/other.js", "fonts/a.woff"])
def test_a_file_npm_lacks_is_not_made_up(npm, path):
    assert npm.find(f"https://host.example/{path}") is None


def test_only_loopback_is_not_elsewhere():
    assert bench.ELSEWHERE.match("https://host.example/a.js")
    assert not bench.ELSEWHERE.match("http://127.0.0.1:8000/a.js")


def words(letter, count):
    return [f"{letter}{k}" for k in range(count)]


def widget():
    """A widget whose fields come in every way: maps of two sizes, words, a function."""
    rng = np.random.default_rng(0)
    maps = [rng.random((2, 3)), rng.random((4, 3))]
    large = rng.random((2, 50, 100))
    weights = computed("softmax", scores=maps[0], temperature=control("step"))
    return Widget(
        "A title",
        controls=[slider("step", [10, 20]), select("size", ["a", "b"], default="b")],
        panels=[
            heat_map(
                over("size", [list("xy"), list("xyzw")]),
                list("abc"),
                over("size", maps),
            ),
            heat_map(
                words("r", 50),
                words("c", 100),
                over("step", large),
                axes=("many", "more"),
            ),
            text(over("size", "step", [["p", "q"], ["r", "s"]])),
            heat_map(
                list("xy"), list("abc"), weights, axes=("other query", "other input")
            ),
        ],
    )


def fields(made, index):
    """What the twin reads of each panel at a setting."""
    html = made._repr_mimebundle_()[0]["text/html"]
    state = json.loads(stock_book.STATE.search(html)[1])
    data = base64.b64decode(state["data"])
    read = stock_book.value
    return [
        {
            name: read(each, state["spec"]["controls"], index, data)
            for name, each in panel["fields"].items()
        }
        for panel in state["spec"]["panels"]
    ]


@pytest.mark.parametrize("index", [[0, 0], [0, 1], [1, 0], [1, 1]])
def test_a_twin_shows_what_the_widget_shows(index):
    made = widget()
    for panel, read in zip(made.panels, fields(made, index), strict=True):
        assert set(read) == set(panel.fields)
        for name, each in panel.fields.items():
            if each.what == "numbers":
                np.testing.assert_allclose(read[name], each.at(index), atol=0.002)
            else:
                assert read[name] == each.at(index)


def test_a_twin_keeps_an_array_that_the_reader_edits_as_it_is():
    square = free("square", [[0, 1], [2, 3]], low=0, high=3, step=1)
    shown = heat_map(["a", "b"], ["c", "d"], control("square"), axes=("of", "to"))
    made = Widget(
        title="A square", question="Edit it.", controls=[square], panels=[shown]
    )
    ((read,),) = (fields(made, [[[0, 1], [2, 3]]]),)
    assert read["values"].tolist() == [[0, 1], [2, 3]]
    html = made._repr_mimebundle_()[0]["text/html"]
    state = json.loads(stock_book.STATE.search(html)[1])
    with pyplot.rc_context({"backend": "agg"}):
        stock_book.twin(state)


def test_a_notebook_gets_a_twin_for_each_widget_and_loses_our_script(tmp_path):
    html = widget()._repr_mimebundle_()[0]["text/html"]
    live = {"text/html": "<p>live</p>", "application/vnd.jupyter.widget-view+json": {}}
    asked = {"text/html": "<p>asked</p><script>1</script>"}
    cells = [
        nbformat.v4.new_code_cell(
            f"cell {k}", outputs=[nbformat.v4.new_output("display_data", data)]
        )
        for k, data in enumerate([{"text/html": html}, live, asked])
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    stock = stock_book.with_twins(notebook, tmp_path)
    shown, living, asking = (str(cell.outputs) for cell in stock.cells)
    assert "data-attention-widget" not in shown
    assert "application/vnd.jupyter.widget-view+json" in shown
    states = stock.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]
    kinds = [each["model_name"] for each in states["state"].values()]
    assert kinds.count("SelectionSliderModel") == kinds.count("DropdownModel") == 1
    assert "live" in living
    assert "widget-view" not in living
    assert "asked" in asking
    assert "<script>" not in asking


def test_the_table_says_what_is_over_its_budget_and_how_it_compares(capsys):
    rows = [("fast", 4, 2.0, 8.0), ("slow", 4, 5.0), ("never came", 4, None, 3.0)]
    bench.print_table([bench.Row("a", *row) for row in rows])
    _, fast, slow, missing = capsys.readouterr().out.splitlines()
    assert fast.split() == ["a", "fast", "4", "2", "8", "0.25"]
    assert slow.split() == ["a", "slow", "4", "5!"]
    assert missing.split() == ["a", "never", "came", "4", "3"]
