"""Widgets on a bare page: hostile text stays text, and failures are seen."""

import pytest
from browser.hands import (
    CUT,
    WIDE,
    away,
    choose,
    finger,
    keys,
    little_changes,
    middle,
    press,
    said,
    slide,
    walk,
)
from browser.pages import EVIL

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
    predict,
    question,
    quick_questions,
    reorder,
    right,
    select,
    slider,
    spotlight,
    stream,
    text,
    tokens,
    vector,
    vectors,
    wrong,
)


def hostile():
    """Every panel, with the same hostile text in every place where text can be."""
    words, A, axes = [EVIL, f"{EVIL}2"], [[0.1, 0.9], [0.5, 0.5]], ("t", "s")
    gold = {"gold": [(0, 0)], "gold_label": EVIL}
    masks = {"visible": control("free"), "presets": {EVIL: [[1, 0], [1, 1]]}}
    boxes = {"boxes": [(0, 0, 1, 1), (1, 1, 1, 1)], "names": words, "box_label": EVIL}
    panels = [
        tokens(EVIL, words, marks=["wrong", "ok"], axis="t"),
        heat_map(words, words, A, label=EVIL, axes=axes, **gold, **masks),
        maps(words, words, words, [A, A], axes=("m", "t", "s")),
        heat_map(range(40), range(40), [[0.5] * 40] * 40, axes=("x", "y"), label=EVIL),
        arcs(words, words, A, label=EVIL, axes=axes),
        spotlight(words, words, A, names=(EVIL, EVIL), axes=axes, **gold),
        picture(A, [[0.4, 0.6]], EVIL, query=EVIL, lit=0, label=EVIL, **boxes),
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
        arrangement("order", ["<img/src=x/onerror=window.hurt=1>", "z"]),
    ]
    summary = over("other", lambda value: value)
    return Widget(EVIL, EVIL, controls=controls, panels=panels, summary=summary)


def hostile_questions():
    """The same text wherever a question or a prediction can have one."""
    asked = question(
        EVIL, right(EVIL, f"`{EVIL}` *{EVIL}* {EVIL}"), wrong(f"{EVIL}2", EVIL)
    )
    guessed = predict(EVIL, [EVIL, f"`{EVIL}`"], answer=EVIL, reveal=EVIL)
    waiting = Widget(EVIL, panels=[tokens("s", ["x"])], predict=guessed)
    return quick_questions(asked, title=EVIL), waiting


def assert_unhurt(page):
    assert page.evaluate("window.hurt") is None
    assert page.locator("img").count() == 0
    assert page.locator(".aw-error").count() == 0


def test_text_never_becomes_markup(opened):
    page = opened(hostile())
    assert page.locator(".aw-title").inner_text() == EVIL
    assert page.get_by_role("option").first.inner_text().startswith(EVIL)
    press(page, "Show numbers")
    for option in page.get_by_role("option").all():
        if option.is_visible():
            option.hover()
    frames = page.locator(".aw-walk").all()
    for frame in frames:
        frame.press("ArrowRight")
        if frame is frames[0]:  # a name with braces is said as it is
            assert said(page) == f"{EVIL} attends 0.10 to {EVIL} ({EVIL})"
        frame.press("ArrowRight")
    page.locator("[aria-roledescription=point]").first.press("ArrowUp")
    page.locator("input[type=number]").first.fill("5")
    page.get_by_role("slider").last.press("End")
    page.locator("input[type=range]").press("End")
    page.locator("select").first.select_option(index=1)
    press(page, "Reset")
    assert_unhurt(page)


@pytest.mark.parametrize("script", [True, False])
def test_text_of_questions_and_predictions_never_becomes_markup(opened, script):
    page = opened(*hostile_questions(), java_script_enabled=script)
    if script:
        for option in page.locator("button.aw-option").all():
            if option.is_visible():
                option.click()
        page.wait_for_timeout(100)
        because, verdict = page.locator(".aw-because, .aw-verdict p").all()[::2]
        assert because.inner_text() == f"Right. {EVIL} {EVIL} {EVIL}"
        line = f"You predicted {EVIL}, and so it is: {EVIL}"
        assert verdict.inner_text() == line
    else:
        page.locator("summary").click()
        assert EVIL in page.locator(".aw-answers").inner_text()
    assert_unhurt(page)


ONE = Widget("one", panels=[text("hello")])
ASKED = quick_questions(question("Who?", right("I", "Yes."), wrong("You", "No.")))


