"""Vectors in a browser: bars that are dragged, and what is computed from them."""

import numpy as np
import pytest
from browser.hands import (
    CUT,
    WIDE,
    finger,
    keys,
    little_changes,
    middle,
    number,
    press,
    said,
    walk,
)
from browser.pages import height_within_a_screen

from attention_book.chapters.norm_and_residuals.widgets import (
    HIGH,
    LOW,
    PRESETS,
    X,
    norm_by_hand,
)
from attention_book.reference import layer_norm

NAMES = ".aw-vector-name, .aw-vector p, .aw-panel-label, .aw-entry .aw-number"


@pytest.fixture
def opened(opened):
    return lambda at="", **options: opened(norm_by_hand(), at=at, **options)


def numbers(page, k):
    """The entries of a vector as written, then its mean and its deviation."""
    told = page.locator(".aw-vector").nth(k + 1).locator(".aw-number").all_inner_texts()
    return list(map(number, told))


def bar(page, i):
    return page.get_by_role("slider", name=f"x{'₁₂₃₄₅'[i]}", exact=True)


def at(page, i, value):
    """Where a number lies in the track of entry i, (x, y) on the page."""
    box = bar(page, i).bounding_box()
    share = (value - LOW) / (HIGH - LOW)
    return box["x"] + share * box["width"], box["y"] + box["height"] / 2


def assert_normed(page, x):
    z = layer_norm(np.array(x), np.ones(5), np.zeros(5))
    np.testing.assert_allclose(numbers(page, 0), [*x, np.mean(x), np.std(x)], atol=5e-3)
    np.testing.assert_allclose(numbers(page, 1), [*z, 0, 1], atol=5.1e-3)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_dragged_bar_follows_the_mouse_and_all_else_follows_it(opened, width):
    page = opened(width=width)
    assert_normed(page, X)
    page.mouse.move(*at(page, 1, -3))
    page.mouse.down()
    page.mouse.move(*at(page, 1, 4.5))
    page.mouse.move(*at(page, 1, 7.5))
    moved = numbers(page, 0)
    assert moved[1] == pytest.approx(7.5, abs=0.3)
    assert_normed(page, [5, moved[1], 4, 7, 3])
    page.mouse.move(0, 0)
    assert numbers(page, 0)[1] == LOW, "it stays held outside, and ends where it can"
    page.mouse.up()
    page.mouse.move(*at(page, 1, 7.5))
    assert numbers(page, 0)[1] == LOW, "it was let go"
    page.wait_for_url("**#w=norm-by-hand&x=5_-15_4_7_3")


def test_a_finger_drags_along_the_bar(opened):
    page = opened(has_touch=True, width=390)
    (x, y), (to, _) = at(page, 3, 3), at(page, 3, -9)
    finger(page, *((x + (to - x) * k / 8, y) for k in range(9)))
    assert numbers(page, 0)[3] == pytest.approx(-9, abs=0.5)
    assert said(page).startswith("x₄ = ")


def test_keys_choose_a_bar_and_change_it_behind_one_tab_stop(opened):
    page = opened()
    assert page.locator('[role=slider][tabindex="0"]').count() == 1
    bar(page, 0).focus()
    focused = page.locator("[role=slider]:focus")

    def shown():
        value = focused.get_attribute("aria-valuenow")
        return float(value), said(page).partition(",")[0]

    walk(
        [
            ("ArrowRight", (5.1, "x₁ = 5.1")),
            ("ArrowDown", (1.0, "x₂ = 1.0")),
            ("ArrowLeft", (0.9, "x₂ = 0.9")),
            ("PageUp", (1.9, "x₂ = 1.9")),
            ("Home", (-15.0, "x₂ = −15.0")),
            ("ArrowUp", (5.1, "x₁ = 5.1")),
            ("ArrowUp", (5.1, "x₁ = 5.1")),
            ("End", (40.0, "x₁ = 40.0")),
        ],
        page.keyboard.press,
        shown,
    )
    keys(page, "Tab")
    assert page.evaluate("document.activeElement.textContent") == "Reset"


def test_a_button_sets_all_numbers_and_says_that_they_stand_so(opened):
    page = opened()
    group = page.get_by_role("group", name="Set the numbers")
    pressed = group.locator("[aria-pressed=true]")
    assert pressed.all_inner_texts() == ["start"]
    for name, x in reversed(PRESETS.items()):
        with little_changes(page):
            press(page, name)
        assert pressed.all_inner_texts() == [name]
        assert_normed(page, x)
    with little_changes(page):
        bar(page, 0).press("ArrowRight")
    assert pressed.count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_bars_begin_at_zero_and_mean_and_deviation_lie_behind_them(opened, width):
    page = opened(width=width)
    x = page.locator(".aw-vector").nth(1)
    band = x.locator(".aw-within").bounding_box()
    drawn = [middle(x.locator(".aw-mean"))[0], band["x"], band["x"] + band["width"]]
    values = [X.mean(), X.mean() - X.std(), X.mean() + X.std()]
    assert drawn == pytest.approx([at(page, 0, each)[0] for each in values], abs=1.5)
    for i, value in ((1, 1), (3, 7)):
        box = bar(page, i).locator(".aw-bar").bounding_box()
        ends = [box["x"], box["x"] + box["width"]]
        right = sorted(at(page, i, each)[0] for each in (0, value))
        assert ends == pytest.approx(right, abs=1)
    key = page.locator(".aw-vectors-key")
    for _ in range(2):  # before and after an input
        assert key.is_visible()
        assert key.locator("span").all_inner_texts() == [
            "dashed: mean μ",
            "band: one standard deviation σ to either side",
        ]
        bar(page, 0).press("ArrowRight")
    assert page.locator(NAMES).evaluate_all(CUT) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_and_it_keeps_to_its_room(opened, axe, width):
    page = opened(width=width)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        height = height_within_a_screen(page, axe, width)
    assert height <= norm_by_hand().spec["height"][width == 390] + 1


def test_a_feature_is_lit_in_all_vectors_and_read_out(opened):
    page = opened()
    page.locator(".aw-vector").nth(2).locator(".aw-entry").nth(3).hover()
    lit = page.locator(".aw-entry.aw-on").all_inner_texts()
    assert [each.split()[-1] for each in lit] == ["4", "7.0", "1.50", "1.50"]
    assert said(page) == "x₄ = 7.0, z₄ = 1.50, y₄ = 1.50"


LINES = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getClientRects().length;
}"""


@pytest.mark.parametrize("width", [320, 345, 1280])
def test_a_button_holds_its_name(opened, width):
    page = opened(width=width)
    page.add_style_tag(content=WIDE)
    for button in page.locator(".aw-presets button").all():
        inside = (
            "(b) => [b.scrollHeight - b.clientHeight, b.scrollWidth - b.clientWidth]"
        )
        assert max(button.evaluate(inside)) <= 0, button.inner_text()
        assert button.evaluate(LINES) == 1
    last = page.locator(".aw-presets button").last.bounding_box()
    below = page.locator(".aw-vectors").bounding_box()
    assert last["y"] + last["height"] <= below["y"]
