"""Points that are dragged and numbers that are changed: everything computed follows."""

import numpy as np
import pytest
from browser.hands import (
    CUT,
    away,
    drag,
    finger,
    keys,
    little_changes,
    middle,
    number,
    press,
    said,
    walk,
)
from browser.pages import live

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

LAST = "#w=step-by-step&step=5"


@pytest.fixture
def plane_page(opened):
    return lambda at="", **options: opened(query_plane(), at=at, **options)


@pytest.fixture
def steps_page(opened):
    return lambda at=LAST, **options: opened(step_by_step(), at=at, **options)


def point(page, name):
    return page.locator(f'[aria-roledescription=point][aria-label^="{name} "]')


def label(page, name):
    return page.locator(f".aw-plane .aw-label:text-is('{name}')")


def place(node):
    """Where a point stands, by its accessible name."""
    said = node.get_attribute("aria-label").split(" at ")[1].split(". ")[0]
    return list(map(number, said.split(",")))


def dot(node):
    return middle(node.locator(".aw-dot"))


def table(page, name):
    heads = page.locator(f"caption:text-is('{name}')")
    return page.locator(".aw-matrix").filter(has=heads)


def cells(page, name):
    return list(map(number, table(page, name).locator("td").all_inner_texts()))


def assert_weighed(page, **changed):
    """The second table, and the dots of the values, show the weights of what is set."""
    setting = query_plane().setting | changed
    _, A = attention(*(np.array(setting[name]) for name in "qKV"))
    told = page.locator(".aw-matrix").nth(1).locator("td").all_inner_texts()
    assert list(map(number, told)) == pytest.approx(A[0], abs=0.005)
    fill = page.locator(".aw-as-taken .aw-dot").evaluate_all(
        "(all) => all.map((node) => Number(node.getAttribute('fill-opacity')))"
    )
    assert fill == pytest.approx(A[0], abs=0.001)


def test_a_point_is_dragged_by_mouse_within_its_limits_and_weights_follow(plane_page):
    page = plane_page()
    q = point(page, "q")
    assert place(q) == [0.9, -0.2]
    x, y = dot(q)
    unit = (dot(point(page, "k₁"))[0] - x) / (2.2 - 0.9)
    # not quite at its middle
    drag(page, (x + 3, y - 2), (x + 3 + unit, y - 2 + 0.4 * unit))
    assert place(q) == [1.9, -0.6]
    assert_weighed(page, q=[[1.9, -0.6]])
    assert said(page) == "q = (1.90, −0.60), of length 1.99"
    page.mouse.move(x + unit + 9, y + 0.4 * unit)  # over it still
    assert place(q) == [1.9, -0.6], "it was let go"
    with little_changes(page):
        drag(page, dot(q), (2, 899), steps=1)
    assert place(q) == [-3, -3]
    assert page.locator(".aw-as-out [tabindex]").count() == 0, "it is computed"
    assert page.locator("[aria-roledescription=point]").count() == 9


@pytest.mark.parametrize("width", [390, 1280])
def test_at_its_limits_a_point_is_seen_whole_with_its_label(plane_page, width):
    at = "k=3_3_-3_3_-3_-3_3_-3&q=3_0"
    page = plane_page(f"#w=query-plane&{at}", width=width)
    frame = page.locator(".aw-plane").first.bounding_box()
    for name in ("k₁", "k₂", "k₃", "k₄", "q"):
        for part in (point(page, name).locator(".aw-dot"), label(page, name)):
            box = part.bounding_box()
            for side, length in (("x", "width"), ("y", "height")):
                assert frame[side] - 4 <= box[side], name
                assert box[side] + box[length] <= frame[side] + frame[length] + 4, name


def test_a_point_is_dragged_by_a_finger_and_the_page_stays(plane_page):
    page = plane_page(has_touch=True, width=390, height=300)
    q = point(page, "q")
    q.scroll_into_view_if_needed()
    before, (x, y) = page.evaluate("scrollY"), dot(q)
    finger(page, *((x, y - 5 * k) for k in range(9)))
    assert place(q)[0] == pytest.approx(0.9)
    assert place(q)[1] > 0.5
    assert page.evaluate("scrollY") == before