@pytest.mark.parametrize(
    ("widget", "old", "new", "message"),
    [
        (ONE, '"kind":"text"', '"kind":"hologram"', "unknown panel hologram"),
        (ONE, '{"spec":', "{spec:", "JSON"),
        (ONE, '"data":""', '"data":"%"', "could not be drawn"),
        (ASKED, '"answers":[[]]', '"answers":null', "could not be drawn"),
    ],
)
def test_a_failure_is_seen_and_heard_and_leaves_the_others_alive(
    altered, widget, old, new, message
):
    other = Widget("two", panels=[tokens("s", ["alive"])])
    page, errors = altered(widget, other, old=old, new=new)
    assert message in page.locator("[role=alert]").inner_text()
    assert page.locator(".aw-token").inner_text() == "alive"
    assert len(errors) == 1
    assert "attention widget" in errors[0]


CURVES = "(all) => all.map((one) => one.getAttribute('d')).join().split('M').length - 1"


def test_ragged_settings_redraw_with_their_own_words(opened):
    sizes = [2, 4, 1]
    names = over("n", lambda n: [f"r{i}" for i in range(n)])
    columns = over("n", lambda n: [f"c{i}" for i in range(n + 1)])
    values = over(
        "n", lambda n: [[(r + c) / 10 for c in range(n + 1)] for r in range(n)]
    )
    panels = [
        heat_map(names, columns, values),
        arcs(names, columns, values),
        tokens("t", names, axis="query"),
    ]
    page = opened(Widget("ragged", controls=[select("n", sizes)], panels=panels))
    for n in sizes:
        choose(page, n=str(n))
        cells = page.locator("canvas").evaluate("(node) => [node.height, node.width]")
        assert cells == [n, n + 1]
        arcs_drawn = page.locator(".aw-arc").evaluate_all(CURVES)
        assert arcs_drawn == n * (n + 1) - 1, "of a value of 0 there is none"
        words = page.locator(".aw-token").all_inner_texts()
        assert words == [f"r{i}" for i in range(n)]


def test_a_control_named_in_follow_lights_its_row_until_the_reader_points_elsewhere(
    opened,
):
    words = ["a", "b", "c"]
    panels = [
        tokens("target", words, axis="target"),
        heat_map(words, ["x"], [[1], [2], [3]], axes=("target", "s")),
    ]
    steps = [slider("t", [1, 2, 3], default=2)]
    page = opened(Widget("f", controls=steps, panels=panels, follow={"target": "t"}))
    chosen = page.locator(".aw-token.aw-on")
    assert chosen.inner_text() == "b"
    slide(page, "t", "End")
    assert chosen.inner_text() == "c"
    page.get_by_role("option", name="a").hover()
    assert chosen.inner_text() == "a"
    away(page)
    assert chosen.inner_text() == "c"


