"""A mask that the reader paints: weights follow, and a row of nothing is said."""

import json

import numpy as np
import pytest
from browser.hands import finger
from browser.pages import cell_of, colours_of
from browser.painted import WORDS, mask_and_heads, presets
from browser.test_widgets_editing import WATCH, live

from attention_book.chapters.masks_and_heads.widgets import peeking

CAUSAL, ALL = presets()["causal"], presets()["all"]
START, BIG, CAT, SITS = range(4)
TOUCH = {"has_touch": True, "width": 390, "height": 300}


def address(visible, start="#w=mask-and-heads&visible="):
    return start + "".join(f"{bit:g}" for bit in np.ravel(visible))


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
    toggle = page.get_by_role("button", name="Show numbers")
    if toggle.count():
        toggle.click()
    rows = page.locator(".aw-table tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


def right(head, visible):
    """The same from Python."""
    widget = mask_and_heads()
    widget.setting = {"head": head, "visible": visible}
    values = widget.panels[0].fields["values"].at(widget.index)
    return [[f"{value:.2f}" for value in row] for row in values]


def out(page):
    return page.locator(".aw-out").inner_text()


def grid(page):
    return page.locator("[aria-roledescription='heat map']")


def test_a_click_hides_an_input_and_the_rest_of_the_row_shares_its_weight(mask_page):
    page = mask_page()
    assert numbers(page) == right("1 of 4", CAUSAL)
    page.mouse.click(*cell_of(page, CAT, START))
    now = without(CAUSAL, (CAT, START))
    assert numbers(page) == right("1 of 4", now)
    assert numbers(page)[CAT][START] == "0.00"
    assert out(page) == "[START] is hidden from cat: weight 0.00"
    page.wait_for_url("**" + address(now))
    page.mouse.click(*cell_of(page, CAT, START))
    assert numbers(page) == right("1 of 4", CAUSAL)
    assert out(page).startswith("cat attends 0.")
    page.wait_for_function("!location.hash")


def test_a_dragged_pointer_makes_every_square_what_it_made_the_first(mask_page):
    page = mask_page()
    page.mouse.move(*cell_of(page, START, BIG))
    page.mouse.down()
    page.mouse.move(*cell_of(page, START, SITS), steps=8)
    page.mouse.move(*cell_of(page, CAT, SITS), steps=8)
    page.mouse.up()
    page.mouse.move(*cell_of(page, CAT, len(WORDS) - 1), steps=8)  # it was let go
    page.mouse.click(*cell_of(page, CAT, BIG), button="right")
    painted = CAUSAL.copy()
    painted[START, BIG : SITS + 1] = painted[BIG, SITS] = painted[CAT, SITS] = 1
    page.wait_for_url("**" + address(painted))
    page.mouse.move(*cell_of(page, BIG, START))
    page.mouse.down()
    page.mouse.move(*cell_of(page, BIG, SITS), steps=8)
    page.wait_for_url("**" + address(without(painted, (BIG, slice(0, 4)))))


def test_a_finger_paints_and_the_page_stays(mask_page):
    page = mask_page(**TOUCH)
    x, y = cell_of(page, BIG, START)
    side, before = cell_of(page, SITS, START)[1] - y, page.evaluate("scrollY")
    finger(page, *((x, y + side * k / 8) for k in range(9)))
    cells = [(row, START) for row in (BIG, CAT, SITS)]
    page.wait_for_url("**" + address(without(CAUSAL, *cells)))
    assert page.evaluate("scrollY") == before


def test_squares_are_walked_and_changed_by_keys(mask_page):
    page = mask_page()
    grid(page).focus()
    page.keyboard.press("Space")  # at no square yet
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Space"):
        page.keyboard.press(key)
    assert out(page) == "[START] is hidden from cat: weight 0.00"
    page.wait_for_url("**" + address(without(CAUSAL, (CAT, START))))
    page.keyboard.press("Space")
    page.wait_for_function("!location.hash")
    assert grid(page).evaluate("(node) => node === document.activeElement")


@pytest.mark.parametrize("name", presets())
def test_a_button_sets_a_whole_mask_and_says_that_it_holds(mask_page, name):
    page = mask_page(address(without(ALL, (CAT, BIG))))
    pressed = page.locator("button[aria-pressed=true]")
    assert pressed.count() == 0
    page.get_by_role("button", name=name, exact=True).click()
    assert pressed.all_inner_texts() == [name]
    assert numbers(page) == right("1 of 4", presets()[name])
    page.mouse.click(*cell_of(page, CAT, CAT))
    assert pressed.count() == 0


def test_a_row_that_may_look_nowhere_is_said_and_has_no_numbers(mask_page):
    page = mask_page(address(without(CAUSAL, BIG, CAT)))
    assert out(page) == "Big, cat may look nowhere: nothing to average."
    shown = numbers(page)
    assert [row for row, line in enumerate(shown) if "–" in line] == [BIG, CAT]
    assert set(shown[BIG] + shown[CAT]) == {"–"}
    page.mouse.move(*cell_of(page, CAT, START))
    said = "cat may look nowhere: nothing to average."
    assert out(page) == said
    page.mouse.move(*small(page, 1, CAT, START))
    assert out(page) == f"head 2: {said}"
    assert "NaN" not in page.locator("body").inner_text()


def small(page, head, row, column):
    """The middle of a cell of a small map."""
    picture = page.locator(".aw-map svg").nth(head)
    picture.scroll_into_view_if_needed()
    box, N = picture.bounding_box(), len(WORDS)
    x = box["x"] + (column + 0.5) * box["width"] / N
    return x, box["y"] + (row + 0.5) * box["height"] / N


PIXELS = """(node) => {
  const { data } = node.getContext("2d").getImageData(0, 0, node.width, node.height);
  return Array.from({ length: data.length / 4 }, (_, i) => data[4 * i + 3] / 255);
}"""


@pytest.mark.parametrize("name", presets())
def test_hidden_squares_are_hatched_in_every_map(mask_page, name):
    page = mask_page()
    page.get_by_role("button", name=name, exact=True).click()
    canvases = page.locator("canvas.aw-hatched").all()
    assert len(canvases) == 5
    for canvas in canvases:
        assert canvas.evaluate(PIXELS) == np.ravel(presets()[name]).tolist()
        image = canvas.evaluate("(node) => getComputedStyle(node).backgroundImage")
        assert image.startswith("repeating-linear-gradient")


def test_there_is_a_map_for_each_head_and_the_chosen_one_is_marked(mask_page):
    page = mask_page()
    menu, maps = page.locator("select"), page.locator(".aw-map")
    for head in ("1 of 1", "2 of 2", "3 of 4"):
        k, _, N_heads = head.split()
        menu.select_option(label=head)
        assert maps.count() == int(N_heads)
        marked = page.locator(".aw-map.aw-on")
        assert marked.all_inner_texts() == [f"head {k}"]
        own = marked.locator("canvas").evaluate("(node) => node.toDataURL()")
        assert own == colours_of(page)


def test_a_word_pointed_at_in_a_small_map_is_marked_in_all(mask_page):
    page = mask_page()
    page.mouse.move(*small(page, 2, SITS, BIG))
    weight = right("3 of 4", CAUSAL)[SITS][BIG]
    assert out(page) == f"head 3: sits attends {weight} to Big"
    bands = page.locator(".aw-map .aw-band.aw-shown")
    assert bands.count() == 4
    assert page.locator(".aw-panel-heat_map .aw-ring.aw-shown").count() == 1
    assert page.locator(".aw-map.aw-on .aw-map-name").all_inner_texts() == ["head 3"]
    page.mouse.move(*small(page, 2, CAT, SITS))
    assert out(page) == "head 3: sits is hidden from cat: weight 0.00"
    page.mouse.move(1, 1)
    assert bands.count() == 0
    assert page.locator(".aw-map.aw-on .aw-map-name").all_inner_texts() == ["head 1"]


@pytest.mark.parametrize("said", ["", "1", "1" * 35, "1" * 37, "2" * 36, "x" * 36])
def test_a_mask_that_an_address_gets_wrong_stays_as_it_opens(mask_page, said):
    page = mask_page(f"#w=mask-and-heads&visible={said}")
    assert numbers(page) == right("1 of 4", CAUSAL)


def test_reset_brings_the_opening_mask_and_head_back(mask_page):
    page = mask_page(address(without(ALL, CAT)) + "&head=2-of-2")
    assert page.locator("select").evaluate("(node) => node.selectedIndex") == 2
    page.get_by_role("button", name="Reset").click()
    assert numbers(page) == right("1 of 4", CAUSAL)
    page.wait_for_function("!location.hash")


def test_there_is_one_stop_for_each_part(mask_page):
    page, stops = mask_page(), []
    for _ in range(9):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                "document.activeElement.textContent.trim().slice(0, 7)"
                " || document.activeElement.getAttribute('role')"
            )
        )
    assert stops[1:] == [
        *presets(),
        "[START]",  # the grid
        "Reset",
        "Show nu",
        stops[8],
    ]