def test_points_are_moved_by_keys_put_back_and_kept_in_the_address(plane_page):
    page = plane_page()
    q, v = point(page, "q"), point(page, "v₃")
    q.focus()
    with little_changes(page):
        keys(page, "ArrowRight")
    page.wait_for_url("**#w=query-plane&q=1_-0.2")
    walk(
        [
            ("ArrowUp", ([1.0, -0.1], "q = (1.00, −0.10)")),
            ("ArrowLeft", ([0.9, -0.1], "q = (0.90, −0.10)")),
            ("ArrowDown", ([0.9, -0.2], "q = (0.90, −0.20)")),
            ("Alt+ArrowDown", ([0.9, -0.2], "q = (0.90, −0.20)")),  # the browser's
            ("ArrowUp", ([0.9, -0.1], "q = (0.90, −0.10)")),
        ],
        page.keyboard.press,
        lambda: (place(q), said(page).partition(", of")[0]),
    )
    v.press("ArrowUp")
    assert place(v) == [-2.2, -1.2]
    press(page, "Reset")
    assert (place(v), place(q)) == ([-2.2, -1.3], [0.9, -0.2])
    assert_weighed(page)
    page = plane_page("#w=query-plane&q=-1.5_2")
    assert place(point(page, "q")) == [-1.5, 2]
    assert_weighed(page, q=[[-1.5, 2]])


def test_pointing_at_a_value_lights_its_key_score_and_weight(plane_page):
    page = plane_page()
    page.mouse.move(*dot(point(page, "v₃")))
    lit = page.locator(".aw-point.aw-on")
    assert [place(each) for each in lit.all()] == [[-1.9, 0.8], [-2.2, -1.3]]
    marked = page.locator("td.aw-on").all_inner_texts()
    assert list(map(number, marked)) == pytest.approx([-1.32, 0.04], abs=0.005)
    away(page)
    assert lit.count() == 0
    press(page, "Show numbers")
    heads = page.locator(".aw-table thead").first
    assert heads.inner_text().split() == ["first", "second"]


NAME, DOT = 15, 16  # pixels that two names, and a name and a dot, have to be apart


def apart(one, other):
    """How far the middles of two things are from each other, in pixels."""
    return np.hypot(*np.subtract(middle(one), middle(other)))


@pytest.mark.parametrize("width", [1280, 374])
def test_no_point_and_no_name_covers_another_name(plane_page, width):
    page = plane_page("#w=query-plane&q=1_3", width=width)
    assert apart(label(page, "k₂"), point(page, "q").locator(".aw-dot")) >= DOT
    assert apart(label(page, "k₂"), label(page, "q")) >= NAME


def test_an_output_is_a_ring_around_the_value_that_it_has_reached(plane_page):
    page = plane_page("#w=query-plane&q=3_-0.7")
    ring, value = page.locator(".aw-as-out .aw-dot"), point(page, "v₁")
    assert apart(ring, value.locator(".aw-dot")) < 4
    assert ring.evaluate("(node) => getComputedStyle(node).fill") == "none"
    assert ring.bounding_box()["width"] > 16
    assert apart(label(page, "y"), label(page, "v₁")) >= NAME
    assert min(apart(label(page, name), ring) for name in ("y", "v₁")) >= DOT + 3


def test_numbers_of_the_output_have_two_places_each(plane_page):
    page = plane_page("#w=query-plane&scores=q-k&q=0.5_0")
    for text in page.locator(".aw-matrix td").all_inner_texts():
        assert len(text.partition(".")[2]) == 2, text


def test_the_hull_goes_through_the_outer_points_and_follows_them(opened):
    corners = free("v", [[0, 0], [2, 0], [0, 2], [-2, 0]], low=-3, high=3, step=1)
    sets = [points("v", control("v"), "taken", hull=True)]
    page = opened(Widget("h", controls=[corners], panels=[plane(sets, limits=(-3, 3))]))
    hull = page.locator(".aw-hull")
    assert hull.get_attribute("d").count("L") == 2
    point(page, "v₁").press("ArrowDown")
    assert hull.get_attribute("d").count("L") == 3


def test_a_number_is_changed_and_everything_follows(steps_page):
    page = steps_page()
    assert cells(page, "q·k") == [112, 96, 16, 8]
    assert cells(page, "a") == [0.881, 0.119, 0, 0]
    page.get_by_label("W Q, row 1, column 1").fill("-1")  # q₁ is now 6, 0
    assert cells(page, "q·k") == [84, 72, 12, 6]
    assert cells(page, "÷ 8") == [10.5, 9, 1.5, 0.75]
    with little_changes(page):
        page.get_by_label("X, x₁, column 1").press("ArrowUp")  # native: a step more
    assert cells(page, "K")[:2] == [15, -13]
    x, w_q = "3_2_-2_0_2_4_2_0_3_1_0_1", "-1_-1_4_1_0_0"
    page.wait_for_url(f"**{LAST}&x={x}&w-q={w_q}")
    press(page, "Reset")
    page.locator("input[type=range]").press("End")
    assert cells(page, "q·k") == [112, 96, 16, 8]
    assert page.get_by_label("W Q, row 1, column 1").input_value() == "0"


