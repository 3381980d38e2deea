"""A picture whose cells ask: one is clicked, or walked to, and its look is shown."""

import numpy as np
import pytest
from browser.hands import away, choose, little_changes, press, said, walk

from attention_book.widgets import Widget, cells, control, over, picture, select

N = 4
A = np.random.default_rng(0).dirichlet(np.ones(N * N) / 2, size=(2, N * N))
BOXES = {"boxes": [(0, 0, 8, 8), (8, 20, 8, 8)], "names": ["sun", "sea"]}


def asking():
    look = over("scene", "cell", A.reshape(2, N * N, N, N))
    pixels = np.linspace(0, 1, 32 * 32).reshape(32, 32)
    asks = {"query": "it", "asks": control("cell")}
    return Widget(
        "Where a cell looks",
        controls=[select("scene", ["day", "night"]), cells("cell", N, N, (2, 3))],
        panels=[picture(pixels, look, "A slope.", **BOXES, **asks)],
        summary=over("cell", [f"cell {k + 1} asks" for k in range(N * N)]),
        link="asking",
    )


@pytest.fixture
def opened(opened):
    return lambda at="", **options: opened(asking(), at=at, **options)


def middle(page, row, column):
    """Of a cell, counted from 1, on the page."""
    box = page.locator("canvas").bounding_box()
    side = box["width"] / N
    return box["x"] + (column - 0.5) * side, box["y"] + (row - 0.5) * side


def asker(page):
    """Row and column of the cell in orange, which is the one that is said to ask."""
    box = page.locator(".aw-asker").bounding_box()
    frame = page.locator("canvas").bounding_box()
    side = frame["width"] / N
    at = [(box[x] + box["width"] / 2 - frame[x]) / side + 0.5 for x in "yx"]
    row, column = (round(each, 1) for each in at)
    assert said(page) == f"cell {(row - 1) * N + column:.0f} asks"
    return row, column


def look(page):
    return page.locator("canvas").evaluate("(canvas) => canvas.toDataURL()")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_clicked_cell_asks_and_the_mask_is_its_look(opened, width):
    page = opened(width=width)
    assert asker(page) == (2, 3)
    before = look(page)
    page.mouse.move(*middle(page, 1, 1))
    value = A.reshape(2, N * N, N, N)[0, 6, 0, 0]
    assert said(page) == f"it attends {value:.2f} to row 1, column 1 (sun)"
    away(page)
    assert asker(page) == (2, 3), "it was pointed at, not chosen"
    page.mouse.click(*middle(page, 4, 1))
    assert asker(page) == (4, 1)
    assert look(page) != before
    page.wait_for_url("**#w=asking&cell=4-1")
    press(page, "Reset")
    away(page)
    assert asker(page) == (2, 3)
    assert look(page) == before


def test_arrow_keys_walk_the_asking_cell_from_where_it_is(opened):
    page = opened()
    frame = page.locator(".aw-walk")
    assert "Arrow keys choose the cell that asks." in frame.get_attribute("aria-label")
    with little_changes(page):
        frame.press("ArrowDown")
    assert asker(page) == (3, 3)
    walk(
        [
            ("ArrowRight", (3, 4)),
            ("ArrowRight", (3, 4)),
            ("Home", (3, 1)),
            ("PageUp", (1, 1)),
            ("Control+ArrowDown", (1, 1)),
        ],
        page.keyboard.press,
        lambda: asker(page),
    )


def test_a_finger_chooses_a_cell(opened):
    page = opened(has_touch=True, width=390)
    page.touchscreen.tap(*middle(page, 1, 4))
    assert asker(page) == (1, 4)


def test_the_address_and_another_scene_keep_the_cell(opened):
    page = opened("#w=asking&cell=3-2")
    assert asker(page) == (3, 2)
    before = look(page)
    choose(page, scene="night")
    assert asker(page) == (3, 2)
    assert look(page) != before
