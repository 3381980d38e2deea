"""Widgets outside the book: in a real JupyterLab, and in an exported notebook."""

import json
import re
import shutil
import subprocess
from contextlib import contextmanager

import nbformat
import pytest
from browser.jupyter import BIN, isolated
from browser.pages import cell_of
from browser.test_widgets_editing import place, point
from playwright.sync_api import expect
from setup import LAB_SETTINGS

MAKE = """
from attention_book.widgets import Widget, heat_map, over, select, slider, tokens

weights = [[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.9], [1.0, 0.0]]]
axes = ("target", "source")
widget = Widget(
    "Live",
    controls=[slider("step", [0, 10, 20]), select("kind", ["dot", "mlp"])],
    panels=[
        tokens("target", ["uno", "dos"], axis="target"),
        heat_map(["uno", "dos"], ["one", "two"], over("step", weights), axes=axes),
    ],
)
widget"""
ASK = 'print("python sees", widget.setting, dict(widget.focus))'
TELL = 'widget.setting = {"step": 10, "kind": "mlp"}'
MAKE_QUESTIONS = """from IPython.display import display
from attention_book.widgets import predict, question, quick_questions, right, wrong

who = question("Who looks?", wrong("An input", "No."), right("A query", "It asks."))
asked, errs = quick_questions(who), "it errs in one of ten."
guess = predict("Which errs least?", ["dot", "MLP"], answer="dot", reveal=errs)
waiting = Widget("Waiting", panels=[tokens("t", ["uno"])], predict=guess)
display(asked, waiting)"""
ASK_ANSWERS = """seen = asked.answers, waiting.prediction, waiting.revealed
print("python sees", *seen)
for each in (asked, waiting):
    each.spec = each.spec | {"title": "Drawn again"}"""
TELL_ANSWERS = 'asked.answers = [[1]]; waiting.prediction = ""'
MAKE_RUNNING = """from attention_book.chapters.attention.widgets import own_sentence

widget = own_sentence()
widget"""
TRAIN_ANEW = """import torch
from attention_book import runs

run = runs.load("attention-dot")
model = run.model()
torch.manual_seed(0)
with torch.no_grad():
    for weights in model.parameters():
        weights += weights.std() * torch.randn_like(weights)
widget.model = model
source = run.vocabularies[0].encode(widget.setting["English"].split(), stop=True)
given = {"source": [source], "visible": [[True] * len(source)]}
outputs, _ = run.network().of(model.half().float()).write(given, max_words=20)
print("it writes:", *(run.vocabularies[1].words[i] for i in outputs["ids"]))"""


def write_notebook(path, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(book, path)


@contextmanager
def in_lab(lab, browser, *sources, height=1000):
    """A page with a notebook of these cells, whose kernel waits."""
    address, work = lab
    write_notebook(work / "live.ipynb", *sources)
    with browser.new_page(viewport={"width": 1280, "height": height}) as page:
        page.set_default_timeout(60_000)
        page.goto(f"{address}/lab/tree/live.ipynb?reset")
        page.locator(".jp-Notebook .jp-CodeCell").nth(len(sources) - 1).wait_for()
        page.locator(
            ".jp-NotebookPanel-toolbar [data-status=idle], "
            ".jp-Notebook-ExecutionIndicator[data-status=idle]"
        ).first.wait_for()
        yield page


def run_cell(page, number):
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(number)
    for _ in range(10):  # a busy JupyterLab may still be setting the editor up
        accept = page.locator("dialog.jp-Dialog .jp-mod-accept")
        if accept.is_visible():  # asked too early, it asks which kernel to take
            accept.click()
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(1500)
        if cell.locator(".jp-InputPrompt").first.inner_text() != "[ ]:":
            return cell
    pytest.fail(f"cell {number} does not run")


@pytest.mark.timeout(180)
def test_in_jupyterlab_page_and_python_move_each_other(lab, browser):
    sources = MAKE, ASK, TELL, MAKE_QUESTIONS, ASK_ANSWERS, TELL_ANSWERS
    with in_lab(lab, browser, *sources) as page:
        move_each_other(page)
        answer_and_predict(page)


def move_each_other(page):
    widget = run_cell(page, 0).locator(".aw")
    slider = widget.locator("input[type=range]")
    slider.wait_for()

    slider.press("End")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "x"):  # "x" cuts a cell
        slider.press(key)
    assert slider.input_value() == "1"
    slider.press("End")
    for _ in range(2):  # "d d" deletes a cell
        widget.get_by_role("button", name="Reset").press("d")
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == 6
    page.locator(".jp-mod-dirty").first.wait_for()
    slider.press("Control+s")
    page.locator(".jp-mod-dirty").wait_for(state="detached")
    frame = widget.locator('[aria-roledescription="heat map"]')
    frame.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        frame.press(key)
    assert widget.locator(".aw-out").inner_text() == "dos attends 0.00 to two"
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    # the notebook did not take the arrow keys
    assert "jp-mod-active" in cells.nth(0).get_attribute("class")

    said = run_cell(page, 1).locator(".jp-OutputArea-output")
    expect(said).to_contain_text("python sees {'step': 20, 'kind': 'dot'}")

    run_cell(page, 2)
    widget.locator(".aw-value", has_text="10").wait_for()
    assert slider.input_value() == "1"
    assert widget.locator("select").input_value() == "1"


