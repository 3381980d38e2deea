"""A mask that the reader paints: weights follow, and a row of nothing is said."""

import json

import numpy as np
import pytest
from browser.hands import (
    away,
    choose,
    drag,
    finger,
    keys,
    little_changes,
    press,
    rows,
    said,
)
from browser.pages import cell_of, colours_of, live
from browser.painted import WORDS, mask_and_heads, presets

from attention_book.chapters.masks_and_heads.widgets import peeking

CAUSAL, ALL = presets()["causal"], presets()["all"]
START, BIG, CAT, SITS = range(4)
HIDDEN, NOTHING = (
    "is hidden from cat: weight 0.00",
    "may look nowhere: nothing to average.",
)


def address(visible):
    bits = "".join(f"{bit:g}" for bit in np.ravel(visible))
    return f"#w=mask-and-heads&visible={bits}"


def without(visible, *cells):
    changed = visible.copy()
    for cell in cells:
        changed[cell] = 0
    return changed


@pytest.fixture
def mask_page(opened):
    return lambda at="", **options: opened(mask_and_heads(), at=at, **options)


def numbers(page):
    """The weights of the head, as the table shows them."""
    return [row[1:] for row in rows(page)]


def right(visible=CAUSAL, head="1 of 4"):
    """The same from Python."""
    widget = mask_and_heads()
    widget.setting = {"head": head, "visible": visible}
    values = widget.panels[0].fields["values"].at(widget.index)
    return [[f"{value:.2f}" for value in row] for row in values]


def grid(page):
    return page.locator("[aria-roledescription='heat map']")


def test_a_click_hides_an_input_and_the_rest_of_the_row_shares_its_weight(mask_page):
    page = mask_page()
    assert numbers(page) == right()
    with little_changes(page):
        page.mouse.click(*cell_of(page, CAT, START))
    now = without(CAUSAL, (CAT, START))
    assert numbers(page) == right(now)
    assert numbers(page)[CAT][START] == "0.00"
    assert said(page) == f"[START] {HIDDEN}"
    page.wait_for_url("**" + address(now))
    page.mouse.click(*cell_of(page, CAT, START))
    assert numbers(page) == right()
    assert said(page).startswith("cat attends 0.")
    page.wait_for_function("!location.hash")


def test_a_dragged_pointer_makes_every_square_what_it_made_the_first(mask_page):
    page = mask_page()
    drag(
        page, *(cell_of(page, *at) for at in ((START, BIG), (START, SITS), (CAT, SITS)))
    )
    page.mouse.move(*cell_of(page, CAT, len(WORDS) - 1), steps=8)  # it was let go
    page.mouse.click(*cell_of(page, CAT, BIG), button="right")
    painted = CAUSAL.copy()
    painted[START, BIG : SITS + 1] = painted[BIG, SITS] = painted[CAT, SITS] = 1
    page.wait_for_url("**" + address(painted))
    drag(page, cell_of(page, BIG, START), cell_of(page, BIG, SITS))
    page.wait_for_url("**" + address(without(painted, (BIG, slice(0, 4)))))


def test_a_finger_paints_and_the_page_stays(mask_page):
    page = mask_page(has_touch=True, width=390, height=300)
    x, y = cell_of(page, BIG, START)
    side, before = cell_of(page, SITS, START)[1] - y, page.evaluate("scrollY")
    finger(page, *((x, y + side * k / 8) for k in range(9)))
    cells = [(row, START) for row in (BIG, CAT, SITS)]
    page.wait_for_url("**" + address(without(CAUSAL, *cells)))
    assert page.evaluate("scrollY") == before


def test_squares_are_walked_and_changed_by_keys(mask_page):
    page = mask_page()
    grid(page).focus()
    keys(page, "Space")  # at no square yet
    keys(page, "ArrowDown", "ArrowDown", "ArrowDown", "Space")
    assert said(page) == f"[START] {HIDDEN}"
    page.wait_for_url("**" + address(without(CAUSAL, (CAT, START))))
    keys(page, "Space")
    page.wait_for_function("!location.hash")
    assert grid(page).evaluate("(node) => node === document.activeElement")


OPAQUE = """(node) => {
  const { width, height } = node, often = { willReadFrequently: true };
  const copy = new OffscreenCanvas(width, height).getContext("2d", often);
  copy.drawImage(node, 0, 0); // read itself, Chromium would warn
  const { data } = copy.getImageData(0, 0, width, height);
  return Array.from({ length: width * height }, (_, i) => data[4 * i + 3] / 255);
}"""


