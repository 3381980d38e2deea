"""Points that are dragged and numbers that are changed: everything computed follows."""

import json

import numpy as np
import pytest
from browser.hands import finger
from browser.pages import WATCH

from attention_book.chapters.attention_layer.widgets import query_plane
from attention_book.chapters.self_attention.widgets import by_hand, step_by_step
from attention_book.reference import attention
from attention_book.widgets import (
    Widget,
    computed,
    control,
    free,
    matrices,
    matrix,
    plane,
    points,
)
from attention_book.widgets.compose import compose_module

LIVE = """(state) => {
  const listeners = {};
  window.sent = [];
  window.model = {
    get: (name) => state[name],
    set(name, value) {
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off() {},
    save_changes: () => window.sent.push(JSON.stringify(state.index)),
  };
  window.widget.render({ model: window.model, el: document.body });
}"""


def live(page, widget):
    """Draw a widget with the model of a kernel, which a test plays."""
    module = compose_module().replace("export default", "window.widget =")
    page.add_script_tag(content=f"{{{module}}}")
    state = {name: getattr(widget, name) for name in ("spec", "index", "focus")}
    page.evaluate(
        f"([state, data]) => ({LIVE})({{ ...state, data: Uint8Array.from(data) }})",
        [json.loads(json.dumps(state)), list(widget.data)],
    )


@pytest.fixture
def plane_page(opened):
    return lambda at="", **options: opened(query_plane(), at=at, **options)


def point(page, name):
    return page.locator(f'[aria-roledescription=point][aria-label^="{name} "]')


def number(text):
    """What a reader reads, with its minus sign."""
    return float(text.replace("−", "-"))


def label(page, name):
    return page.locator(f".aw-plane .aw-label:text-is('{name}')")


def place(node):
    """Where a point stands, by its accessible name."""
    said = node.get_attribute("aria-label").split(" at ")[1].split(". ")[0]
    return list(map(number, said.split(",")))


