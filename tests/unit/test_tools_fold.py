"""Cells are folded by one rule from their tags: JupyterLab, Colab, the site."""

import fold_cells
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HIDDEN = {"source_hidden": True}


def folded(source, *tags, **metadata):
    cell = new_code_cell(source, metadata={"tags": [*tags], **metadata})
    fold_cells.fold(cell)
    return cell


def test_a_solution_is_hidden_in_each():
    cell = folded("solution(f)", "solution")
    assert cell.source == "# @title Solution\nsolution(f)"
    assert cell.metadata == {
        "cellView": "form",
        "jupyter": HIDDEN,
        "tags": ["remove-input", "solution"],
    }


def test_the_set_up_is_one_line():
    cell = folded("import x", "colab")
    assert cell.source.startswith("# @title Set up")
    assert cell.metadata["jupyter"] == HIDDEN
    assert cell.metadata["cellView"] == "form"
    assert "remove-cell" in cell.metadata["tags"]


def test_imports_are_open_in_jupyterlab_and_folded_on_the_site():
    cell = folded("import x", "imports")
    assert cell.metadata == {"tags": ["hide-input", "imports"]}


def test_plumbing_is_hidden_but_for_colab():
    cell = folded("plot()", "hide-input")
    assert cell.metadata == {"jupyter": HIDDEN, "tags": ["hide-input"]}


@pytest.mark.parametrize("tags", [[], ["exercise"], ["remove-input"]])
def test_what_was_folded_and_no_longer_is_opens(tags):
    cell = folded("# @title Solution\nf()", *tags, jupyter=HIDDEN, cellView="form")
    assert cell.source == "f()"
    assert set(cell.metadata) == {"tags"}


def test_a_closer_look_is_collapsed_and_other_headings_are_not():
    looks = [new_markdown_cell(f"### {name}") for name in ("Closer look: A", "A look")]
    looks[1].metadata["jp-MarkdownHeadingCollapsed"] = True
    notebook = new_notebook(
        cells=looks, metadata={"colab": {"collapsed_sections": [1]}}
    )
    fold_cells.fold_closer_looks(notebook)
    assert looks[0].metadata == {"jp-MarkdownHeadingCollapsed": True}
    assert looks[1].metadata == {}
    assert notebook.metadata.colab == {"collapsed_sections": [looks[0].id]}
    notebook.cells.pop(0)
    fold_cells.fold_closer_looks(notebook)
    assert "colab" not in notebook.metadata


def test_folding_twice_changes_nothing_more(tmp_path, capsys):
    path = tmp_path / "n.ipynb"
    cells = [
        new_markdown_cell("# One"),
        new_code_cell("f()", metadata={"tags": ["solution"]}),
    ]
    nbformat.write(new_notebook(cells=cells), path)
    assert fold_cells.main(["--check", str(path)]) == 1
    assert "not folded" in capsys.readouterr().err
    assert fold_cells.main([str(path)]) == 0
    once = path.read_text("utf-8")
    assert fold_cells.main(["--check", str(path)]) == 0
    assert fold_cells.main([str(path)]) == 0
    assert path.read_text("utf-8") == once
