"""The chapters as half of their readers see them: in JupyterLab, all cells run, and as
nbconvert exports them. What is folded is folded, what is set is set.
"""

import re
from html import escape

import nbformat
import pytest
from browser.jupyter import NOTEBOOKS, executed, isolated, serving
from nbconvert import HTMLExporter
from nbformat.sign import NotebookNotary

from attention_book.site.exercises import HEADING

LINK = re.compile(r"\[([^\]\n]*\d{4}[a-z]?\)?)\]\((https?://[^)]*)\)")
FORMULA = re.compile(r"\$\$.*?\$\$|\$.*?\$", re.S)
SEEN = """() => {
  const all = (css, what) => [...document.querySelectorAll(css)].map(what);
  const bare = node => {  // its text, without code and set formulas
    const copy = node.cloneNode(true);
    copy.querySelectorAll("code, pre, mjx-container, .MathJax, .aw, script, style")
      .forEach(inner => inner.remove());
    return copy.textContent;
  };
  const text = ".jp-MarkdownCell .jp-MarkdownOutput, body > main .jp-MarkdownOutput";
  return {
    exercises: all("h3", node => node.textContent.replace("¶", ""))
      .filter(title => title.startsWith("Exercise")),
    formulas: all("mjx-container, .MathJax", () => 1).length,
    raw: all(text, bare).filter(words => /\\$|\\{[a-z:]+\\}|```/.test(words))
      .concat(all(".jp-MarkdownCell pre", node => node.textContent)
        .filter(words => /\\$|^:\\w+:/.test(words))),
    open: all("details[open]", node => node.textContent.slice(0, 60)),
    folds: all("details", node => node.querySelector("summary").textContent),
    shown: all("details > :not(summary)", node => node.checkVisibility() &&
      node.getClientRects().length > 0).filter(Boolean).length,
    twice: all(".aw [id]", node => node.id).filter((id, i, ids) => ids.indexOf(id) < i),
    links: all("a[href^=http]", node => [node.textContent, node.getAttribute("href")]),
    pictures: all("figure.captioned", node => [node.querySelector("img").alt,
      node.querySelector("figcaption").textContent]),
  };
}"""


def cells(notebook, kind):
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def expected(notebook):
    """What the notebook's source promises a reader."""
    text = "\n\n".join(cell.source for cell in cells(notebook, "markdown"))
    folded = [
        c for c in cells(notebook, "code") if re.search(r"^solution\(", c.source, re.M)
    ]
    return {
        "exercises": re.findall(r"^### (Exercise .*)$", text, re.M),
        "folds": len(re.findall("<details>", text)) + len(folded),
        "links": LINK.findall(text),
        "pictures": sum('figure("' in cell.source for cell in cells(notebook, "code")),
    }


def compare(seen, wanted):
    assert len(wanted["exercises"]) >= 4
    assert seen["exercises"] == wanted["exercises"]
    assert all(map(HEADING.fullmatch, seen["exercises"]))
    assert seen["raw"] == [], "formulas, roles or fences in plain sight"
    assert seen["open"] == []
    assert seen["twice"] == [], "a label of one widget would name a part of another"
    assert len(seen["folds"]) == wanted["folds"]
    assert seen["shown"] == 0, "an answer in plain sight"
    assert len(wanted["links"]) >= 3
    assert {tuple(each) for each in seen["links"]} >= set(wanted["links"])
    assert len(seen["pictures"]) == wanted["pictures"]
    assert all(len(alt) >= 80 and caption for alt, caption in seen["pictures"])


def write(notebook, path):
    for cell in cells(notebook, "code"):
        cell.metadata.setdefault("tags", [])
    nbformat.write(notebook, path)


def open_in_lab(browser, address, path):
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}/lab/tree/{path.name}?reset")
    page.locator(".jp-Notebook .jp-MarkdownOutput h2", has_text="Summary").wait_for()
    page.wait_for_function("() => document.querySelector('mjx-container, .MathJax')")
    page.wait_for_timeout(2000)  # formulas are set one after another
    return page


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """One JupyterLab for all chapters."""
    with serving(tmp_path_factory.mktemp("lab")) as served:
        yield served