def dot(node):
    box = node.locator(".aw-dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def weights(page):
    cells = page.locator(".aw-matrix").nth(1).locator("td").all_inner_texts()
    return list(map(number, cells))


def right_weights(**changed):
    setting = query_plane().setting | changed
    _, A = attention(*(np.array(setting[name]) for name in "qKV"))
    return A[0]


def test_a_point_is_dragged_by_mouse_and_weights_follow(plane_page):
    page = plane_page()
    q = point(page, "q")
    assert place(q) == [0.9, -0.2]
    x, y = dot(q)
    unit = (dot(point(page, "k₁"))[0] - x) / (2.2 - 0.9)
    page.mouse.move(x + 3, y - 2)  # not quite at its middle
    page.mouse.down()
    page.mouse.move(x + 3 + unit, y - 2 + 0.4 * unit, steps=4)
    assert place(q) == [1.9, -0.6]
    assert weights(page) == pytest.approx(right_weights(q=[[1.9, -0.6]]), abs=0.005)
    assert page.locator(".aw-out").inner_text() == "q = (1.90, −0.60), of length 1.99"
    page.mouse.up()
    page.mouse.move(x + unit + 9, y + 0.4 * unit)  # over it still
    assert place(q) == [1.9, -0.6], "it was let go"


def test_a_point_cannot_leave_its_limits(plane_page):
    page = plane_page()
    q = point(page, "q")
    page.mouse.move(*dot(q))
    page.mouse.down()
    page.mouse.move(2, 899)
    assert place(q) == [-3, -3]


@pytest.mark.parametrize("width", [390, 1280])
def test_at_its_limits_a_point_is_seen_whole_with_its_label(plane_page, width):
    at = "k=3_3_-3_3_-3_-3_3_-3&q=3_0"
    page = plane_page(f"#w=query-plane&{at}", width=width)
    frame = page.locator(".aw-plane").first.bounding_box()
    for name in ("k₁", "k₂", "k₃", "k₄", "q"):
        for part in (point(page, name).locator(".aw-dot"), label(page, name)):
            box = part.bounding_box()
            for side, length in (("x", "width"), ("y", "height")):
                assert frame[side] - 4 <= box[side]
                assert box[side] + box[length] <= frame[side] + frame[length] + 4


def test_a_point_is_dragged_by_a_finger_and_the_page_stays(plane_page):
    page = plane_page(has_touch=True, width=390, height=300)
    q = point(page, "q")
    q.scroll_into_view_if_needed()
    before, (x, y) = page.evaluate("scrollY"), dot(q)
    finger(page, *((x, y - 5 * k) for k in range(9)))
    assert place(q)[0] == pytest.approx(0.9)
    assert place(q)[1] > 0.5
    assert page.evaluate("scrollY") == before


def test_a_point_is_moved_by_keys_and_says_where_it_is(plane_page):
    page = plane_page()
    page.keyboard.press("Tab")  # the menu
    for _ in range(5):
        page.keyboard.press("Tab")  # k₁ ... k₄, q
    q = point(page, "q")
    assert q.evaluate("(node) => node === document.activeElement")
    for key, expected in (
        ("ArrowRight", [1.0, -0.2]),
        ("ArrowUp", [1.0, -0.1]),
        ("ArrowLeft", [0.9, -0.1]),
        ("ArrowDown", [0.9, -0.2]),
    ):
        page.keyboard.press(key)
        assert place(q) == expected
        said = page.locator(".aw-out").inner_text()
        first, second = (f"{x:.2f}".replace("-", "−") for x in expected)
        assert said.startswith(f"q = ({first}, {second})")
    page.keyboard.press("Alt+ArrowDown")
    assert place(q) == [0.9, -0.2], "it is the browser's"


def test_reset_puts_every_point_back(plane_page):
    page = plane_page()
    for name in ("q", "k₂", "v₃"):
        point(page, name).press("ArrowUp")
    assert place(point(page, "v₃")) == [-2.2, -1.2]
    page.get_by_role("button", name="Reset").click()
    assert place(point(page, "v₃")) == [-2.2, -1.3]
    assert place(point(page, "q")) == [0.9, -0.2]
    assert weights(page) == pytest.approx(right_weights(), abs=0.005)


def test_a_moved_point_stands_in_the_address_and_comes_from_it(plane_page):
    page = plane_page()
    point(page, "q").press("ArrowRight")
    page.wait_for_url("**#w=query-plane&q=1_-0.2")
    opened = plane_page("#w=query-plane&q=-1.5_2")
    assert place(point(opened, "q")) == [-1.5, 2]
    assert weights(opened) == pytest.approx(right_weights(q=[[-1.5, 2]]), abs=0.005)


@pytest.mark.parametrize("said", ["9_0", "1", "1_x", "1_0_2", ""])
def test_a_point_that_an_address_gets_wrong_stays(plane_page, said):
    assert place(point(plane_page(f"#w=query-plane&q={said}"), "q")) == [0.9, -0.2]


def test_pointing_at_a_value_lights_its_key_score_and_weight(plane_page):
    page = plane_page()
    page.mouse.move(*dot(point(page, "v₃")))
    lit = page.locator(".aw-point.aw-on")
    assert [place(each) for each in lit.all()] == [[-1.9, 0.8], [-2.2, -1.3]]
    cells = page.locator("td.aw-on").all_inner_texts()
    assert list(map(number, cells)) == pytest.approx([-1.32, 0.04], abs=0.005)
    page.mouse.move(1, 1)
    assert lit.count() == 0


def test_weights_fill_points_and_the_output_cannot_be_dragged(plane_page):
    page = plane_page()
    fill = page.locator(".aw-as-taken .aw-dot").evaluate_all(
        "(all) => all.map((node) => Number(node.getAttribute('fill-opacity')))"
    )
    assert fill == pytest.approx(right_weights(), abs=0.001)
    assert page.locator(".aw-as-out [tabindex]").count() == 0
    assert page.locator("[aria-roledescription=point]").count() == 9


def apart(one, other):
    """How far the middles of two things are from each other, in pixels."""
    boxes = (each.bounding_box() for each in (one, other))
    one, other = ([b["x"] + b["width"] / 2, b["y"] + b["height"] / 2] for b in boxes)
    return np.hypot(*np.subtract(one, other))


NAME, DOT = 15, 16  # pixels that two names, and a name and a dot, have to be apart


@pytest.mark.parametrize("width", [1280, 374])
def test_no_point_and_no_name_covers_another_name(plane_page, width):
    page = plane_page("#w=query-plane&q=1_3", width=width)
    assert apart(label(page, "k₂"), point(page, "q").locator(".aw-dot")) >= DOT
    assert apart(label(page, "k₂"), label(page, "q")) >= NAME


def test_an_output_is_a_ring_around_the_value_that_it_has_reached(plane_page):
    page = plane_page("#w=query-plane&q=3_-0.7")
    assert max(weights(page)) > 0.95
    ring, value = page.locator(".aw-as-out .aw-dot"), point(page, "v₁")
    assert apart(ring, value.locator(".aw-dot")) < 4
    assert ring.evaluate("(node) => getComputedStyle(node).fill") == "none"
    assert ring.bounding_box()["width"] > 16
    assert apart(label(page, "y"), label(page, "v₁")) >= NAME
    assert min(apart(label(page, name), ring) for name in ("y", "v₁")) >= DOT + 3


def test_tab_stops_only_where_something_can_be_done(plane_page):
    page = plane_page()
    stops = []
    for _ in range(13):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? "
                "document.activeElement.localName"
            )
        )
    points = ["k₁", "k₂", "k₃", "k₄", "q", "v₁", "v₂", "v₃", "v₄"]
    expected = ["select", *points, "button", "button", "body"]
    assert [each.split(" ")[0] for each in stops] == expected


