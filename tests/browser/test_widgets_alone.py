"""Widgets on a bare page: hostile text stays text, and failures are seen."""

import numpy as np
import pytest
from browser.hands import finger
from browser.pages import EVIL, page_with

from attention_book.chapters.attention_layer.widgets import saturation
from attention_book.chapters.order.waves import waves
from attention_book.chapters.order.widgets import inside, shuffle
from attention_book.widgets import (
    Widget,
    arcs,
    arrangement,
    bars,
    control,
    free,
    heat_map,
    lines,
    maps,
    matrices,
    matrix,
    network,
    over,
    picture,
    plane,
    points,
    reorder,
    select,
    slider,
    spotlight,
    stream,
    text,
    tokens,
    vector,
    vectors,
)


def hostile():
    """Every panel, with the same hostile text in every place where text can be."""
    words = [EVIL, f"{EVIL}2"]
    panels = [
        tokens(EVIL, words, marks=["wrong", "ok"], axis="t"),
        heat_map(
            words,
            words,
            [[0.1, 0.9], [0.5, 0.5]],
            label=EVIL,
            axes=("t", "s"),
            gold=[(0, 0)],
            gold_label=EVIL,
            visible=control("free"),
            presets={EVIL: [[1, 0], [1, 1]]},
        ),
        maps(words, words, words, [[[0.1, 0.9], [0.5, 0.5]]] * 2, axes=("m", "t", "s")),
        heat_map(range(40), range(40), [[0.5] * 40] * 40, axes=("x", "y"), label=EVIL),
        arcs(words, words, [[0.1, 0.9], [0.5, 0.5]], label=EVIL, axes=("t", "s")),
        spotlight(
            words,
            words,
            [[0.1, 0.9], [0.5, 0.5]],
            names=(EVIL, EVIL),
            axes=("t", "s"),
            gold_label=EVIL,
            gold=[(1, 0)],
        ),
        picture(
            [[0, 1], [1, 0]],
            [[0.4, 0.6]],
            EVIL,
            query=EVIL,
            boxes=[(0, 0, 1, 1), (1, 1, 1, 1)],
            names=words,
            lit=0,
            box_label=EVIL,
            label=EVIL,
        ),
        bars(words, [1, -2], label=EVIL, axis="s", band=([0, -3], [2, -2])),
        tokens(EVIL, words, axis="s", chooses=control("other")),
        stream(words, [2, 1], [1, 2], [0, 1], label=EVIL),
        reorder(control("order")),
        lines(
            [1, 2], {EVIL: [1, 2], "b": [2, 3]}, x_label=EVIL, y_label=EVIL, label=EVIL
        ),
        text(over(EVIL, lambda value: f"{value}!")),
        plane(
            [points(EVIL, control("free"), "asks", axis="s")],
            limits=(0, 9),
            label=EVIL,
        ),
        matrices(
            [matrix(f"{EVIL}_{EVIL}", control("free"), rows=words, columns=words)],
            label=EVIL,
        ),
        network(
            [(0, 0, 1, 0)],
            [[0, 0], [1, 1], [2, 2]],
            [[1, 0], [1, 0], [1, 0]],
            depth=control("depth"),
            output=control("depth"),
            label=EVIL,
        ),
        vectors(
            [vector(EVIL, control("bars"), limits=(-9, 9))],
            label=EVIL,
            presets={EVIL: [1, 2]},
        ),
    ]
    controls = [
        slider(EVIL, [EVIL, "x"], play=True),
        select("other", words),
        free("free", [[1, 2], [3, 4]], low=0, high=9),
        select("depth", [1, 2]),
        free("bars", [1, 2], low=-9, high=9),
    ]
    controls.append(arrangement("order", ["<img/src=x/onerror=window.hurt=1>", "z"]))
    return Widget(
        EVIL,
        EVIL,
        controls=controls,
        panels=panels,
        summary=over("other", lambda value: value),
    )