def test_a_button_sets_a_whole_mask_hatched_in_every_map_until_it_is_changed(mask_page):
    page = mask_page(address(without(ALL, (CAT, BIG))))
    pressed = page.locator("button[aria-pressed=true]")
    for name, mask in presets().items():
        assert pressed.count() == 0
        with little_changes(page):
            press(page, name)
        assert pressed.all_inner_texts() == [name]
        assert numbers(page) == right(mask), name
        canvases = page.locator("canvas.aw-hatched").all()
        assert len(canvases) == 5
        for canvas in canvases:
            assert canvas.evaluate(OPAQUE) == np.ravel(mask).tolist(), name
            image = canvas.evaluate("(node) => getComputedStyle(node).backgroundImage")
            assert image.startswith("repeating-linear-gradient")
        page.mouse.click(*cell_of(page, CAT, CAT))
    assert pressed.count() == 0


def small(page, head, row, column):
    """The middle of a cell of a small map."""
    picture = page.locator(".aw-map svg").nth(head)
    picture.scroll_into_view_if_needed()
    box, N = picture.bounding_box(), len(WORDS)
    x = box["x"] + (column + 0.5) * box["width"] / N
    return x, box["y"] + (row + 0.5) * box["height"] / N


def test_a_row_that_may_look_nowhere_is_said_and_has_no_numbers(mask_page):
    page = mask_page(address(without(CAUSAL, BIG, CAT)))
    assert said(page) == f"Big, cat {NOTHING}"
    shown = numbers(page)
    assert [row for row, line in enumerate(shown) if "–" in line] == [BIG, CAT]
    assert set(shown[BIG] + shown[CAT]) == {"–"}
    page.mouse.move(*cell_of(page, CAT, START))
    assert said(page) == f"cat {NOTHING}"
    page.mouse.move(*small(page, 1, CAT, START))
    assert said(page) == f"head 2: cat {NOTHING}"
    assert "NaN" not in page.locator("body").inner_text()


def test_there_is_a_map_for_each_head_and_the_chosen_one_is_marked(mask_page):
    page = mask_page()
    marked = page.locator(".aw-map.aw-on")
    for head in ("1 of 1", "2 of 2", "3 of 4"):
        k, _, N_heads = head.split()
        choose(page, head=head)
        assert page.locator(".aw-map").count() == int(N_heads)
        assert marked.all_inner_texts() == [f"head {k}"]
        own = marked.locator("canvas").evaluate("(node) => node.toDataURL()")
        assert own == colours_of(page)


def test_a_word_pointed_at_in_a_small_map_is_marked_in_all(mask_page):
    page = mask_page()
    bands, marked = (
        page.locator(".aw-map .aw-band.aw-shown"),
        page.locator(".aw-map.aw-on"),
    )
    page.mouse.move(*small(page, 2, SITS, BIG))
    weight = right(head="3 of 4")[SITS][BIG]
    assert said(page) == f"head 3: sits attends {weight} to Big"
    assert bands.count() == 4
    assert page.locator(".aw-panel-heat_map .aw-ring.aw-shown").count() == 1
    assert marked.all_inner_texts() == ["head 3"]
    page.mouse.move(*small(page, 2, CAT, SITS))
    assert said(page) == f"head 3: sits {HIDDEN}"
    away(page)
    assert bands.count() == 0
    assert marked.all_inner_texts() == ["head 1"]


def test_reset_brings_the_opening_mask_and_head_back(mask_page):
    page = mask_page(address(without(ALL, CAT)) + "&head=2-of-2")
    assert page.locator("select").evaluate("(node) => node.selectedIndex") == 2
    press(page, "Reset")
    assert numbers(page) == right()
    page.wait_for_function("!location.hash")


def test_a_live_model_and_the_page_paint_for_each_other(page):
    widget = mask_and_heads()
    live(page, widget)
    grid(page).focus()
    keys(page, "ArrowDown", "ArrowDown", "ArrowDown", "Space")
    widget.index = json.loads(page.evaluate("window.sent.at(-1)"))
    now = without(CAUSAL, (CAT, START))
    np.testing.assert_array_equal(widget.setting["visible"], now)
    assert numbers(page) == right(now)
    widget.setting = {"visible": without(ALL, (SITS, CAT))}
    page.evaluate("(index) => window.model.set('index', index)", widget.index)
    assert numbers(page) == right(without(ALL, (SITS, CAT)))


def test_a_painted_mask_is_the_one_that_a_running_model_reads_under(opened):
    page = opened(peeking())
    scores = page.locator(".aw-number")
    assert scores.all_inner_texts() == ["0.63", "1.00"]
    press(page, "causal")
    page.wait_for_function(
        "document.querySelectorAll('.aw-number')[1].textContent === '0.40'"
    )
    assert scores.all_inner_texts() == ["0.63", "0.40"]
    page.locator("select").select_option(label="with the mask")
    written = page.locator(".aw-token").all_inner_texts()
    assert " ".join(written) == "someone told everyone that the very"
