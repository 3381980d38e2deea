"""What browser tests share: the pages of the book, pages of our own, measures."""

import json
import os
from pathlib import Path

from attention_book.widgets.compose import compose_module

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("SITE_DIR", ROOT / "_build" / "html"))
PAGES = sorted(
    str(path.relative_to(BUILT))
    for path in BUILT.rglob("*.html")
    if not {"_static", "_sources"} & set(path.relative_to(BUILT).parts)
)
WRITTEN = [
    page for page in PAGES if page not in ("index.html", "genindex.html", "search.html")
]
CHAPTERS = [page for page in WRITTEN if page.startswith("chapters/")]
WITH_WIDGETS = [
    page
    for page in WRITTEN
    if "data-attention-widget=" in (BUILT / page).read_text(encoding="utf-8")
]
MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
SHIFT = f"() => {{ {MEASURE}\n return measure.shift(800); }}"
# every fold and every code
OPEN = """
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  for (const all of document.querySelectorAll("#code-everything")) all.checked = true;
"""
EVIL = '<img src=x onerror="window.hurt=1"></script><script>window.hurt=1</script>{row}'


def page_with(path, *widgets):
    """Write a page that holds only these widgets, and return its address."""
    body = "".join(widget._repr_mimebundle_()[0]["text/html"] for widget in widgets)
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>t</title>"
        "<meta name=color-scheme content='light dark'>"
        f"<link rel=icon href=data:,>{body}",
        "utf-8",
    )
    return path.as_uri()


LIVE = """(state) => {
  const listeners = {};
  window.sent = [];
  window.model = {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off() {},
    save_changes: () => window.sent.push(JSON.stringify(state.index)),
  };
  window.widget.render({ model: window.model, el: document.body });
}"""


def live(page, widget):
    """Draw a widget with the model of a kernel, which a test plays."""
    module = compose_module().replace("export default", "window.widget =")
    page.add_script_tag(content=f"{{{module}}}")
    state = {name: getattr(widget, name) for name in ("spec", "index", "focus")}
    page.evaluate(
        f"([state, data]) => ({LIVE})({{ ...state, data: Uint8Array.from(data) }})",
        [json.loads(json.dumps(state)), list(widget.data)],
    )


def cell_of(host, row, column):
    """The middle of a cell of a widget's first heat map, (x, y) on the page."""
    canvas = host.locator(".aw-panel-heat_map canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    columns, rows = canvas.evaluate("(node) => [node.width, node.height]")
    x = box["x"] + (column + 0.5) * box["width"] / columns
    return x, box["y"] + (row + 0.5) * box["height"] / rows


def colours_of(host):
    """The colours of the cells of a widget's first heat map, as one text."""
    canvas = host.locator(".aw-panel-heat_map canvas").first
    return canvas.evaluate("(node) => node.toDataURL()")


def seen(host):
    """Bring a part of a page near the screen, as a reader does: there it is drawn."""
    host.evaluate(
        """node => {
          const { top, bottom } = node.getBoundingClientRect();
          if (top > innerHeight || bottom < 0) node.scrollIntoView({ block: "center" });
        }"""
    )
    for _ in range(200):
        if host.inner_text().strip():
            return host
        host.page.wait_for_timeout(50)
    raise AssertionError("it is not drawn")


def faults(page, axe, where=".aw-host", scheme="light"):
    """What axe finds in a part of a page: by rule, the first nodes that break it.

    In the dark scheme it looks at contrast alone: nothing but colours is different.
    """
    page.evaluate(axe)
    # preload off: axe would ask for imported stylesheets at addresses where none are
    options = {"preload": False, "resultTypes": ["violations"]}
    if scheme == "dark":
        options["runOnly"] = ["color-contrast"]
    found = page.evaluate("(all) => axe.run(...all)", [where, options])
    return {
        rule["id"]: [node["html"][:160] for node in rule["nodes"][:3]]
        for rule in found["violations"]
    }


def height_within_a_screen(page, axe, width):
    """Return the height of the one widget of a page, in which axe finds nothing, and
    which fits a screen of this width.
    """
    assert faults(page, axe) == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    height = page.locator(".aw").bounding_box()["height"]
    assert height <= (620 if width == 1280 else 760)
    return height
