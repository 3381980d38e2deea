"""The book's pages as Jupyter Book builds them by itself, for `bench.py` to compare.

The same prose, outputs and figures, with the defaults (MathJax, every script) and
ipywidgets in place of our widgets: the twin of a widget is made by rule from what the
widget's own page says of it, its controls as sliders and menus, each panel as axes of
one matplotlib figure, saved with its state as an author would.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import yaml
from execution import execute
from sphinx_external_toc.parsing import parse_toc_yaml

STATE = re.compile(
    r'data-attention-widget=.*?<script type="application/json">(.*?)</script>', re.S
)
SCRIPT = re.compile(r"<script.*?</script>", re.S)
VIEW = "application/vnd.jupyter.widget-view+json"
KEPT = ("title", "author", "logo", "repository", "html", "bibtex_bibfiles")
TWIN = """\
import json, sys
from pathlib import Path
sys.path.insert(0, {tools!r})
import stock_book
stock_book.twin(json.loads(Path("states.json").read_text())[{number}])
"""


def build(root: Path, executed: dict[str, Any], folder: Path) -> Path:
    """Build a stock book with these executed notebooks; return where its pages are."""
    config = yaml.safe_load((root / "_config.yml").read_text("utf8"))
    files = ["_toc.yml", config["logo"], config["html"]["favicon"]]
    pages = parse_toc_yaml(root / "_toc.yml")
    found = [
        each.relative_to(root) for name in pages for each in root.glob(f"{name}.*")
    ]
    for file in [*files, *config["bibtex_bibfiles"], *found]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / file, folder / file)
    stock = {key: config[key] for key in KEPT} | {
        "only_build_toc_files": True,
        "execute": {"execute_notebooks": "off"},
    }
    (folder / "_config.yml").write_text(yaml.safe_dump(stock), "utf8")
    for name, notebook in executed.items():
        nbformat.write(with_twins(notebook, folder), folder / name)
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    done = subprocess.run(
        [jupyter_book, "build", "-q", str(folder)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the stock book was not built\n{done.stderr[-2000:]}")
    pages = folder / "_build" / "html"
    for page in pages.rglob("*.html"):
        # npm has one library only unminified, which the checksum here would refuse
        text = re.sub(r'\sintegrity="[^"]*"', "", page.read_text("utf8"))
        page.write_text(text, "utf8")
    return pages


def with_twins(notebook: Any, folder: Path) -> Any:
    """A copy of an executed notebook with a twin in the place of each widget."""
    notebook, places, states = nbformat.from_dict(notebook), [], []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop(VIEW, None)
            state = STATE.search(data.get("text/html", ""))
            if state and "controls" in (known := json.loads(state[1]))["spec"]:
                places.append(cell)
                states.append(known)
            elif "text/html" in data:  # quick questions: their text, without our script
                data["text/html"] = SCRIPT.sub("", data["text/html"])
    (folder / "states.json").write_text(json.dumps(states), "utf8")
    tools = str(Path(__file__).parent)
    cells = [
        nbformat.v4.new_code_cell(TWIN.format(tools=tools, number=number))
        for number in range(len(states))
    ]
    path = folder / "twins.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    outcome = execute(path, timeout=120)
    if outcome.error:
        raise SystemExit(f"the stock cells failed: {outcome.error}")
    twins = nbformat.reads(outcome.text, as_version=4)
    for place, made in zip(places, twins.cells, strict=True):
        place.outputs = made.outputs
    notebook.metadata["widgets"] = twins.metadata.get("widgets", {})
    return notebook


def twin(state: dict[str, Any]) -> None:
    """Show a widget as `interact` would: a menu or slider each, one figure.

    An array that is edited and words that are typed have no such control: they stay as
    they are.
    """
    from IPython.display import HTML, display
    from ipywidgets import Dropdown, SelectionSlider, fixed, interact
    from matplotlib import pyplot

    spec, data = state["spec"], base64.b64decode(state.get("data", ""))
    made = {
        control["name"]: fixed(default)
        if not isinstance(default, int)
        else (SelectionSlider if control["kind"] == "slider" else Dropdown)(
            options=[(label, k) for k, label in enumerate(control["labels"])],
            value=default,
            description=control["name"],
        )
        for control, default in zip(spec["controls"], spec["default"], strict=True)
    }

    def show(**index: int) -> None:
        panels = spec["panels"]
        size = (7, 2.2 * len(panels))
        _, axes = pyplot.subplots(len(panels), squeeze=False, figsize=size)
        for ax, panel in zip(axes.ravel(), panels, strict=True):
            draw(ax, panel, spec["controls"], list(index.values()), data)
        pyplot.show()

    display(HTML(f"<b>{spec['title']}</b><br>{spec['question']}"))
    interact(show, **made)


def draw(ax: Any, panel: dict, controls: list, index: list[int], data: bytes) -> None:
    """Draw what a panel shows at a setting: maps, curves and bars, else its words."""
    ax.set_title(panel["label"])
    shown = [value(each, controls, index, data) for each in panel["fields"].values()]
    for each in shown:
        if isinstance(each, np.ndarray) and each.ndim == 2 and panel["kind"] != "lines":
            ax.imshow(each, aspect="auto")
        elif isinstance(each, np.ndarray) and each.ndim:
            ax.plot(each.T)
        else:
            ax.text(0, 0.5, str(each)[:200], transform=ax.transAxes, wrap=True)


def value(field: dict, controls: list, index: list[int], data: bytes) -> Any:
    """A field of a widget's state at a setting; `js/decode.mjs` reads the same."""
    from attention_book.widgets.functions import COMPUTED
    from attention_book.widgets.pack import TYPES

    if "is" in field:
        return field["is"]
    if "control" in field:
        control, at = controls[field["control"]], index[field["control"]]
        return np.asarray(at) if control["kind"] == "free" else control["values"][at]
    if "run" in field:
        given = [value(each, controls, index, data) for each in field["with"]]
        return np.asarray(COMPUTED[field["run"]][0](*given))
    if "by" not in field:  # a network's answer, which a stock page cannot give
        return ""
    sizes = [len(controls[k]["labels"]) for k in field["by"]]
    place = [index[k] for k in field["by"]]
    at = int(np.ravel_multi_index(place, sizes)) if sizes else 0
    if "of" in field:
        return field["of"][at]
    shapes = field["shapes"] * (1 if len(field["shapes"]) > 1 else at + 1)
    start = sum(int(np.prod(shape)) for shape in shapes[:at])
    kind = np.dtype(TYPES[field["type"]])
    count, offset = int(np.prod(shapes[at])), field["at"] + start * kind.itemsize
    numbers = np.frombuffer(data, kind, count, offset).reshape(shapes[at])
    return numbers / 255 if field["type"] == "uint8" else numbers.astype(float)