def test_painting_changes_little_of_the_page(mask_page):
    page = mask_page()
    page.evaluate(WATCH)
    page.mouse.move(*cell_of(page, CAT, START))
    page.evaluate("window.changes = 0")
    page.mouse.down()
    assert 0 < page.evaluate("window.changes") <= 150
    page.evaluate("window.changes = 0")
    page.get_by_role("button", name="padding").click()
    assert 0 < page.evaluate("window.changes") <= 150


def test_a_live_model_and_the_page_paint_for_each_other(page):
    widget = mask_and_heads()
    live(page, widget)
    grid(page).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Space"):
        page.keyboard.press(key)
    sent = json.loads(page.evaluate("window.sent.at(-1)"))
    widget.index = sent
    now = without(CAUSAL, (CAT, START))
    np.testing.assert_array_equal(widget.setting["visible"], now)
    assert numbers(page) == right("1 of 4", now)
    widget.setting = {"visible": without(ALL, (SITS, CAT))}
    page.evaluate("(index) => window.model.set('index', index)", widget.index)
    assert numbers(page) == right("1 of 4", without(ALL, (SITS, CAT)))


def test_a_painted_mask_is_the_one_that_a_running_model_reads_under(opened):
    page = opened(peeking())
    scores = page.locator(".aw-number")
    assert scores.all_inner_texts() == ["0.63", "1.00"]
    page.get_by_role("button", name="causal", exact=True).click()
    page.wait_for_function(
        "document.querySelectorAll('.aw-number')[1].textContent === '0.40'"
    )
    assert scores.all_inner_texts() == ["0.63", "0.40"]
    page.locator("select").select_option(label="with the mask")
    written = page.locator(".aw-token").all_inner_texts()
    assert " ".join(written) == "someone told everyone that the very"