def test_text_never_becomes_markup(opened):
    page = opened(hostile())
    page.get_by_role("button", name="Show numbers").click()
    for option in page.get_by_role("option").all():
        if option.is_visible():
            option.hover()
    for frame in page.locator(".aw-walk").all():
        frame.focus()
        frame.press("ArrowRight")
        frame.press("ArrowRight")
    page.locator("[aria-roledescription=point]").first.press("ArrowUp")
    page.locator("input[type=number]").first.fill("5")
    page.get_by_role("slider").last.press("End")
    page.locator("input[type=range]").press("End")
    page.locator("select").first.select_option(index=1)
    page.get_by_role("button", name="Reset").click()
    assert page.evaluate("window.hurt") is None
    assert page.locator("img").count() == 0
    assert page.locator(".aw-title").inner_text() == EVIL
    assert page.locator(".aw-error").count() == 0
    assert page.get_by_role("option").first.inner_text().startswith(EVIL)


def test_a_walked_cell_with_braces_in_its_name_is_read_out_as_it_is(opened):
    page = opened(hostile())
    frame = page.locator('[aria-roledescription="heat map"]').first
    frame.focus()
    frame.press("ArrowRight")
    assert (
        page.locator(".aw-out").inner_text()
        == f"{EVIL} attends 0.10 to {EVIL} ({EVIL})"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda html: html.replace('"kind":"text"', '"kind":"hologram"'),
            "unknown panel hologram",
        ),
        (lambda html: html.replace('{"spec":', "{spec:"), "JSON"),
        (lambda html: html.replace('"data":""', '"data":"%"'), "could not be drawn"),
    ],
)
def test_a_failure_is_seen_on_the_page_and_in_the_console(
    tmp_path, browser, change, message
):
    path = tmp_path / "broken.html"
    url = page_with(path, Widget("t", panels=[text("hello")]))
    broken = change(path.read_text("utf-8"))
    assert broken != path.read_text("utf-8")
    path.write_text(broken, "utf-8")
    context = browser.new_context()
    page, errors = context.new_page(), []
    page.on("console", lambda said: said.type == "error" and errors.append(said.text))
    page.goto(url)
    assert message in page.locator("[role=alert]").inner_text()
    assert len(errors) == 1
    assert "attention widget" in errors[0]
    context.close()


def test_one_broken_widget_leaves_the_others_alive(tmp_path, browser):
    path = tmp_path / "mixed.html"
    url = page_with(
        path,
        Widget("bad", panels=[text("one")]),
        Widget("good", panels=[tokens("s", ["two"])]),
    )
    path.write_text(
        path.read_text("utf-8").replace('"kind":"text"', '"kind":"hologram"'), "utf-8"
    )
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    assert page.locator("[role=alert]").count() == 1
    assert page.locator(".aw-token").inner_text() == "two"
    context.close()


CURVES = "(all) => all.map((one) => one.getAttribute('d')).join().split('M').length - 1"


def test_ragged_settings_redraw_with_their_own_words(opened):
    sizes = [2, 4, 1]
    rows = over("n", lambda n: [f"r{i}" for i in range(n)])
    columns = over("n", lambda n: [f"c{i}" for i in range(n + 1)])
    values = over(
        "n", lambda n: [[(r + c) / 10 for c in range(n + 1)] for r in range(n)]
    )
    widget = Widget(
        "ragged",
        controls=[select("n", sizes)],
        panels=[
            heat_map(rows, columns, values),
            arcs(rows, columns, values),
            tokens("t", rows, axis="query"),
        ],
    )
    page = opened(widget)
    for n in sizes:
        page.locator("select").select_option(label=str(n))
        cells = page.locator("canvas").evaluate("(node) => [node.height, node.width]")
        assert cells == [n, n + 1]
        arcs_drawn = page.locator(".aw-arc").evaluate_all(CURVES)
        assert arcs_drawn == n * (n + 1) - 1, "of a value of 0 there is none"
        assert page.locator(".aw-token").all_inner_texts() == [
            f"r{i}" for i in range(n)
        ]