def test_the_table_names_the_entries_of_a_point(plane_page):
    page = plane_page()
    page.get_by_role("button", name="Show numbers").click()
    heads = page.locator(".aw-table thead").first
    assert heads.inner_text().split() == ["first", "second"]


def test_numbers_of_the_output_have_two_places_each(plane_page):
    page = plane_page("#w=query-plane&scores=q-k&q=0.5_0")
    for text in page.locator(".aw-matrix td").all_inner_texts():
        assert len(text.partition(".")[2]) == 2, text


def test_the_hull_goes_through_the_outer_points_and_follows_them(opened):
    corners = free("v", [[0, 0], [2, 0], [0, 2], [-2, 0]], low=-3, high=3, step=1)
    sets = [points("v", control("v"), "taken", hull=True)]
    widget = Widget("h", controls=[corners], panels=[plane(sets, limits=(-3, 3))])
    page = opened(widget)
    hull = page.locator(".aw-hull")

    def count():
        return hull.get_attribute("d").count("L") + 1

    assert count() == 3
    point(page, "v₁").press("ArrowDown")
    assert count() == 4


@pytest.fixture
def steps_page(opened):
    return lambda at="", **options: opened(step_by_step(), at=at, **options)


def cells(page, name):
    table = page.locator(".aw-matrix").filter(
        has=page.locator(f"caption:text-is('{name}')")
    )
    return list(map(number, table.locator("td").all_inner_texts()))


def test_a_number_is_changed_and_everything_follows(steps_page):
    page = steps_page("#w=step-by-step&step=5")
    assert cells(page, "q·k") == [112, 96, 16, 8]
    assert cells(page, "a") == [0.881, 0.119, 0, 0]
    page.get_by_label("W Q, row 1, column 1").fill("-1")  # q₁ is now 6, 0
    assert cells(page, "q·k") == [84, 72, 12, 6]
    assert cells(page, "÷ 8") == [10.5, 9, 1.5, 0.75]
    page.get_by_label("X, x₁, column 1").press("ArrowUp")  # native: a step more
    assert cells(page, "K")[:2] == [15, -13]
    x, w_q = "3_2_-2_0_2_4_2_0_3_1_0_1", "-1_-1_4_1_0_0"
    page.wait_for_url(f"**#w=step-by-step&step=5&x={x}&w-q={w_q}")
    page.get_by_role("button", name="Reset").click()
    page.locator("input[type=range]").press("End")
    assert cells(page, "q·k") == [112, 96, 16, 8]
    assert page.get_by_label("W Q, row 1, column 1").input_value() == "0"


