"""The comparison with a stock book: what is exchanged, what is answered for another host, and when it fails."""

import importlib
import io
import sys
import tarfile
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def compare(monkeypatch):
    """The tool, with its neighbours in `tools/` importable while the test runs."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    known = set(sys.modules)
    yield importlib.import_module("compare_stock")
    for name in {
        "compare_stock",
        "stock_twins",
        "browser",
        "build_book",
        "execution",
    } - known:
        sys.modules.pop(name, None)


@pytest.fixture
def npm(compare, tmp_path, monkeypatch):
    """Packages that hold one file each, whatever is asked for."""

    def package(self, spec):
        path = tmp_path / f"{spec.replace('/', '-')}.tgz"
        with tarfile.open(path, "w:gz") as archive:
            name = {"requirejs@2.3.4": "package/require.js"}.get(
                spec, "package/dist/main.js"
            )
            info = tarfile.TarInfo(name)
            info.size = len(spec)
            archive.addfile(info, io.BytesIO(spec.encode()))
        return tarfile.open(path)

    monkeypatch.setattr(compare.Npm, "package", package)
    return compare.Npm(tmp_path)


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
    assert npm.find(f"https://host.example/{path}")[1] == package


@pytest.mark.parametrize("path", ["npm/mathjax@3/dist/other.js", "fonts/a.woff"])
def test_a_file_npm_lacks_is_not_made_up(npm, path):
    assert npm.find(f"https://host.example/{path}") is None


def test_only_loopback_is_not_elsewhere(compare):
    assert compare.ELSEWHERE.match("https://host.example/a.js")
    assert not compare.ELSEWHERE.match("http://127.0.0.1:8000/a.js")


def test_a_widget_without_a_twin_stops_the_comparison(compare, tmp_path):
    html = nbformat.v4.new_output(
        "display_data", {"text/html": "<div data-attention-widget='x'></div>"}
    )
    cell = nbformat.v4.new_code_cell("showcase.nobody_compares(1)", outputs=[html])
    with pytest.raises(SystemExit, match="1 of them without a twin"):
        compare.with_twins(nbformat.v4.new_notebook(cells=[cell]), tmp_path)


@pytest.mark.parametrize(
    ("kilobytes", "milliseconds", "url", "passes"),
    [
        (35, 40, "http://127.0.0.1:1/a", True),
        (36, 40, "http://127.0.0.1:1/a", False),
        (35, 41, "http://127.0.0.1:1/a", False),
        (35, 40, "https://host.example/npm/a@1/b.js", False),
    ],
)
def test_each_bound_can_fail_it(
    compare, npm, capsys, kilobytes, milliseconds, url, passes
):
    npm.found[url] = None
    loads = {"ours": [1, milliseconds, 900], "stock": [100, 100, 100]}
    sizes = {
        "ours": {url: kilobytes * 1000},
        "stock": {"http://127.0.0.1:2/a": 100_000},
    }
    assert compare.report(loads, sizes, npm) is passes
    assert f"{kilobytes / 100:.2f}" in capsys.readouterr().out