def test_a_control_named_in_follow_lights_its_row_until_the_reader_points_elsewhere(
    opened,
):
    words = ["a", "b", "c"]
    panels = [
        tokens("target", words, axis="target"),
        heat_map(words, ["x"], [[1], [2], [3]], axes=("target", "s")),
    ]
    widget = Widget(
        "f",
        controls=[slider("t", [1, 2, 3], default=2)],
        panels=panels,
        follow={"target": "t"},
    )
    page = opened(widget)
    chosen = page.locator(".aw-token.aw-on")
    assert chosen.inner_text() == "b"
    page.locator("input").press("End")
    assert chosen.inner_text() == "c"
    page.get_by_role("option", name="a").hover()
    assert chosen.inner_text() == "a"
    page.mouse.move(1, 1)
    assert chosen.inner_text() == "c"


def pictured():
    """A 4 × 6 image under 2 × 3 cells of 2 × 2 pixels; two boxes; two masks."""
    image = [[0, 0, 0, 0, 0, 1]] + [[0] * 6] * 3
    masks = {
        "left": [[0.7, 0.1, 0.0], [0.1, 0.1, 0.0]],
        "right": [[0.0, 0.0, 0.5], [0.1, 0.2, 0.2]],
    }
    panel = picture(
        image,
        over("word", masks.get),
        "One bright pixel at the top right.",
        query=over("word", lambda word: word),
        boxes=[(0, 0, 2, 2), (0, 4, 2, 2)],
        names=["dark", "bright"],
        lit=over("word", {"left": 0, "right": 1}.get),
        half=True,
    )
    return Widget(
        "p", controls=[slider("word", list(masks))], panels=[panel, text("beside")]
    )


