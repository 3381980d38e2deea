"""The chapters as half of their readers see them: in JupyterLab, all cells run, and as
nbconvert exports them. What is folded is folded, what is set is set.
"""

import re
import subprocess

import nbformat
import pytest
from browser.jupyter import BIN, CHAPTERS, executed, isolated

from attention_book.site.exercises import HEADING

LINK = re.compile(r"\[([^\]\n]*\d{4}[a-z]?\)?)\]\((https?://[^)]*)\)")
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
    raw: all(text, bare).filter(words => /\\$|\\{\\w+\\}`|```/.test(words)),
    open: all("details[open]", node => node.textContent.slice(0, 60)),
    folds: all("details", node => node.querySelector("summary").textContent),
    shown: all("details > :not(summary)", node => node.checkVisibility() &&
      node.getClientRects().length > 0).filter(Boolean).length,
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
    folded = [c for c in cells(notebook, "code") if "solution" in c.metadata.tags]
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
    assert len(seen["folds"]) == wanted["folds"]
    assert seen["shown"] == 0, "an answer in plain sight"
    assert len(wanted["links"]) >= 3
    assert {tuple(each) for each in seen["links"]} >= set(wanted["links"])
    assert len(seen["pictures"]) == wanted["pictures"]
    assert all(len(alt) >= 80 and caption for alt, caption in seen["pictures"])


def open_in_lab(browser, address, path):
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}/lab/tree/{path.name}?reset")
    page.locator(".jp-Notebook .jp-MarkdownOutput h2", has_text="Summary").wait_for()
    page.wait_for_function("() => document.querySelector('mjx-container, .MathJax')")
    page.wait_for_timeout(2000)  # formulas are set one after another
    return page


@pytest.mark.timeout(400)
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_reads_right_in_jupyterlab(path, lab, browser):
    address, work = lab
    notebook = executed(path)
    for cell in cells(notebook, "code"):
        cell.metadata.setdefault("tags", [])
    nbformat.write(notebook, work / path.name)
    subprocess.run(
        [BIN / "jupyter", "trust", work / path.name],
        env=isolated(work.parent), check=True, capture_output=True,
    )  # fmt: skip
    page = open_in_lab(browser, address, path)
    compare(page.evaluate(SEEN), expected(notebook))
    hidden = page.evaluate(
        "() => [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')]"
        ".map(cell => !!cell.querySelector('.jp-InputPlaceholder'))"
    )
    asked = [
        cell.metadata.get("jupyter", {}).get("source_hidden", False)
        for cell in cells(notebook, "code")
    ]
    assert hidden == asked
    page.context.close()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_reads_right_when_exported(path, tmp_path, browser):
    notebook = executed(path)
    for cell in cells(notebook, "code"):
        cell.metadata.setdefault("tags", [])
    nbformat.write(notebook, tmp_path / path.name)
    subprocess.run(
        [BIN / "jupyter", "nbconvert", "--to=html", path.name],
        cwd=tmp_path, env=isolated(tmp_path), check=True, capture_output=True,
    )  # fmt: skip
    page = browser.new_page()
    page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
    page.goto((tmp_path / path.with_suffix(".html").name).as_uri(),
              wait_until="domcontentloaded")  # fmt: skip
    seen = page.evaluate(SEEN)
    seen["raw"] = []  # MathJax comes from a host elsewhere, which no test may ask
    compare(seen, expected(notebook))
    page.close()
