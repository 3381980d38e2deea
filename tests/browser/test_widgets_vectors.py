"""Vectors in a browser: bars that are dragged, and what is computed from them."""

import numpy as np
import pytest
from browser.hands import finger
from browser.pages import WATCH

from attention_book.chapters.norm_and_residuals.widgets import (
    HIGH,
    LOW,
    PRESETS,
    X,
    norm_by_hand,
)
from attention_book.reference import layer_norm


@pytest.fixture
def opened(opened):
    return lambda at="", **options: opened(norm_by_hand(), at=at, **options)


def numbers(page, k):
    """The entries of a vector as written, then its mean and its deviation."""
    said = page.locator(".aw-vector").nth(k + 1).locator(".aw-number").all_inner_texts()
    return [float(each.replace("−", "-")) for each in said]


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
    assert page.locator(".aw-out").inner_text().startswith("x₄ = ")


def test_keys_choose_a_bar_and_change_it_behind_one_tab_stop(opened):
    page = opened()
    assert page.locator('[role=slider][tabindex="0"]').count() == 1
    bar(page, 0).focus()
    out = page.locator(".aw-out")
    for key, i, value in (
        ("ArrowRight", 0, 5.1),
        ("ArrowDown", 1, 1.0),
        ("ArrowLeft", 1, 0.9),
        ("PageUp", 1, 1.9),
        ("Home", 1, -15.0),
        ("ArrowUp", 0, 5.1),
        ("ArrowUp", 0, 5.1),
        ("End", 0, 40.0),
    ):
        page.keyboard.press(key)
        here = bar(page, i)
        assert here.evaluate("(node) => node === document.activeElement")
        assert float(here.get_attribute("aria-valuenow")) == value
        assert out.inner_text().startswith(
            f"x{'₁₂'[i]} = {value:.1f}".replace("-", "−")
        )
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Reset"


def test_a_button_sets_all_numbers_and_says_that_they_stand_so(opened):
    page = opened()
    group = page.get_by_role("group", name="Set the numbers")
    pressed = group.locator("[aria-pressed=true]")
    assert pressed.all_inner_texts() == ["start"]
    for name, x in PRESETS.items():
        page.get_by_role("button", name=name, exact=True).click()
        assert pressed.all_inner_texts() == [name]
        assert_normed(page, x)
    bar(page, 0).press("ArrowRight")
    assert pressed.count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_mean_and_deviation_lie_behind_the_bars(opened, width):
    page = opened(width=width)
    x = page.locator(".aw-vector").nth(1)
    middle, band = (
        x.locator(f".aw-{each}").bounding_box() for each in ("mean", "within")
    )
    for value, place in (
        (X.mean(), middle["x"] + middle["width"] / 2),
        (X.mean() - X.std(), band["x"]),
        (X.mean() + X.std(), band["x"] + band["width"]),
    ):
        assert place == pytest.approx(at(page, 0, value)[0], abs=1.5)


def test_a_bar_begins_at_zero_and_ends_at_its_number(opened):
    page = opened()
    for i, value in ((1, 1), (3, 7)):
        box = bar(page, i).locator(".aw-bar").bounding_box()
        ends = [box["x"], box["x"] + box["width"]]
        right = sorted(at(page, i, each)[0] for each in (0, value))
        assert ends == pytest.approx(right, abs=1)


def test_a_feature_is_lit_in_all_vectors_and_read_out(opened):
    page = opened()
    page.locator(".aw-vector").nth(2).locator(".aw-entry").nth(3).hover()
    lit = page.locator(".aw-entry.aw-on")
    assert [each.inner_text().split()[-1] for each in lit.all()] == [
        "4",
        "7.0",
        "1.50",
        "1.50",
    ]
    assert page.locator(".aw-out").inner_text() == "x₄ = 7.0, z₄ = 1.50, y₄ = 1.50"


def test_an_input_changes_little_of_the_page(opened):
    page = opened()
    page.evaluate(WATCH)
    bar(page, 2).focus()
    for name in ("÷ 10", "outlier"):
        page.evaluate("window.changes = 0")
        page.get_by_role("button", name=name).click()
        assert 0 < page.evaluate("window.changes") <= 150
    page.evaluate("window.changes = 0")
    bar(page, 2).press("ArrowLeft")
    assert 0 < page.evaluate("window.changes") <= 150


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_and_nothing_is_cut(opened, axe, width, scheme):
    page = opened(width=width, color_scheme=scheme)
    ground = {"light": "#fff", "dark": "#14181e"}[scheme]
    page.add_style_tag(
        content=f"html {{ color-scheme: {scheme}; background: {ground} }}"
    )
    page.evaluate(axe)
    found = page.evaluate("axe.run('.aw-host', { preload: false })")["violations"]
    assert [each["id"] for each in found] == []
    cut = "(all) => all.filter((node) => node.scrollWidth > node.clientWidth + 1)"
    labels = ".aw-vector-name, .aw-vector p, .aw-panel-label, .aw-entry .aw-number"
    assert page.locator(labels).evaluate_all(cut) == []
    wide, narrow = norm_by_hand().spec["height"]
    reserved = wide if width > 600 else narrow
    assert page.locator(".aw").bounding_box()["height"] <= reserved + 1


SANS = "body { font-family: 'DejaVu Sans', sans-serif }"  # wider than most


@pytest.mark.parametrize("width", [320, 345, 1280])
def test_a_button_holds_its_name(opened, width):
    page = opened(width=width)
    page.add_style_tag(content=SANS)
    for button in page.locator(".aw-presets button").all():
        inside = (
            "(b) => [b.scrollHeight - b.clientHeight, b.scrollWidth - b.clientWidth]"
        )
        assert max(button.evaluate(inside)) <= 0, button.inner_text()
        lines = "(b) => { const r = document.createRange(); r.selectNodeContents(b);"
        assert button.evaluate(f"{lines} return r.getClientRects().length; }}") == 1
    last = page.locator(".aw-presets button").last.bounding_box()
    below = page.locator(".aw-vectors").bounding_box()
    assert last["y"] + last["height"] <= below["y"]


def test_line_and_band_are_explained_before_and_after_a_drag(opened):
    page = opened()
    key = page.locator(".aw-vectors-key")
    for _ in range(2):
        assert key.is_visible()
        said = key.locator("span").all_inner_texts()
        assert said == [
            "dashed: mean μ",
            "band: one standard deviation σ to either side",
        ]
        bar(page, 0).press("ArrowRight")