PIXEL = """(canvas, [x, y]) => {
  const often = { willReadFrequently: true }; // else Chromium warns
  const copy = document.createElement("canvas").getContext("2d", often);
  copy.drawImage(canvas, 0, 0);
  const [red, green, blue] = copy.getImageData(x, y, 1, 1).data;
  return red + green + blue;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_mask_darkens_the_cells_that_are_looked_at(opened, scheme):
    page = opened(pictured(), color_scheme=scheme)
    canvas = page.locator("canvas")

    def at(x, y):
        return canvas.evaluate(PIXEL, [x, y])

    assert at(0, 0) == at(1, 1) < at(2, 0) < at(4, 3)  # 0.7, 0.1 and 0
    assert at(5, 0) < at(4, 0) - 200  # ink on its ground
    page.locator("input").press("End")
    assert at(4, 0) < at(0, 0)
    assert at(5, 0) < at(4, 0) - 200


def test_the_box_that_is_meant_stands_out_and_follows_the_setting(opened):
    page = opened(pictured())
    meant = page.locator(".aw-box.aw-on")
    assert meant.text_content() == "dark"
    page.locator("input").press("End")
    assert meant.text_content() == "bright"


def test_the_cells_of_a_picture_are_read_by_mouse_and_by_keyboard(opened):
    page = opened(pictured())
    frame, out, ring = (
        page.locator(".aw-picture"),
        page.locator(".aw-out"),
        page.locator(".aw-ring.aw-shown"),
    )
    box = frame.bounding_box()
    frame.hover(position={"x": box["width"] * 0.9, "y": box["height"] * 0.9})
    assert out.inner_text() == "left attends 0.00 to row 2, column 3"
    page.mouse.move(1, 1)
    assert ring.count() == 0
    frame.focus()
    frame.press("ArrowRight")
    assert out.inner_text() == "left attends 0.70 to row 1, column 1 (dark)"
    page.locator("input").evaluate(
        "(node) => ((node.value = 1), node.dispatchEvent(new Event('input')))"
    )
    assert out.inner_text() == "right attends 0.00 to row 1, column 1 (dark)"
    frame.press("End")
    assert out.inner_text() == "right attends 0.50 to row 1, column 3 (bright)"
    assert ring.count() == 1
    assert "One bright pixel" in frame.get_attribute("aria-label")


def lit(page, name):
    """Word -> weight of those that are lit in a strip."""
    weight = """(all) => all.map((node) =>
      [node.textContent, Number(node.style.getPropertyValue('--aw-weight'))])"""
    return {
        word: value
        for word, value in page.get_by_role("listbox", name=name)
        .locator("li")
        .evaluate_all(weight)
        if value
    }


def test_a_spotlight_lights_the_other_strip_from_either_side(opened):
    panel = spotlight(
        ["r0", "r1"],
        ["c0", "c1", "c2"],
        [[0.1, 0.9, 0.0], [0.3, 0.2, 0.5]],
        names=("rows", "columns"),
        gold=[(0, 1), (2, 1), (0, 0)],
    )
    page = opened(Widget("s", panels=[panel], follow={"query": 1}))
    out, right = page.locator(".aw-out"), page.locator("li.aw-is-right")
    resting = {"c0": 0.3, "c1": 0.2, "c2": 0.5}
    assert lit(page, "columns") == resting
    assert right.all_inner_texts() == ["c0", "c2"]
    page.get_by_role("option", name="r0").hover()
    assert (lit(page, "columns"), lit(page, "rows")) == ({"c0": 0.1, "c1": 0.9}, {})
    assert out.inner_text() == "r0 attends 0.90 to c1, the most of all"
    page.get_by_role("option", name="c0").hover()
    assert (lit(page, "columns"), lit(page, "rows")) == ({}, {"r0": 0.1, "r1": 0.3})
    assert out.inner_text() == "r1 attends 0.30 to c0, the most of all"
    assert right.all_inner_texts() == ["r0", "r1"]
    page.mouse.move(1, 1)
    assert lit(page, "columns") == resting
    strip = page.get_by_role("listbox", name="rows")
    strip.focus()
    strip.press("ArrowRight")
    strip.press("ArrowRight")
    assert out.inner_text() == "r1 attends 0.50 to c2, the most of all"


def test_on_a_logarithmic_axis_each_doubling_is_as_wide_and_can_be_clicked(opened):
    widths = [1, 2, 4, 8]
    panel = lines(widths, {"y": [1, 2, 3, 4]}, marker=control("width"), log_x=True)
    widget = Widget("log", controls=[slider("width", widths)], panels=[panel])
    page = opened(widget)
    ticks = page.locator(".aw-tick[text-anchor=middle]")
    assert ticks.all_text_contents() == ["1", "2", "4", "8"]
    middles = [each.bounding_box() for each in ticks.all()]
    at = [box["x"] + box["width"] / 2 for box in middles]
    assert at[2] - at[1] == pytest.approx(at[1] - at[0], abs=1)
    assert at[3] - at[2] == pytest.approx(at[1] - at[0], abs=1)
    page.mouse.click(at[2], middles[2]["y"] - 60)
    assert page.locator(".aw-value").inner_text() == "4"
    line = page.locator(".aw-marker line").bounding_box()
    assert line["x"] + line["width"] / 2 == pytest.approx(at[2], abs=1.5)


def dragged():
    """Three words to drag, and what is said of them."""
    order = arrangement("order", ["a", "wide", "c"])
    said = text(over("order", lambda said: f"now {said}"))
    panels = [reorder(control("order")), said]
    return Widget("drag", controls=[order], panels=panels, link="drag")


def middle(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_word_is_dragged_by_mouse_past_its_neighbours_middle(opened):
    page = opened(dragged())
    said, word = page.locator(".aw-text"), page.get_by_role("button", name="a, place")
    x, y = middle(word)
    wide, _ = middle(page.get_by_role("button", name="wide, place"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(wide - 2, y)
    assert said.inner_text() == "now a wide c"
    page.mouse.move(wide + 2, y)
    assert said.inner_text() == "now wide a c"
    page.mouse.move(wide + 3, y)
    assert said.inner_text() == "now wide a c", "it does not jump back"
    page.mouse.up()
    page.mouse.move(x, y)
    assert said.inner_text() == "now wide a c", "it was let go"
    page.wait_for_url("**#w=drag&order=wide-a-c")
    page.get_by_role("button", name="Reset").click()
    assert said.inner_text() == "now a wide c"


def test_a_word_is_dragged_by_a_finger(opened):
    page = opened(dragged(), has_touch=True, width=390, height=200)
    x, y = middle(page.get_by_role("button", name="a, place"))
    last, _ = middle(page.get_by_role("button", name="c, place"))
    along = ((x + (last + 5 - x) * k / 8, y - 5 * k) for k in range(9))  # upwards, too
    finger(page, *along)
    assert page.locator(".aw-text").inner_text() == "now wide c a"
    assert page.evaluate("scrollY") == 0


def test_a_word_is_moved_by_keys_and_keeps_the_focus(opened):
    page = opened(dragged())
    said, out = page.locator(".aw-text"), page.locator(".aw-out")
    focused = "document.activeElement.textContent"
    page.get_by_role("button", name="wide, place 2 of 3").focus()
    for key, order, place in (
        ("ArrowRight", "a c wide", 3),
        ("ArrowRight", "a c wide", 3),
        ("Home", "wide a c", 1),
        ("ArrowLeft", "wide a c", 1),
        ("ArrowDown", "a wide c", 2),
    ):
        page.keyboard.press(key)
        assert said.inner_text() == f"now {order}"
        assert page.evaluate(focused) == "wide"
        assert out.inner_text().startswith(f"wide stands at place {place} of 3.")
    page.get_by_role("button", name="Reverse").click()
    assert said.inner_text() == "now c wide a"


def test_an_order_comes_from_the_address_and_a_wrong_one_does_not(opened):
    for order, expected in (("c-wide-a", "c wide a"), ("c-wide-c", "a wide c")):
        page = opened(dragged(), at=f"#w=drag&order={order}")
        assert page.locator(".aw-text").inner_text() == f"now {expected}"


def test_moving_a_word_changes_little_of_the_page(opened):
    page = opened(shuffle())
    changes = page.evaluate(
        """() => {
          const host = document.querySelector(".aw-host"), most = [];
          const observer = new MutationObserver(() => {});
          const what = ["subtree", "childList", "attributes", "characterData"];
          observer.observe(host, Object.fromEntries(what.map((each) => [each, true])));
          host.querySelector("li button").focus();
          for (const key of ["ArrowRight", "End", "Home", "ArrowRight"]) {
            observer.takeRecords();
            const press = new KeyboardEvent("keydown", { key, bubbles: true });
            document.activeElement.dispatchEvent(press);
            most.push(observer.takeRecords().length);
          }
          return most;
        }"""
    )
    assert all(0 < each <= 150 for each in changes), changes


def test_no_row_is_cut_however_broad_its_letters(opened):
    words = ["man", "mean", "www", "iii"]
    panels = [
        heat_map(words[:n], ["c"], [[0.5]] * n, axes=(f"r{n}", f"c{n}"))
        for n in (1, 2, 3)
    ]
    page = opened(Widget("r", panels=panels))
    page.add_style_tag(content="text { font-family: 'DejaVu Sans', sans-serif }")
    for drawing in page.locator(".aw-panel-heat_map svg").all():
        edge = drawing.bounding_box()["x"]
        for label in drawing.locator("[data-row]").all():
            assert label.bounding_box()["x"] >= edge, label.text_content()


@pytest.mark.parametrize("width", [1280, 390])
def test_without_javascript_a_card_is_as_high_as_its_words(opened, width):
    page = opened(shuffle(), width=width, java_script_enabled=False)
    card = page.locator(".aw").bounding_box()["height"]
    lines = page.locator(".aw > p").all()
    assert card < sum(each.bounding_box()["height"] for each in lines) + 120


def test_what_can_only_be_clicked_is_not_printed_and_headings_wrap(opened):
    page = opened(shuffle(), saturation())
    for part in (".aw-controls", ".aw-foot"):
        assert page.locator(part).first.is_visible()
    page.emulate_media(media="print")
    for part in (".aw-foot", ".aw-reorder .aw-button"):
        assert not page.locator(part).first.is_visible()
    assert page.locator(".aw-controls").first.is_visible()  # at what it is set
    assert page.get_by_role("button", name="man, place 1 of 4").is_visible()
    page.set_viewport_size({"width": 300, "height": 800})
    cut = "(all) => all.filter((node) => node.scrollWidth > node.clientWidth)"
    assert page.locator(".aw-panel-label").evaluate_all(cut) == []


def test_an_exporters_lists_do_not_move_words(opened):
    page = opened(shuffle())
    before = page.locator(".aw-reorder .aw-token").first.bounding_box()
    page.add_style_tag(
        content=".as-exported ul:not(.list-inline) { padding-left: 2em; }"
    )
    page.evaluate("document.body.className = 'as-exported'")
    assert page.locator(".aw-reorder .aw-token").first.bounding_box() == before


def test_every_word_stands_over_its_column_on_a_phone(opened):
    page = opened(inside(), width=374)
    above = page.locator(".aw-panel-heat_map").nth(1).locator("[data-column]")
    assert above.all_text_contents() == ["man", "bit", "old", "dog"]


def test_a_band_and_what_bars_measure_have_their_columns(opened):
    page = opened(saturation())
    page.get_by_role("button", name="Show numbers").click()
    heads = page.locator("thead th").all_inner_texts()
    assert heads[0] == "weight a"
    assert heads[-3:] == ["median", "lower quarter", "upper quarter"]
    row = page.locator(".aw-table").nth(1).locator("tbody tr").nth(6).inner_text()
    median, low, high = map(float, row.split()[1:])
    assert low < median < high


def test_a_curve_is_called_by_its_setting(opened):
    learned = np.random.default_rng(0).normal(size=(48, 32))
    page = opened(waves(learned, 17))
    names = page.locator(".aw-legend li")
    assert names.all_inner_texts() == ["sine, D = 32, base 10000", "learned"]
    page.locator("select").select_option(label="sine, base 10")
    page.get_by_label("width D").press("Home")
    assert names.first.inner_text() == "sine, D = 4, base 10"
    page.locator("select").select_option(label="learned, D = 32")
    assert names.first.inner_text() == "sine, D = 4, base 10000"
    page.locator(".aw-plot").press("ArrowRight")
    assert "sine, D = 4, base 10000: " in page.locator(".aw-out").inner_text()
    page.get_by_role("button", name="Show numbers").click()
    assert "sine, D = 4, base 10000" in page.locator("thead").last.inner_text()


def test_what_is_below_zero_has_one_minus_sign_everywhere(opened):
    words, values = ["p", "q"], [-0.5, -0.0001]
    panels = [
        bars(words, values),
        heat_map(words, words, [values] * 2, diverging=True, axes=("r", "c")),
        lines([-1, 1], {"y": values}, marker=control("n")),
    ]
    page = opened(Widget("m", controls=[slider("n", [-1, 0, 1])], panels=panels))
    page.get_by_role("button", name="Show numbers").click()
    page.locator(".aw-panel-heat_map .aw-walk").press("ArrowRight")
    said = page.locator(".aw").inner_text()
    assert "p attends −0.50 to p" in said
    assert "-" not in said
    assert "−0.00" not in said