@pytest.mark.parametrize("typed", ["", "-"])
def test_what_is_no_number_within_its_limits_changes_nothing(steps_page, typed):
    page = steps_page()
    field = page.get_by_label("W K, row 2, column 2")
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(typed) if typed else page.keyboard.press("Delete")
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("-10")
    assert field.get_attribute("aria-invalid") == "true"
    assert cells(page, "K") == [14, -10, 12, 14, 2, 3, 1, 0]
    field.blur()
    assert field.get_attribute("aria-invalid") == "false"
    assert field.input_value() == "1"


def test_a_refused_number_is_said_with_what_is_computed_instead(steps_page):
    page = steps_page()
    field = page.get_by_label("X, x₁, column 1")
    said = page.locator(".aw-out")
    for typed, why in (
        ("25", "25 is outside −9 to 9"),
        ("-25", "−25 is outside −9 to 9"),
        ("", "Empty"),
    ):
        field.fill(typed)
        assert said.inner_text() == f"{why}: computed with 2."
    page.keyboard.type("-")
    assert said.inner_text() == "No number: computed with 2."
    assert field.get_attribute("title") == "−9 to 9"
    field.fill("3")
    assert ": 3; y = " in said.inner_text()
    field.fill("25")
    field.blur()
    assert said.inner_text().startswith("1. Make")


NINE = "_".join(["-8.75"] * 6)
LARGE = (
    f"#w=step-by-step&step=5&x={'_'.join(['8.5'] * 12)}"
    f"&w-q={NINE}&w-k={NINE.replace('-', '')}&w-v={NINE}"
)
WIDTHS = "(all) => all.map((node) => node.getBoundingClientRect().width)"


@pytest.mark.parametrize("width", [1280, 374])
def test_large_numbers_neither_widen_a_table_nor_stick_out(steps_page, width):
    page = steps_page("#w=step-by-step&step=5", width=width)
    tables = page.locator(".aw-matrix")
    before = tables.evaluate_all(WIDTHS), page.locator(".aw").bounding_box()
    page = steps_page(LARGE, width=width)
    tables = page.locator(".aw-matrix")
    assert min(cells(page, "q·k")) < -90_000
    assert (tables.evaluate_all(WIDTHS), page.locator(".aw").bounding_box()) == before
    wide = "(all) => all.filter((node) => node.scrollWidth > node.clientWidth + 1)"
    assert page.locator(".aw-matrix td, .aw-cell").evaluate_all(wide) == []


@pytest.mark.parametrize("width", [1280, 374])
def test_scores_and_weights_of_a_word_stand_in_one_line(steps_page, width):
    page = steps_page(LARGE, width=width)
    tops = {
        name: page.locator(".aw-matrix")
        .filter(has=page.locator(f"caption:text-is('{name}')"))
        .bounding_box()["y"]
        for name in ("V", "q·k", "÷ 8", "a")
    }
    assert len(set(tops.values())) == 1, tops


ROWS = """(all) => {
  const left = Math.min(...all.map((node) => node.offsetLeft));
  return all.map((node) => [
    node.caption.textContent,
    node.offsetLeft === left,
    [...node.querySelectorAll("th")].filter((each) => each.checkVisibility()).length,
  ]);
}"""


