"""A sheet in a browser: digits are laid and dragged, strokes drawn, and networks say of
it what Python's say of the same scene.
"""

import re
from urllib.parse import parse_qs, urlparse

import pytest
from browser.hands import finger
from browser.pages import WATCH, height_within_a_screen, page_with

from attention_book.chapters.cnn_attention.widgets import move_the_key
from attention_book.chapters.look_and_say.widgets import own_scene
from attention_book.widgets.panel import fixed

SIDE = 32
NINE = [(5.5, 10), (1.5, 10), (1.5, 13), (5, 13), (5, 10)]  # row, column of its loop
TAIL = [(5, 13), (8.5, 12)]


@pytest.fixture(params=[own_scene, move_the_key], ids=["own_scene", "move_the_key"])
def figure(request, tmp_path, open_page):
    """(what makes the widget of a scene, what opens it)."""
    url = page_with(tmp_path / "sheet.html", request.param())
    return request.param, lambda **options: open_page(url, **options)


def spot(page, row, column):
    """Where a place on the sheet, in pixels of it, lies on the page."""
    box = page.locator(".aw-picture").bounding_box()
    return box["x"] + column * box["width"] / SIDE, box["y"] + row * box[
        "height"
    ] / SIDE


def stroke(page, points):
    page.mouse.move(*spot(page, *points[0]))
    page.mouse.down()
    for each in points[1:]:
        page.mouse.move(*spot(page, *each), steps=6)
    page.mouse.up()


def pieces(page):
    """Row and column of each digit on the sheet."""
    labels = page.locator(".aw-piece").evaluate_all(
        "(all) => all.map((node) => node.getAttribute('aria-label'))"
    )
    return [
        tuple(map(int, re.findall(r"(?:row|column) (\d+)", each))) for each in labels
    ]


def said(page):
    return page.locator(".aw-token, .aw-bars .aw-number").all_inner_texts()


def due(make, scene):
    """What Python's networks say of a scene, as the figure shows it."""
    widget = make(scene)
    (panel,) = (each for each in widget.panels if each.kind in ("tokens", "bars"))
    if panel.kind == "tokens":
        return panel.fields["words"].at(widget.index)
    return [fixed(value, 2) for value in panel.fields["values"].at(widget.index)]


def follows(page, make):
    """Wait until link and networks have followed; return the scene of the link."""
    page.wait_for_timeout(400)
    scene = parse_qs(urlparse(page.url).fragment)["scene"][0]
    expected = due(make, scene)
    for _ in range(100):
        if said(page) == expected:
            break
        page.wait_for_timeout(50)
    assert said(page) == expected
    return scene


def test_networks_follow_a_digit_that_is_dragged_and_one_that_is_drawn(figure):
    make, opened = figure
    page = opened()
    before, (*_, (row, column)) = said(page), pieces(page)
    assert before == due(make, make().setting["scene"])
    stroke(page, [(row + 4, column + 4), (15, column - 4)])
    assert pieces(page)[-1] == (11, column - 8)
    follows(page, make)
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Lay: three").click()
    page.get_by_role("button", name="Draw").click()
    for points in (NINE, TAIL):
        stroke(page, points)
    assert "-" in follows(page, make)
    assert said(page) != before


def test_a_digit_is_moved_and_taken_away_by_keys_and_a_press_asks_a_cell(figure):
    _, opened = figure
    page = opened()
    row, column = first = pieces(page)[0]
    node = page.locator(".aw-piece").first
    node.press("ArrowDown")
    node.press("ArrowRight")
    assert pieces(page)[0] == (row + 1, column + 1)
    page.mouse.click(*spot(page, 30, 2))
    page.mouse.click(*spot(page, row + 6, column + 2))
    page.wait_for_url(f"**cell={(row + 6) // 4 + 1}-{(column + 2) // 4 + 1}*")
    count = len(pieces(page))
    node.press("Delete")
    assert len(pieces(page)) == count - 1
    page.get_by_role("button", name="Remove").click()
    assert len(pieces(page)) == count - 2
    page.get_by_role("button", name="Reset").click()
    assert pieces(page)[0] == first


def test_a_finger_drags_a_digit_and_the_page_stays(figure):
    _, opened = figure
    page = opened(has_touch=True, width=390, height=400)
    page.locator(".aw-picture").scroll_into_view_if_needed()
    (row, column), scrolled = pieces(page)[0], page.evaluate("scrollY")
    finger(page, *(spot(page, row + 4 + k, column + 4) for k in range(6)))
    assert pieces(page)[0] == (row + 5, column)
    assert page.evaluate("scrollY") == scrolled


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_screen_and_a_step_of_a_drag_changes_little(figure, axe, width):
    _, opened = figure
    page = opened(width=width)
    height_within_a_screen(page, axe, width)
    page.evaluate(WATCH)
    node = page.locator(".aw-piece").first
    node.press("ArrowDown")
    page.wait_for_timeout(500)
    assert 0 < page.evaluate("window.changes") <= 150
    assert page.locator(".aw-running").inner_text() == ""