def pictured():
    """A 4 × 6 image under 2 × 3 cells of 2 × 2 pixels; two boxes; two masks."""
    masks = {
        "left": [[0.7, 0.1, 0.0], [0.1, 0.1, 0.0]],
        "right": [[0.0, 0.0, 0.5], [0.1, 0.2, 0.2]],
    }
    panel = picture(
        [[0, 0, 0, 0, 0, 1]] + [[0] * 6] * 3,
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
def test_the_mask_darkens_what_is_looked_at_and_the_box_that_is_meant_stands_out(
    opened, scheme
):
    page = opened(pictured(), color_scheme=scheme)
    meant = page.locator(".aw-box.aw-on")

    def at(x, y):
        return page.locator("canvas").evaluate(PIXEL, [x, y])

    assert at(0, 0) == at(1, 1) < at(2, 0) < at(4, 3)  # 0.7, 0.1 and 0
    assert at(5, 0) < at(4, 0) - 200  # ink on its ground
    assert meant.text_content() == "dark"
    slide(page, "word", "End")
    assert at(4, 0) < at(0, 0)
    assert at(5, 0) < at(4, 0) - 200
    assert meant.text_content() == "bright"


def test_the_cells_of_a_picture_are_read_by_mouse_and_by_keyboard(opened):
    page = opened(pictured())
    frame, ring = page.locator(".aw-picture"), page.locator(".aw-ring.aw-shown")
    assert "One bright pixel" in frame.get_attribute("aria-label")
    box = frame.bounding_box()
    frame.hover(position={"x": box["width"] * 0.9, "y": box["height"] * 0.9})
    assert said(page) == "left attends 0.00 to row 2, column 3"
    away(page)
    assert ring.count() == 0
    frame.press("ArrowRight")
    assert said(page) == "left attends 0.70 to row 1, column 1 (dark)"
    page.locator("input").evaluate(
        "(node) => ((node.value = 1), node.dispatchEvent(new Event('input')))"
    )
    assert said(page) == "right attends 0.00 to row 1, column 1 (dark)"
    frame.press("End")
    assert said(page) == "right attends 0.50 to row 1, column 3 (bright)"
    assert ring.count() == 1


def lit(page, name):
    """Word -> weight of those that are lit in a strip."""
    weight = """(all) => all.map((node) =>
      [node.textContent, Number(node.style.getPropertyValue('--aw-weight'))])"""
    strip = page.get_by_role("listbox", name=name).locator("li")
    return {word: value for word, value in strip.evaluate_all(weight) if value}


def test_a_spotlight_lights_the_other_strip_from_either_side(opened):
    panel = spotlight(
        ["r0", "r1"],
        ["c0", "c1", "c2"],
        [[0.1, 0.9, 0.0], [0.3, 0.2, 0.5]],
        names=("rows", "columns"),
        gold=[(0, 1), (2, 1), (0, 0)],
    )
    page = opened(Widget("s", panels=[panel], follow={"query": 1}))
    resting = {"c0": 0.3, "c1": 0.2, "c2": 0.5}, {}, ["c0", "c2"]

    def shown():
        marked = page.locator("li.aw-is-right").all_inner_texts()
        return lit(page, "columns"), lit(page, "rows"), marked

    assert shown()[::2] == resting[::2]
    page.get_by_role("option", name="r0").hover()
    assert shown()[:2] == ({"c0": 0.1, "c1": 0.9}, {})
    assert said(page) == "r0 attends 0.90 to c1, the most of all"
    page.get_by_role("option", name="c0").hover()
    assert shown() == ({}, {"r0": 0.1, "r1": 0.3}, ["r0", "r1"])
    assert said(page) == "r1 attends 0.30 to c0, the most of all"
    away(page)
    assert shown()[::2] == resting[::2]
    page.get_by_role("listbox", name="rows").focus()
    keys(page, "ArrowRight", "ArrowRight")
    assert said(page) == "r1 attends 0.50 to c2, the most of all"


def dragged():
    """Three words to drag, and what is said of them."""
    order = arrangement("order", ["a", "wide", "c"])
    now = text(over("order", lambda said: f"now {said}"))
    panels = [reorder(control("order")), now]
    return Widget("drag", controls=[order], panels=panels, link="drag")


def place_of(page, word):
    return middle(page.get_by_role("button", name=f"{word}, place"))


def test_a_word_is_dragged_by_mouse_past_its_neighbours_middle(opened):
    page = opened(dragged())
    now = page.locator(".aw-text")
    (x, y), (wide, _) = place_of(page, "a"), place_of(page, "wide")
    page.mouse.move(x, y)
    page.mouse.down()
    for to, order in (
        (wide - 2, "a wide c"),
        (wide + 2, "wide a c"),
        (wide + 3, "wide a c"),  # it does not jump back
    ):
        page.mouse.move(to, y)
        assert now.inner_text() == f"now {order}"
    page.mouse.up()
    page.mouse.move(x, y)
    assert now.inner_text() == "now wide a c", "it was let go"
    page.wait_for_url("**#w=drag&order=wide-a-c")
    press(page, "Reset")
    assert now.inner_text() == "now a wide c"


def test_a_word_is_dragged_by_a_finger(opened):
    page = opened(dragged(), has_touch=True, width=390, height=200)
    (x, y), (last, _) = place_of(page, "a"), place_of(page, "c")
    along = ((x + (last + 5 - x) * k / 8, y - 5 * k) for k in range(9))  # upwards, too
    finger(page, *along)
    assert page.locator(".aw-text").inner_text() == "now wide c a"
    assert page.evaluate("scrollY") == 0


def test_a_word_is_moved_by_keys_and_keeps_the_focus(opened):
    page = opened(dragged())
    now = page.locator(".aw-text")
    page.get_by_role("button", name="wide, place 2 of 3").focus()

    def shown():
        focused = page.evaluate("document.activeElement.textContent")
        return now.inner_text(), focused, said(page).partition(".")[0]

    steps = [
        ("ArrowRight", "a c wide", 3),
        ("ArrowRight", "a c wide", 3),
        ("Home", "wide a c", 1),
        ("ArrowLeft", "wide a c", 1),
        ("ArrowDown", "a wide c", 2),
    ]
    walk(
        [
            (key, (f"now {order}", "wide", f"wide stands at place {place} of 3"))
            for key, order, place in steps
        ],
        page.keyboard.press,
        shown,
    )
    press(page, "Reverse")
    assert now.inner_text() == "now c wide a"


@pytest.mark.parametrize(
    ("order", "opens"), [("c-wide-a", "c wide a"), ("c-wide-c", "a wide c")]
)
def test_an_order_comes_from_the_address_and_a_wrong_one_does_not(opened, order, opens):
    page = opened(dragged(), at=f"#w=drag&order={order}")
    assert page.locator(".aw-text").inner_text() == f"now {opens}"


def test_moving_a_word_changes_little_and_an_exporters_lists_do_not_move_it(opened):
    page = opened(shuffle())
    page.locator("li button").first.focus()
    for key in ("ArrowRight", "End", "Home", "ArrowRight"):
        with little_changes(page):
            keys(page, key)
    before = page.locator(".aw-reorder .aw-token").first.bounding_box()
    page.add_style_tag(
        content=".as-exported ul:not(.list-inline) { padding-left: 2em; }"
    )
    page.evaluate("document.body.className = 'as-exported'")
    assert page.locator(".aw-reorder .aw-token").first.bounding_box() == before


def test_no_row_is_cut_however_broad_its_letters(opened):
    words = ["man", "mean", "www", "iii"]
    panels = [
        heat_map(words[:n], ["c"], [[0.5]] * n, axes=(f"r{n}", f"c{n}"))
        for n in (1, 2, 3)
    ]
    page = opened(Widget("r", panels=panels))
    page.add_style_tag(content=WIDE)
    for drawing in page.locator(".aw-panel-heat_map svg").all():
        edge = drawing.bounding_box()["x"]
        for label in drawing.locator("[data-row]").all():
            assert label.bounding_box()["x"] >= edge, label.text_content()


@pytest.mark.parametrize("width", [1280, 390])
def test_without_javascript_a_card_is_as_high_as_its_words(opened, width):
    page = opened(shuffle(), width=width, java_script_enabled=False)
    card = page.locator(".aw").bounding_box()["height"]
    said = page.locator(".aw > p").all()
    assert card < sum(each.bounding_box()["height"] for each in said) + 120


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
    assert page.locator(".aw-panel-label").evaluate_all(CUT) == []


def test_every_word_stands_over_its_column_on_a_phone(opened):
    page = opened(inside(), width=374)
    above = page.locator(".aw-panel-heat_map").nth(1).locator("[data-column]")
    assert above.all_text_contents() == ["man", "bit", "old", "dog"]


def test_a_band_and_what_bars_measure_have_their_columns(opened):
    page = opened(saturation())
    press(page, "Show numbers")
    heads = page.locator("thead th").all_inner_texts()
    assert heads[0] == "weight a"
    assert heads[-3:] == ["median", "lower quarter", "upper quarter"]
    row = page.locator(".aw-table").nth(1).locator("tbody tr").nth(6).inner_text()
    median, low, high = map(float, row.split()[1:])
    assert low < median < high


def test_a_curve_is_called_by_its_setting(opened):
    page = opened(waves())
    names, now = page.locator(".aw-legend li"), "sine, D = 4, base 10000"
    assert names.all_inner_texts() == ["sine, D = 32, base 10000", "learned"]
    page.locator("select").select_option(label="sine, base 10")
    page.get_by_label("width D").press("Home")
    assert names.first.inner_text() == "sine, D = 4, base 10"
    page.locator("select").select_option(label="learned, D = 32")
    assert names.first.inner_text() == now
    page.locator(".aw-plot").press("ArrowRight")
    assert f"{now}: " in said(page)
    press(page, "Show numbers")
    assert now in page.locator("thead").last.inner_text()


def test_what_is_below_zero_has_one_minus_sign_everywhere(opened):
    words, values = ["p", "q"], [-0.5, -0.0001]
    panels = [
        bars(words, values),
        heat_map(words, words, [values] * 2, diverging=True, axes=("r", "c")),
        lines([-1, 1], {"y": values}, marker=control("n")),
    ]
    page = opened(Widget("m", controls=[slider("n", [-1, 0, 1])], panels=panels))
    press(page, "Show numbers")
    page.locator(".aw-panel-heat_map .aw-walk").press("ArrowRight")
    shown = page.locator(".aw").inner_text()
    assert "p attends −0.50 to p" in shown
    assert "-" not in shown
    assert "−0.00" not in shown
