"""Plumbing, the cells tagged `hide-input`, is out of sight on the site; a page's switch
*Code: ideas / everything* shows it.

The switch is two radio buttons and a rule of the stylesheet, so it works without a
script. The script only remembers the choice from page to page, and puts it back before
anything below the switch is drawn.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

PLUMBING = "plumbing"  # the class of what the switch shows and hides
SWITCH = """
<fieldset class="code-switch">
<legend>Code</legend>
<label title="The code that the page is about"><input
type="radio" name="code" autocomplete="off" id="code-ideas" checked> ideas</label>
<label title="Also what draws its figures, makes its tables and tests its claims"><input
type="radio" name="code" autocomplete="off" id="code-everything"> everything</label>
</fieldset>
<script>
((choice, key) => {
  const [ideas, everything] = choice.elements;
  const put = () => {
    (localStorage.getItem(key) === everything.id ? everything : ideas).checked = true;
  };
  put();
  addEventListener("pageshow", put); // a reader who comes back to a page kept in memory
  addEventListener("storage", put); // chosen in another tab, or just before, on disk
  choice.addEventListener("change", ({ target }) =>
    localStorage.setItem(key, target.id));
})(document.currentScript.previousElementSibling, "attention-book-code");
</script>
"""


def setup_plumbing(app: Sphinx) -> None:
    """Mark the plumbing of a page as it is read."""
    app.connect("doctree-read", hide_plumbing)


def hide_plumbing(app: Sphinx, doctree: nodes.document) -> None:
    """Mark what only the switch shows, in place of MyST-NB's fold, and put the switch
    under the title of a page that has such cells.
    """
    found = False
    for cell in doctree.findall(nodes.container):
        if cell.get("hide_mode") == "input":
            del cell["hide_mode"]
            code, *output = cell.children
            (code if output else cell)["classes"].append(PLUMBING)
            found = True
    if found:
        page = next(doctree.findall(nodes.section))
        page.insert(1, nodes.raw("", SWITCH, format="html"))
