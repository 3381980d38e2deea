"""A chapter shows code by reading it, and its solutions folded; see `test_listing`."""

import pytest
import torch
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from threadpoolctl import threadpool_info, threadpool_limits

from attention_book.devices import one_thread
from attention_book.reading import solution, source, start


def example(x: int) -> int:
    """Say the idea in one line.

    Everything below it is for the reference pages.
    """

    return x


def test_code_is_shown_with_its_module_as_a_listing():
    shown = source(example, example).data
    assert shown.startswith(f'From `{__name__}`:\n\n```python\ndef example(x):\n    "')
    assert shown.count("def example(x):") == 2
    assert "reference pages" not in shown


@pytest.mark.parametrize("thing", [3, len])
def test_what_has_no_source_is_refused(thing):
    with pytest.raises(TypeError):
        source(thing)


def test_nothing_to_show_is_refused():
    with pytest.raises(TypeError, match="nothing to show"):
        source()


class Shown:
    def _repr_html_(self) -> str:
        return "<table>\n\n<tr></tr>\n  \n</table>"


def test_a_solution_is_folded_with_what_comes_out():
    shown = solution(example, result=["So **it** is.", Shown()]).data
    head, *rest = shown.split("\n\n")
    assert head == ('<details class="solution"><summary>Show the solution</summary>'), (
        "a blank line below the summary, so that Markdown is read inside"
    )
    assert rest[-1] == "</details>"
    assert "<table>\n<tr></tr>\n</table>" in rest, "no blank line would end the HTML"
    assert "So **it** is." in rest
    assert shown.index("```python\ndef example") < shown.index("So **it** is.")


def test_a_solution_may_be_a_result_alone():
    assert "```" not in solution(result="Twelve.").data


@pytest.mark.parametrize("result", [3, None, [4]])
def test_what_cannot_be_shown_is_refused(result):
    with pytest.raises(TypeError, match="expected"):
        solution(result=result)


def run(*cells):
    """The outputs of cells in a real kernel; errors are kept."""
    book = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(book, allow_errors=True, timeout=120).execute()
    return [cell.outputs for cell in book.cells]


@pytest.mark.parametrize("call", ["figure = start('attention')", "start()"])
def test_a_cell_that_runs_too_early_says_what_to_run(call):
    start = f"from attention_book.reading import start\n{call}"
    inner = "def f():\n    return nowhere\nf()"
    deep = "from statistics import mean\nmean = eval('lambda: gone', {})\nmean()"
    began, early, inside, elsewhere, other = run(
        start, "model.step(1)", inner, deep, "1 / 0"
    )
    assert not began
    assert early[0]["output_type"] == "error", "the build still stops"
    assert early[0]["ename"] == "NameError"
    said, where = early[0]["traceback"]
    assert said.startswith("• model is not there yet.")
    assert where == "Line 1: model.step(1)"
    assert inside[0]["traceback"][1] == "Line 2: return nowhere"
    assert "Run All Above Selected Cell" in said
    assert "nowhere is not there yet" in inside[0]["traceback"][0]
    assert "not there yet" not in "".join(elsewhere[0]["traceback"]), "not the reader's"
    assert "ZeroDivisionError" in "".join(other[0]["traceback"])


@pytest.mark.parametrize(("asked", "threads"), [(None, 1), ("2", 2)])
def test_one_thread_computes_unless_the_reader_asks_for_more(
    asked, threads, monkeypatch
):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if asked:
        monkeypatch.setenv("OMP_NUM_THREADS", asked)
    try:
        threadpool_limits(2)
        torch.set_num_threads(2)
        start("attention")
        assert torch.get_num_threads() == threads
        assert {pool["num_threads"] for pool in threadpool_info()} == {threads}
    finally:
        one_thread()  # as tests/conftest.py has it


def test_a_chapter_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="expected a TOML file, or one of 'attention'"):
        start("attentoin")