def test_what_is_no_number_within_its_limits_is_said_and_changes_nothing(steps_page):
    page = steps_page("")
    field = page.get_by_label("X, x₁, column 1")
    assert field.get_attribute("title") == "−9 to 9"
    before = cells(page, "K")

    def shown():
        return said(page), field.get_attribute("aria-invalid"), cells(page, "K")

    walk(
        [
            (typed, (f"{why}: computed with 2.", "true", before))
            for typed, why in (
                ("25", "25 is outside −9 to 9"),
                ("-25", "−25 is outside −9 to 9"),
                ("", "Empty"),
            )
        ],
        field.fill,
        shown,
    )
    page.keyboard.type("-")
    assert shown() == ("No number: computed with 2.", "true", before)
    field.fill("3")
    assert ": 3; y = " in said(page)
    field.fill("25")
    field.blur()
    assert said(page).startswith("1. Make")
    assert field.get_attribute("aria-invalid") == "false"
    assert field.input_value() == "3"


def test_a_number_may_be_typed_with_its_point(steps_page):
    page = steps_page("")
    field = page.get_by_label("W V, row 1, column 1")
    field.focus()
    keys(page, "Control+a", *"-.05")  # .0 is 0 on its way
    assert field.input_value() == "-.05", "not rewritten under the reader's fingers"
    assert cells(page, "V")[0] == pytest.approx(-2 * 0.05)
    field.blur()
    assert field.input_value() == "-0.05"


NINE = "_".join(["-8.75"] * 6)
LARGE = (
    f"{LAST}&x={'_'.join(['8.5'] * 12)}"
    f"&w-q={NINE}&w-k={NINE.replace('-', '')}&w-v={NINE}"
)
WIDTHS = "(all) => all.map((node) => node.getBoundingClientRect().width)"


@pytest.mark.parametrize("width", [1280, 374])
def test_large_numbers_neither_widen_a_table_nor_stick_out_nor_break_a_line(
    steps_page, width
):
    sizes = []
    for at in (LAST, LARGE):
        page = steps_page(at, width=width)
        widths = page.locator(".aw-matrix").evaluate_all(WIDTHS)
        sizes.append((widths, page.locator(".aw").bounding_box()))
    assert min(cells(page, "q·k")) < -90_000
    assert sizes[0] == sizes[1]
    assert page.locator(".aw-matrix td, .aw-cell").evaluate_all(CUT) == []
    line = {table(page, name).bounding_box()["y"] for name in ("V", "q·k", "÷ 8", "a")}
    assert len(line) == 1


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
    page = steps_page("", width=374, has_touch=touch, is_mobile=touch)
    heights = page.locator(".aw-cell").evaluate_all(
        "(all) => all.map((node) => node.getBoundingClientRect().height)"
    )
    assert min(heights) >= least
    assert page.locator(".aw").bounding_box()["height"] <= 760


def test_a_step_shows_its_tables_and_marks_the_word_that_asks(steps_page):
    page = steps_page("#w=step-by-step&step=2")
    seen = page.locator(".aw-matrix:visible caption")
    step, output = page.locator("input[type=range]"), page.locator(".aw-as-out th")
    assert seen.all_inner_texts()[-1] == "q·k"
    step.press("ArrowRight")
    assert seen.all_inner_texts()[-1] == "a"
    assert page.get_by_role("table", name="y", exact=True).count() == 0, (
        "nor is it read"
    )
    step.press("End")
    assert output.all_inner_texts() == ["y₁"]
    page.locator("select").select_option(label="x₃")
    assert output.all_inner_texts() == ["y₃"]
    page.locator("select").select_option(label="x₂")
    assert page.locator(".aw-as-asks td.aw-on").all_inner_texts() == ["8", "2"]
    assert cells(page, "q·k") == [92, 124, 22, 8]


def test_a_live_model_and_the_page_move_each_other(page):
    S = computed("divided", values=control("K"), by=2)
    panels = [
        plane([points("k", control("K"), "asked")], limits=(-3, 3)),
        matrices([matrix("K", control("K")), matrix("S", S)]),
    ]
    K = free("K", [[1, 0], [0, 1]], low=-3, high=3, step=0.5)
    live(page, Widget("live", controls=[K], panels=panels))
    k, field = point(page, "k₁"), page.get_by_label("K, row 1, column 2")
    k.press("ArrowRight")
    assert page.evaluate("window.sent") == ["[[[1.5,0],[0,1]]]"]
    assert cells(page, "S") == [0.75, 0, 0, 0.5]
    page.evaluate("window.model.set('index', [[[-2, 3], [0, 1]]])")
    assert place(k) == [-2, 3]
    assert field.input_value() == "3"
    field.fill("2")
    assert place(k) == [-2, 2]
    assert page.evaluate("window.sent").pop() == "[[[-2,2],[0,1]]]"