def answer_and_predict(page):
    """Go on in the notebook above: Python sees and sets answers and predictions."""
    made = run_cell(page, 3)
    # what was chosen already is not chosen again, which Python would refuse
    for _ in range(2):
        made.get_by_role("button", name="An input").click()
    made.get_by_role("button", name="A query").click()
    made.get_by_role("button", name="MLP").press("Enter")
    line = made.locator(".aw-verdict p")
    assert line.inner_text() == "You predicted MLP. It is dot: it errs in one of ten."
    assert line.evaluate("(node) => node === document.activeElement")
    said = run_cell(page, 4).locator(".jp-OutputArea-output")
    expect(said).to_contain_text("python sees [[0, 1]] MLP False")
    made.locator(".aw-title", has_text="Drawn again").nth(1).wait_for()
    assert made.locator("output").first.inner_text() == "0 of 1 right at the first try"
    assert line.inner_text().startswith("You predicted MLP.")

    run_cell(page, 5)
    made.locator(".aw-gate").wait_for()
    assert made.locator("output").first.inner_text() == "1 of 1 right at the first try"
    assert made.locator("[aria-pressed=true]").all_inner_texts() == ["✓\nA query"]


@pytest.mark.timeout(180)
def test_a_saved_notebook_is_alive_in_jupyterlab_without_its_kernel(lab, browser):
    address, work = lab
    config = work.parent / "jupyter_config_dir" / "labconfig"
    config.mkdir(exist_ok=True)
    settings = config / "default_setting_overrides.json"
    settings.write_text(json.dumps(LAB_SETTINGS), "utf-8")
    with in_lab(lab, browser, MAKE) as page:
        run_cell(page, 0).locator(".aw input[type=range]").press("End")
        with page.expect_response(
            lambda answer: answer.request.method == "PUT" and "live.ipynb" in answer.url
        ):
            page.locator('[data-command="docmanager:save"]').first.click()
        assert "widget-state" in (work / "live.ipynb").read_text("utf-8")
        shutil.copy(work / "live.ipynb", work / "again.ipynb")  # a kernel of its own
        page.goto(f"{address}/lab/tree/again.ipynb?reset")
        page.locator(".aw-value", has_text="20").wait_for()
        page.locator(".aw input[type=range]").press("Home")
        page.locator(".aw-value", has_text="0").wait_for()


def test_an_exported_notebook_is_alive_without_a_kernel(tmp_path, browser):
    write_notebook(tmp_path / "export.ipynb", MAKE)
    kinds = "text/html", "image/svg+xml", "image/png", "text/markdown", "text/plain"
    first = f"--NbConvertBase.display_data_priority={json.dumps(kinds)}"
    subprocess.run(
        [BIN / "jupyter", "nbconvert", "--execute", "--to=html", first, "export.ipynb"],
        cwd=tmp_path, env=isolated(tmp_path), check=True, capture_output=True,
        timeout=120,
    )  # fmt: skip
    page = browser.new_page()
    # what nbconvert itself asks for
    page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
    page.goto((tmp_path / "export.html").as_uri(), wait_until="domcontentloaded")
    slider = page.locator(".aw input[type=range]")
    slider.press("End")
    assert page.locator(".aw-value").inner_text() == "20"
    page.mouse.move(*cell_of(page, 1, 0))
    assert page.locator(".aw-out").inner_text() == "dos attends 1.00 to one"
    page.close()


@pytest.mark.timeout(180)
def test_in_jupyterlab_a_point_and_python_move_each_other(lab, browser):
    made = "from attention_book.chapters.attention_layer.widgets import query_plane"
    sources = [f"{made}\nwidget = query_plane()\nwidget"]
    sources.append('print("python sees", widget.setting["q"].tolist())')
    sources.append('widget.setting = {"q": [[-1.5, 2]]}')
    with in_lab(lab, browser, *sources) as page:
        host = run_cell(page, 0)
        q = point(host, "q")
        q.press("ArrowRight")
        q.press("ArrowDown")
        assert place(q) == [1, -0.3]
        said = run_cell(page, 1).locator(".jp-OutputArea-output")
        expect(said).to_contain_text("python sees [[1.0, -0.3]]")
        run_cell(page, 2)
        point(host, "q").and_(page.locator('[aria-label^="q at −1.5, 2."]')).wait_for()


@pytest.mark.timeout(180)
def test_in_jupyterlab_a_figure_runs_a_readers_own_model(lab, browser):
    with in_lab(lab, browser, MAKE_RUNNING, TRAIN_ANEW, height=1600) as page:
        out = run_cell(page, 0).locator(".aw-out")
        out.wait_for()
        before = out.inner_text()
        told = run_cell(page, 1).locator(".jp-OutputArea-output")
        told.wait_for()
        (written,) = re.findall(r"it writes: (.*)", told.inner_text())
        assert written != before
        expect(out).to_have_text(written, timeout=20_000)