@pytest.mark.parametrize("width", [1280, 374])
def test_the_first_table_of_a_line_has_its_rows_named(opened, width):
    page = opened(by_hand(), width=width)
    for size in (width, 374, 1280):  # and when the page gets another width
        page.set_viewport_size({"width": size, "height": 900})
        page.wait_for_timeout(100)
        found = page.locator(".aw-matrix").evaluate_all(ROWS)
        named = [name for name, _, count in found if count == 4]
        first = [name for name, starts, _ in found if starts]
        wide = ["X", "WQ", "WK", "Q"]
        assert named == (wide if size == 1280 else ["X", "WQ", "Q", "÷ √2"])
        assert {*first} <= {*named}
        assert page.evaluate("document.documentElement.scrollWidth") <= size


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 32)])
def test_fields_are_tall_enough_for_what_points_at_them(steps_page, touch, least):
    page = steps_page(width=374, has_touch=touch, is_mobile=touch)
    heights = page.locator(".aw-cell").evaluate_all(
        "(all) => all.map((node) => node.getBoundingClientRect().height)"
    )
    assert min(heights) >= least
    assert page.locator(".aw").bounding_box()["height"] <= 760


def test_a_number_may_be_typed_with_its_point(steps_page):
    page = steps_page()
    field = page.get_by_label("W V, row 1, column 1")
    field.focus()
    page.keyboard.press("Control+a")
    for key in "-.05":  # .0 is 0 on its way
        page.keyboard.type(key)
    assert field.input_value() == "-.05", "not rewritten under the reader's fingers"
    assert cells(page, "V")[0] == pytest.approx(-2 * 0.05)
    field.blur()
    assert field.input_value() == "-0.05"


def test_a_later_step_is_neither_seen_nor_read(steps_page):
    page = steps_page("#w=step-by-step&step=2")
    seen = page.locator(".aw-matrix:visible caption")
    assert seen.all_inner_texts()[-1] == "q·k"
    page.locator("input[type=range]").press("ArrowRight")
    assert seen.all_inner_texts()[-1] == "a"
    assert page.get_by_role("table", name="y", exact=True).count() == 0


def test_the_output_is_named_after_the_word_that_asks(steps_page):
    page = steps_page("#w=step-by-step&step=5")
    output = page.locator(".aw-matrix.aw-as-out")
    assert output.locator("th").all_inner_texts() == ["y₁"]
    page.locator("select").select_option(label="x₃")
    assert output.locator("th").all_inner_texts() == ["y₃"]


def test_the_word_that_asks_is_marked(steps_page):
    page = steps_page("#w=step-by-step&step=5&word-that-asks=2")
    marked = page.locator(".aw-as-asks td.aw-on")
    assert marked.all_inner_texts() == ["8", "2"]
    assert cells(page, "q·k") == [92, 124, 22, 8]


def test_an_input_changes_little_of_the_page(plane_page, steps_page):
    page = plane_page()
    page.evaluate(WATCH)
    point(page, "q").focus()
    page.evaluate("window.changes = 0")
    page.keyboard.press("ArrowUp")
    assert 0 < page.evaluate("window.changes") <= 150
    page = steps_page("#w=step-by-step&step=5")
    page.evaluate(WATCH)
    field = page.get_by_label("W K, row 1, column 1")
    field.focus()
    page.evaluate("window.changes = 0")
    page.keyboard.press("ArrowUp")
    assert 0 < page.evaluate("window.changes") <= 150


def test_a_live_model_and_the_page_move_each_other(page):
    K = free("K", [[1, 0], [0, 1]], low=-3, high=3, step=0.5)
    widget = Widget(
        "live",
        controls=[K],
        panels=[
            plane([points("k", control("K"), "asked")], limits=(-3, 3)),
            matrices(
                [
                    matrix("K", control("K")),
                    matrix("S", computed("divided", values=control("K"), by=2)),
                ]
            ),
        ],
    )
    live(page, widget)
    point(page, "k₁").press("ArrowRight")
    assert page.evaluate("window.sent") == ["[[[1.5,0],[0,1]]]"]
    assert cells(page, "S") == [0.75, 0, 0, 0.5]
    page.evaluate("window.model.set('index', [[[-2, 3], [0, 1]]])")
    assert place(point(page, "k₁")) == [-2, 3]
    assert page.get_by_label("K, row 1, column 2").input_value() == "3"
    page.get_by_label("K, row 1, column 2").fill("2")
    assert place(point(page, "k₁")) == [-2, 2]
    assert page.evaluate("window.sent").pop() == "[[[-2,2],[0,1]]]"
