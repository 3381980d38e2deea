"""What a reader does with a figure, and what is then read on it."""

from contextlib import contextmanager

MOST = 150  # attributes and texts set, nodes that come or go, for one input
WATCH = """() => {
  const count = ({ type, addedNodes, removedNodes }) =>
    type === "childList" ? addedNodes.length + removedNodes.length : 1;
  const what = ["subtree", "childList", "attributes", "characterData"];
  if (!("changes" in window))
    new MutationObserver((records) => {
      for (const record of records) window.changes += count(record);
    }).observe(document.body, Object.fromEntries(what.map((each) => [each, true])));
  window.changes = 0;
}"""
STOP = """() => {
  const { activeElement: node } = document;
  const role = node.getAttribute("aria-roledescription") ?? node.getAttribute("role");
  return role ?? node.localName;
}"""
WIDE = "body, text { font-family: DejaVu Sans, Verdana }"  # wider than most
CUT = """(all) => all
  .filter((node) => node.scrollWidth > node.clientWidth + 1)
  .map((node) => node.textContent)"""


def press(page, *names):
    """Press buttons of these names, one after another."""
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def keys(page, *names):
    """Press keys where the focus is."""
    for name in names:
        page.keyboard.press(name)


def choose(host, **controls):
    """Set menus, each to the option of this label; `_` is a blank in a name."""
    for name, label in controls.items():
        menu = host.locator(f'select[data-control="{name.replace("_", " ")}"]')
        menu.select_option(label=label)


def slide(host, name, *names):
    """Press keys at a slider."""
    for key in names:
        host.locator(f'input[data-control="{name}"]').press(key)


def said(host):
    """The live line below a figure."""
    return host.locator(".aw-out").inner_text()


def away(page):
    """Point at nothing."""
    page.mouse.move(1, 1)


def walk(steps, do, read):
    """Take steps, each (what is done, what is then read); a failure names its step."""
    for k, (what, expected) in enumerate(steps, 1):
        do(what)
        assert read() == expected, f"step {k}: {what}"


def number(text):
    """What a reader reads, with its minus sign."""
    return float(text.replace("−", "-"))


def rows(page):
    """What the tables below a figure hold, row by row, without their heads."""
    toggle = page.get_by_role("button", name="Show numbers")
    if toggle.count():
        toggle.click()
    return [
        row.locator(":is(th, td)").all_inner_texts()
        for row in page.locator(".aw-table tbody tr").all()
    ]


def stops(page, count):
    """Where so many presses of Tab lead: to what role, or else tag."""
    found = []
    for _ in range(count):
        page.keyboard.press("Tab")
        found.append(page.evaluate(STOP))
    return found


@contextmanager
def little_changes(page):
    """What is done inside changes something of the page, and little."""
    page.evaluate(WATCH)
    yield
    assert 0 < page.evaluate("window.changes") <= MOST


def middle(node):
    """The middle of a part, (x, y) on the page."""
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, *path, steps=6):
    """Drag the mouse along these places, and let go."""
    page.mouse.move(*path[0])
    page.mouse.down()
    for at in path[1:]:
        page.mouse.move(*at, steps=steps)
    page.mouse.up()


def finger(page, *path):
    """Drag a finger along these places, and lift it."""
    touch = page.context.new_cdp_session(page)
    for kind, at in zip(
        ["touchStart", *["touchMove"] * (len(path) - 1), "touchEnd"],
        [*path, None],
        strict=True,
    ):
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