@pytest.mark.timeout(400)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_reads_right_in_jupyterlab(path, lab, browser):
    address, work = lab
    notebook = executed(path)
    write(notebook, work / path.name)
    data = isolated(work.parent)["JUPYTER_DATA_DIR"]
    written = nbformat.read(work / path.name, as_version=4)
    NotebookNotary(data_dir=data).sign(written)  # trusted: its outputs are shown
    page = open_in_lab(browser, address, path)
    compare(page.evaluate(SEEN), expected(notebook))
    hidden = page.evaluate(
        "() => [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')]"
        ".map(cell => !!cell.querySelector('.jp-InputPlaceholder'))"
    )
    folded = {"colab", "hide-input", "solution"}
    asked = [
        bool(folded & set(cell.metadata.tags)) and "imports" not in cell.metadata.tags
        for cell in cells(notebook, "code")
    ]
    assert hidden == asked
    page.context.close()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_reads_right_when_exported(path, tmp_path, browser):
    notebook = executed(path)
    html, _ = HTMLExporter().from_notebook_node(notebook)
    exported = tmp_path / "exported.html"
    exported.write_text(html, "utf-8")
    page = browser.new_page()
    page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
    page.goto(exported.as_uri(), wait_until="domcontentloaded")
    seen = page.evaluate(SEEN)
    # formulas stay as typed: MathJax comes from a host elsewhere, which no test may ask
    unset = [FORMULA.sub("", words) for words in seen["raw"]]
    seen["raw"] = [words for words in unset if re.search(r"\{[a-z:]+\}|```", words)]
    compare(seen, expected(notebook))
    page.close()


@pytest.mark.timeout(600)
def test_running_all_cells_reveals_nothing(lab, browser):
    address, work = lab
    path = NOTEBOOKS[-1]
    notebook = nbformat.read(path, as_version=4)
    write(notebook, work / path.name)
    page = open_in_lab(browser, address, path)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for()
    page.locator(".jp-Notebook .jp-Cell").first.click(position={"x": 5, "y": 5})
    page.keyboard.press("Control+Shift+c")
    page.locator(".lm-CommandPalette-input").fill("Run All Cells")
    page.locator(".lm-CommandPalette-item", has_text="Run All Cells").first.click()
    wanted = expected(notebook)
    page.wait_for_function(
        "folds => document.querySelectorAll('.jp-Notebook details').length >= folds",
        arg=wanted["folds"],
        timeout=500_000,
    )
    page.wait_for_timeout(2000)
    compare(page.evaluate(SEEN), wanted)
    wrong = page.locator('[data-mime-type$="error"], [data-mime-type$="stderr"]')
    assert wrong.count() == 0
    page.context.close()


def frames(notebook):
    """What cells show, each in a page of its own as in Colab: no style, no manager."""
    for cell in cells(notebook, "code"):
        for output in cell.outputs:
            html = output.get("data", {}).get("text/html")
            if html:
                yield cell.id, f"<!doctype html><html lang=en><body>{html}"


def test_outputs_stand_alone_in_a_frame_without_style_or_manager(browser):
    shown = dict(frames(executed(NOTEBOOKS[1])))
    body = "".join(
        f'<iframe id="{name}" sandbox="allow-scripts" srcdoc="{escape(page)}" '
        'width="900" height="700"></iframe>'
        for name, page in shown.items()
    )
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_content(body)
    page.wait_for_load_state("networkidle")

    def inside(css):
        found = [page.frame_locator(f"#{name}").locator(css) for name in shown]
        return [each.first for each in found if each.count()]

    cards, pictures = inside(".claim, .check"), inside("figure.captioned")
    assert len(cards) >= 8
    assert len(pictures) >= 5
    for card in cards:
        edge = card.evaluate("node => getComputedStyle(node).borderLeftWidth")
        assert edge == "4px"
    for picture in pictures:
        box = picture.locator("img").bounding_box()
        assert box["width"] > 200
        assert picture.locator("figcaption").bounding_box()["y"] > box["y"]
    (slider, *_) = inside(".aw input[type=range]")
    before = slider.input_value()
    slider.press("End")
    slider.press("ArrowLeft")
    assert slider.input_value() != before
    assert not said
    page.close()
