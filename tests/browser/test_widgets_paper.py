"""A sheet in a browser: digits are laid and dragged, strokes drawn, and networks say of
it what Python's say of the same scene.
"""

import re
from urllib.parse import parse_qs, urlparse

import pytest
from browser.hands import drag, finger, little_changes, press
from browser.pages import height_within_a_screen
from playwright.sync_api import expect

from attention_book.chapters.cnn_attention.widgets import move_the_key
from attention_book.chapters.look_and_say.widgets import own_scene
from attention_book.chapters.two_streams.widgets import which_caption
from attention_book.widgets.panel import fixed

SIDE = 32
NINE = [(5.5, 10), (1.5, 10), (1.5, 13), (5, 13), (5, 10)]  # row, column of its loop
TAIL = [(5, 13), (8.5, 12)]

both = pytest.mark.parametrize("make", [own_scene, move_the_key])


def spots(page, *places):
    """Where places on the sheet, in pixels of it, lie on the page."""
    box = page.locator(".aw-picture").bounding_box()
    side = box["width"] / SIDE
    return [(box["x"] + column * side, box["y"] + row * side) for row, column in places]


def pieces(page):
    """Row and column of each digit on the sheet."""
    labels = page.locator(".aw-piece").evaluate_all(
        "(all) => all.map((node) => node.getAttribute('aria-label'))"
    )
    places = (re.findall(r"(?:row|column) (\d+)", each) for each in labels)
    return [tuple(map(int, each)) for each in places]


def answers(page):
    return page.locator(".aw-token, .aw-bars .aw-number")


def due(make, scene):
    """What Python's networks say of a scene, as the figure shows it."""
    widget = make(scene)
    (panel,) = (each for each in widget.panels if each.kind in ("tokens", "bars"))
    if panel.kind == "tokens":
        return panel.fields["words"].at(widget.index)
    return [fixed(value, 2) for value in panel.fields["values"].at(widget.index)]


def follows(page, make, left):
    """Wait until the link has left a scene and the networks have followed; return the
    link's. Where much else runs, that takes seconds.
    """
    for _ in range(100):
        page.wait_for_timeout(300)
        scene = parse_qs(urlparse(page.url).fragment).get("scene", [left])[0]
        if scene != left and answers(page).all_inner_texts() == due(make, scene):
            return scene
    pytest.fail(f"{answers(page).all_inner_texts()} for the scene {scene}")


@both
def test_networks_follow_a_digit_that_is_dragged_and_one_that_is_drawn(opened, make):
    page = opened(make())
    before, (*_, (row, column)) = answers(page).all_inner_texts(), pieces(page)
    scene = make().setting["scene"]
    assert before == due(make, scene)
    drag(page, *spots(page, (row + 4, column + 4), (15, column - 4)))
    assert pieces(page)[-1] == (11, column - 8)
    scene = follows(page, make, scene)
    press(page, "Clear", "Lay: three", "Draw")
    for points in (NINE, TAIL):
        drag(page, *spots(page, *points))
    assert "-" in follows(page, make, scene)
    assert answers(page).all_inner_texts() != before


@both
def test_a_digit_is_moved_and_taken_away_by_keys_and_a_press_asks_a_cell(opened, make):
    page = opened(make())
    row, column = first = pieces(page)[0]
    node = page.locator(".aw-piece").first
    node.press("ArrowDown")
    node.press("ArrowRight")
    assert pieces(page)[0] == (row + 1, column + 1)
    for spot in spots(page, (30, 2), (row + 6, column + 2)):
        page.mouse.click(*spot)
    page.wait_for_url(f"**cell={(row + 6) // 4 + 1}-{(column + 2) // 4 + 1}*")
    count = len(pieces(page))
    node.press("Delete")
    assert len(pieces(page)) == count - 1
    press(page, "Remove")
    assert len(pieces(page)) == count - 2
    press(page, "Reset")
    assert pieces(page)[0] == first


@both
def test_a_finger_drags_a_digit_and_the_page_stays(opened, make):
    page = opened(make(), has_touch=True, width=390, height=400)
    page.locator(".aw-picture").scroll_into_view_if_needed()
    (row, column), scrolled = pieces(page)[0], page.evaluate("scrollY")
    finger(page, *spots(page, *((row + 4 + k, column + 4) for k in range(6))))
    assert pieces(page)[0] == (row + 5, column)
    assert page.evaluate("scrollY") == scrolled


@both
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_screen_and_a_step_of_a_drag_changes_little(opened, axe, make, width):
    page = opened(make(), width=width)
    height_within_a_screen(page, axe, width)
    with little_changes(page):
        page.locator(".aw-piece").first.press("ArrowDown")
        page.wait_for_timeout(500)
    assert page.locator(".aw-running").inner_text() == ""


def test_on_a_sheet_of_three_a_number_replaces_a_digit_and_none_is_taken_away(opened):
    page = opened(which_caption("a three above a seven"))
    three, seven, _ = page.locator(".aw-piece").all()
    three.press("7")
    seven.press("3")
    for key in ("Delete", "Backspace", "Home"):
        three.press(key)
    first = "seven above three"
    told = f"You: three above seven. Network: {first}. True: {first}."
    expect(page.locator(".aw-out")).to_have_text(told)
