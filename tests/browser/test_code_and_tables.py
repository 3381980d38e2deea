"""Code is read without scrolling sideways; tables stay inside their box."""

import pytest
from browser.pages import OPEN, WRITTEN, faults

from attention_book import plots

CHAPTER = "chapters/02_attention.html"
SIDEWAYS = (
    f"() => {{ {OPEN}"
    + """
  const all = [...document.querySelectorAll("div.highlight pre")];
  const longest = (lines) => lines.reduce((a, b) => (b.length > a.length ? b : a));
  return all
    .filter((node) => node.scrollWidth > node.clientWidth)
    .map((node) => longest(node.textContent.split("\\n")));
}"""
)
IN_A_BOX = """(table) => {
  const box = document.querySelector("div.cell_output div.output");
  box.className = "output text_html";
  box.innerHTML = table;
  document.querySelectorAll("details").forEach((node) => (node.open = true));
  box.id = "box";
  box.scrollIntoView();
}"""
COLUMNS = (
    f"() => {{ {OPEN}"
    + """
  return [...document.querySelectorAll("div.highlight pre")].map((node) => {
    const ruler = document.createElement("span");
    const { paddingLeft, paddingRight } = getComputedStyle(node);
    ruler.textContent = "m".repeat(100);
    node.append(ruler);
    const letter = ruler.getBoundingClientRect().width / 100;
    ruler.remove();
    const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
    return (node.clientWidth - padding) / letter;
  });
}"""
)
# chapters whose tables need no more than a phone of 360 pixels has; in time, all
NARROW = ["03_look_and_say", "11_block", "15_generation"]
OPENED = f"() => {{ {OPEN} }}"
CUT = """(all) => all
  .filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth)
  .map((table) => table.caption.textContent)"""
WIDE = plots.table(
    {
        name: {f"a longer column {k}": k / 7 for k in range(12)}
        for name in ("dot", "general")
    },
    caption="Error by length: the share of words that are not those of the gold.",
    corner="score",
)._repr_html_()


@pytest.mark.parametrize("path", WRITTEN)
def test_neither_code_nor_tables_scroll_sideways_and_a_table_says_what_it_shows(
    path, site, open_page
):
    page = open_page(f"{site}/{path}")
    assert page.evaluate(SIDEWAYS) == []
    tables = page.locator("table.dataframe")
    assert tables.evaluate_all(CUT) == []
    for table in tables.all():
        caption = table.locator("caption").text_content()  # also of what is folded
        assert caption.strip(), table.text_content()[:80]
        assert table.locator("th:not([scope])").count() == 0


@pytest.mark.parametrize("chapter", NARROW)
def test_no_table_scrolls_sideways_on_a_small_phone(chapter, site, open_page):
    page = open_page(f"{site}/chapters/{chapter}.html", width=360)
    page.evaluate(OPENED)
    tables = page.locator("table.dataframe")
    assert tables.count() > 0
    assert tables.evaluate_all(CUT) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_line_of_88_letters_fits_wherever_code_stands(scheme, site, open_page):
    page = open_page(f"{site}/{CHAPTER}", color_scheme=scheme)
    assert min(page.evaluate(COLUMNS)) >= 88


@pytest.mark.parametrize("width", [390, 1280])
def test_a_wide_table_scrolls_inside_its_box(width, site, open_page):
    page = open_page(f"{site}/{CHAPTER}", width=width)
    page.evaluate(IN_A_BOX, WIDE)
    box = page.locator("#box")
    assert box.evaluate("(node) => node.scrollWidth > node.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for end in (0, 1e4) if width == 390 else ():  # its caption stays in sight
        box.evaluate("(node, end) => (node.scrollLeft = end)", end)
        caption = box.locator("caption").bounding_box()
        assert caption["x"] >= 0
        assert caption["x"] + caption["width"] <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_is_plain_and_can_be_read(scheme, site, open_page, axe):
    page = open_page(f"{site}/{CHAPTER}", color_scheme=scheme)
    page.evaluate(IN_A_BOX, WIDE)
    page.locator("#box tbody tr").first.hover()

    def styles(css, style):
        every = f"(all) => all.map((node) => getComputedStyle(node).{style})"
        return set(page.locator(css).evaluate_all(every))

    parts = "#box, #box table, #box tr, #box :is(th, td)"
    assert styles(parts, "backgroundColor") == {"rgba(0, 0, 0, 0)"}
    assert styles("#box tbody td", "textAlign") == {"right"}
    page.locator("#box").evaluate("(node) => (node.tabIndex = 0)")  # as the theme does
    assert faults(page, axe, "#box") == {}
