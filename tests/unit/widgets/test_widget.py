"""Widgets show what the author gave; wrong settings are named; text stays text."""

import json
import re

import numpy as np
import pytest
import traitlets

from attention_book.widgets import (
    Widget,
    arcs,
    arrangement,
    bars,
    by_text,
    cells,
    computed,
    control,
    free,
    heat_map,
    ids,
    joined,
    laid,
    lines,
    maps,
    named,
    over,
    paper,
    picture,
    reorder,
    select,
    slider,
    spotlight,
    switches,
    text,
    tokens,
    typed,
    words_of,
)
from attention_book.widgets.compose import compose_script
from attention_book.widgets.static import INLINE_CLOSE, INLINE_OPEN

ROWS, COLUMNS = ["a", "b", "c"], ["p", "q", "r", "s", "t"]
VALUES = np.arange(15).reshape(3, 5) / 20
STEP = slider("step", [0, 10, 20, 40], default=20)
KIND = select("kind", ["dot", "mlp"])
NAN = np.where(VALUES == 0, np.nan, VALUES)


def make(*panels, controls=(STEP, KIND), **rest):
    return Widget(
        "A title", controls=controls, panels=panels or [text("hello")], **rest
    )


def grid(values=VALUES, rows=ROWS, columns=COLUMNS, **rest):
    return heat_map(rows, columns, values, **rest)


IMAGE, MASK = np.linspace(0, 1, 96).reshape(8, 12), np.arange(6).reshape(2, 3) / 15


def image(pixels=IMAGE, values=MASK, **rest):
    given = {
        "boxes": [(0, 0, 4, 5), (6, 8, 2, 4)],
        "names": ["sun", "sea"],
        "query": "bright",
    } | rest
    return picture(pixels, values, "A slope from dark to light.", **given)


def sheet(brush=0, count=0):
    """A sheet with one picture on it."""
    return paper("s", {"a": np.eye(3)}, "0.0.0", side=8, brush=brush, count=count)


VOCABULARY = ["[PAD]", "[START]", "[STOP]", "dogs", "sleep"]


def spoken(*panels, **rest):
    """A widget with a typed sentence and a menu."""
    return Widget(
        "Spoken",
        controls=[typed("line", VOCABULARY, "dogs sleep", **rest), select("n", [1, 2])],
        panels=panels or [tokens("t", ["x"])],
    )


WRONG = [
    (lambda: spoken(examples=["dogs fly"]), "'line' has 'fly', which is not among"),
    (lambda: spoken(pieces=["dogs", "fly"]), "'fly'"),
    (lambda: spoken(hides="one"), "hides 0 words: expected one in brackets"),
    (lambda: spoken(brief=True, hides=True), "is brief, expected none of hides"),
    (
        lambda: spoken(examples=["dogs sleep sleep"], longest=2),
        "has 3 words: expected 1 to 2",
    ),
    (
        lambda: spoken(bars(["x"], named([3], VOCABULARY))),
        "values must be numbers, not words",
    ),
    (
        lambda: spoken(text(by_text("n", {}, "x"))),
        "text goes by 'n', which is no typed sentence",
    ),
    (
        lambda: make(controls=[typed("s", VOCABULARY, "dogs", reads="n")]),
        "unknown control 'n'",
    ),
    (
        lambda: make(controls=[switches("s", "ab", there=("kind", {}))]),
        "unknown control 'kind'",
    ),
    (
        lambda: make(controls=[KIND, switches("s", "ab", there=("kind", {}))]),
        "a label of 'kind'",
    ),
    (
        lambda: make(grid(np.zeros((4, 5)))),
        r"values has shape \(4, 5\) but rows × columns is 3 × 5",
    ),
    (
        lambda: make(grid(over("step", [VALUES, VALUES, VALUES[:2], VALUES]))),
        r"shape \(2, 5\) but rows × columns is 3 × 5 \(at step = 20\)",
    ),
    (lambda: make(grid(VALUES[0])), "values has 1 axes"),
    (
        lambda: make(grid(over("layer", [VALUES]))),
        "unknown control 'layer'.*'step', 'kind'",
    ),
    (
        lambda: make(grid(over("kind", [VALUES]))),
        "values has 1 entries over 'kind', which has 2",
    ),
    (lambda: make(text(over("kind", "step", ["x", "y"]))), "not nested that deep"),
    (lambda: make(text(over("kind", "kind", [["x", "y"]] * 2))), "named twice"),
    (lambda: make(grid(NAN)), "values holds NaN"),
    (lambda: make(bars(["x"], [np.inf])), "values holds an infinite number"),
    (lambda: make(bars(["x", "y"], [[1], [1, 2]])), "full array"),
    (lambda: make(tokens("source", "we eat")), "words is 'we eat': give a list"),
    (
        lambda: make(tokens("s", ["x", "y"], marks=["ok"])),
        "marks has 1 entries but words has 2",
    ),
    (lambda: make(tokens("s", ["x"], marks=["bad"])), "marks has 'bad'"),
    (
        lambda: make(bars(["x", "y"], [1, 2, 3])),
        "values has 3 entries but labels has 2",
    ),
    (lambda: make(grid(gold=[(0, 3)])), "gold names a cell beyond the rows"),
    (lambda: make(grid(gold=[(1, 0, 2)])), r"gold must hold links \(input, query\)"),
    (
        lambda: grid(say="{row} sees {word}"),
        r"say has \{word\}: the panel fills \{row\}",
    ),
    (lambda: grid(axes=("word", "word")), "two different names"),
    (
        lambda: make(grid(visible=np.ones((3, 4)))),
        r"visible has shape \(3, 4\) but rows × columns is 3 × 5",
    ),
    (
        lambda: make(grid(visible=np.ones((3, 5)), presets={"all": np.ones((3, 5))})),
        "presets are masks of a free array: expected visible=control",
    ),
    (
        lambda: make(
            grid(visible=control("seen"), presets={"all": np.ones((5, 3))}),
            controls=[free("seen", np.ones((3, 5)), low=0, high=1, step=1)],
        ),
        r"'seen' has shape \(5, 3\): expected \(3, 5\)",
    ),
    (
        lambda: make(maps(["m"], ROWS, COLUMNS, VALUES)),
        "maps panel '': values must have three axes: maps × rows × columns",
    ),
    (
        lambda: make(maps(over("kind", [["m"], []]), ROWS, COLUMNS, [VALUES])),
        r"values has 1 maps but names has 0 entries \(at kind = mlp\)",
    ),
    (
        lambda: make(maps(["m"], COLUMNS, ROWS, [VALUES])),
        "values has 3 rows but rows has 5 entries",
    ),
    (
        lambda: make(maps(["m"], ROWS, COLUMNS, [VALUES], visible=VALUES.T)),
        r"visible has shape \(5, 3\)",
    ),
    (
        lambda: make(maps(["m"], ROWS, COLUMNS, [VALUES], chooses=control("step"))),
        "chooses is 'step', which has 4 values: expected as many names",
    ),
    (lambda: grid(limits=(1, 0)), "low < high"),
    (
        lambda: make(
            grid(axes=("target", "source")), tokens("t", ["x"], axis="target")
        ),
        "both lie along 'target' but differ in length",
    ),
    (lambda: make(grid(), follow={"word": "step"}), "follow names the axis 'word'"),
    (
        lambda: make(grid(), follow={"query": over("kind", [0, 3])}),
        r"follow\['query'\] is 3 but the axis has 3 entries \(at kind = mlp\)",
    ),
    (
        lambda: make(grid(), follow={"query": 0.5}),
        r"follow\['query'\] must be the number of one",
    ),
    (lambda: spotlight(ROWS, COLUMNS, VALUES, names="target"), "names is 'target'"),
    (
        lambda: make(spotlight(ROWS, COLUMNS, VALUES, gold=[(5, 0)])),
        "gold names a cell beyond the columns",
    ),
    (
        lambda: make(image(IMAGE * 2)),
        r"image reaches from 0 to 2: expected grey values in \[0, 1\]",
    ),
    (lambda: make(image(IMAGE[0])), "image must have rows and columns"),
    (lambda: make(image(values=MASK - 1)), "weights cannot be negative"),
    (
        lambda: make(image(values=over("kind", [MASK, np.ones((2, 5))]))),
        r"image has 12 columns but values has 5: .* whole pixels \(at kind = mlp\)",
    ),
    (lambda: picture(IMAGE, MASK, "x", boxes=[(0, 0, 1, 1)]), "belong together"),
    (lambda: picture(IMAGE, MASK, "x", lit=0), "belong together"),
    (
        lambda: picture(IMAGE, None, "x", boxes=[(0, 0, 1, 1)], names=["n"]),
        "a picture without values has no boxes",
    ),
    (lambda: picture(IMAGE, None, "x", asking=1), "a picture without values"),
    (
        lambda: picture(IMAGE, None, "x", asks=control("cell")),
        "a picture without values",
    ),
    (lambda: make(bars(["x"], laid("s")), controls=(sheet(brush=1),)), "give count"),
    (lambda: sheet(count=2.0), "count must be an int"),
    (lambda: sheet(count=-1), "count is -1, expected 0 to 12"),
    (lambda: sheet(count=13), "count is 13, expected 0 to 12"),
    (lambda: sheet(count=1, brush=1), "'s' has brush=1, count=1: expected one"),
    (sheet, "'s' has brush=0, count=0: expected one"),
    (
        lambda: make(image(boxes=[(0, 0, 1)], names=["n"])),
        r"a row \(top, left, height, width\)",
    ),
    (lambda: make(image(names=["n"])), "names has 1 entries but boxes has 2"),
    (lambda: make(image(boxes=[(0, 0, 1, 1), (7, 0, 2, 1)])), "ends below the image"),
    (
        lambda: make(image(boxes=[(0, 0, 1, 1), (0, 9, 1, 4)])),
        "ends to the right of the image",
    ),
    (lambda: make(image(boxes=[(0, 0, 1, 1), (-1, 0, 2, 2)])), "must start inside"),
    (lambda: make(image(boxes=[(0, 0, 1, 1), (0, 0, 2, 0)])), "a width above 0"),
    (
        lambda: make(image(lit=over("kind", [1, 2]))),
        r"lit is 2 but there are 2 boxes, numbered from 0 \(at kind = mlp\)",
    ),
    (lambda: make(image(lit=0.5)), "lit must be the number of one box"),
    (
        lambda: make(image(asks=control("kind"))),
        "asks is 'kind': expected a name of cells",
    ),
    (
        lambda: make(image(asks=control("cell")), controls=(KIND, cells("cell", 3, 2))),
        "values has the sizes 2, 3 but the last of the cells is 3, 2",
    ),
    (lambda: cells("cell", 2, 3, (3, 1)), "default '3, 1' is not among"),
    (lambda: cells("cell", 0, 3), "default '1, 1' is not|is empty"),
    (lambda: image(say="{column} in {box}"), r"say has \{box\}"),
    (lambda: lines([1, 2], {}), "series has 0 curves"),
    (lambda: make(lines([1, 2, 3], {"a": [1, 2]})), "y0 has 2 values but x has 3"),
    (lambda: make(lines([1, 3, 2], {"a": [1, 2, 3]})), "x must increase"),
    (lambda: make(lines([], {"a": []})), "x is empty"),
    (
        lambda: arrangement("order", ["one"]),
        r"words of 'order' are \['one'\]: expected 2 to 5",
    ),
    (lambda: arrangement("order", ["a", "b", "a"]), "different ones"),
    (lambda: arrangement("order", list("abcdef")), "2 to 5"),
    (lambda: arrangement("order", "ab"), "is the single text 'ab'"),
    (lambda: arrangement("order", ["a b", "c"]), "without blanks"),
    (
        lambda: arrangement("order", ["a", "b"], ["a", "c"]),
        "default 'a c' is not among",
    ),
    (
        lambda: make(reorder(control("kind"))),
        "order is 'kind': expected the name of an arrangement",
    ),
    (lambda: make(lines([0, 1], {"a": [1, 2]}, log_x=True)), "x begins at 0"),
    (lambda: lines([1], {"a": [1]}, band={"b": ([0], [1])}), "band names 'b'"),
    (
        lambda: make(lines([1], {"a": [1]}, marker=control("kind"))),
        "values of 'kind' are not all numbers",
    ),
    (
        lambda: make(lines([1], {"a": [1]}, highlight=control("kind"))),
        "no series is named",
    ),
    (lambda: make(bars(["x"], computed("relu", x=[1]))), "unknown 'relu'.*softmax"),
    (
        lambda: make(bars(["x"], computed("softmax", scores=[1]))),
        "softmax takes scores, temperature but values gives it scores",
    ),
    (
        lambda: slider("n", [3, 4], default=7),
        "default 7 is not among the values of 'n': 3, 4",
    ),
    (lambda: slider("n", []), "values of 'n' is empty"),
    (lambda: select("n", [1, "1"]), "values of 'n' must differ"),
    (lambda: select("n", "abc"), "single text 'abc'"),
    (lambda: slider("--", [1]), "needs a name"),
    (
        lambda: make(controls=[slider("State size", [1]), slider("state-size", [1])]),
        "called alike",
    ),
    (lambda: make(controls=[slider("W", [1])]), "'w' would be taken"),
    (lambda: make(link="My Widget"), "link 'My Widget' must be .*'my-widget'"),
    (lambda: Widget("A title", panels=[]), "panels is empty"),
    (lambda: Widget(3, panels=[text("x")]), "title must be a text"),
    (
        lambda: make(
            bars(["x"], over("n", [[1]])), controls=[free("n", 1, low=0, high=2)]
        ),
        "values is over 'n', whose values cannot be listed",
    ),
    (
        lambda: make(text(control("n")), controls=[free("n", 1, low=0, high=2)]),
        "text must be text, but 'n' holds numbers",
    ),
    (
        lambda: make(
            lines([1], {"a": [1]}, marker=control("n")),
            controls=[free("n", 1, low=0, high=2)],
        ),
        "values of 'n' are not all numbers",
    ),
    (
        lambda: free("n", [1, 5], low=0, high=2),
        "'n' holds .* expected numbers from 0 to 2",
    ),
    (lambda: free("n", [1, 5], low=2, high=0), "'n' goes from 2 to 0 in steps of 0.1"),
    (lambda: free("-", [1], low=0, high=2), "needs a name"),
    (lambda: over([1, 2]), r"over\(\) takes names of controls"),
]


@pytest.mark.parametrize(("build", "message"), WRONG)
def test_a_wrong_setting_is_named_when_the_widget_is_made(build, message, as_a_reader):
    with pytest.raises((ValueError, TypeError), match=message):
        build()


def test_an_error_says_which_panel_it_is_in():
    with pytest.raises(ValueError, match="heat_map panel 'weights': values holds NaN"):
        make(grid(NAN, label="weights"))


def fields_of(widget, panel=0):
    return widget.spec["panels"][panel]["fields"]


def test_over_indexes_in_the_order_its_names_are_given():
    given = [[f"{kind} {step}" for step in STEP.values] for kind in KIND.values]
    field = fields_of(make(text(over("kind", "step", given))))["text"]
    assert field["by"] == [1, 0]
    assert field["of"] == [leaf for line in given for leaf in line]


def test_over_takes_a_function_of_the_values():
    nested = make(
        text(
            over(
                "step", "kind", [[f"{s}{k}" for k in KIND.values] for s in STEP.values]
            )
        )
    )
    assert fields_of(nested) == fields_of(
        make(text(over("step", "kind", lambda s, k: f"{s}{k}")))
    )


def test_lengths_are_compared_across_fields_that_depend_on_different_controls():
    words = over("kind", [["x", "y"], ["x", "y", "z"]])
    marks = over("step", "kind", lambda _, kind: ["ok"] * (2 if kind == "dot" else 3))
    make(tokens("t", words, marks=marks))
    make(
        tokens(
            "t",
            words,
            marks=over(
                "kind", "step", lambda kind, _: ["ok"] * (2 if kind == "dot" else 3)
            ),
        )
    )
    short = over(
        "step",
        "kind",
        lambda step, kind: ["ok"] * (2 if kind == "dot" or step == 40 else 3),
    )
    with pytest.raises(
        ValueError, match=r"2 entries but words has 3 \(at step = 40, kind = mlp"
    ):
        make(tokens("t", words, marks=short))


def unpack(widget, name="values"):
    field = fields_of(widget)[name]
    kind = {"float32": "<f4", "float16": "<f2", "uint8": "u1"}[field["type"]]
    shape = field["shapes"][0]
    return np.frombuffer(
        widget.data, kind, count=np.prod(shape), offset=field["at"]
    ).reshape(shape)


def test_what_a_panel_changes_takes_no_room_among_the_controls():
    panel = tokens("t", ["a"])
    seen, *unseen = (
        select("order", ["a b", "b a"]),
        arrangement("order", ["a", "b"]),
        cells("order", 2, 3),
        free("order", [1], low=0, high=2),
    )
    wide, narrow = Widget("t", controls=[seen], panels=[panel]).spec["height"]
    for each in unseen:
        widget = Widget("t", controls=[each], panels=[panel])
        assert widget.spec["height"] == [wide - 44, narrow - 44]


def curve(**rest):
    x, y = [1, 2, 3], over("kind", [[0.1, -0.2, 0.3], [0.4, 0.5, 0.6]])
    return lines(x, {"a": y, "b": [0, 0, 0]}, x_label="D", **rest)


@pytest.mark.parametrize("index", [[0], [4, 0], [0, -1], [0, 0, 0]])
def test_python_cannot_move_it_out_of_range(index):
    with pytest.raises(
        traitlets.TraitError, match=r"one position per control|no position"
    ):
        make().index = index


K = free("K", [[1.0, 2.0], [0.0, 1.0], [-2.0, 0.5]], low=-3, high=3, step=0.5)
WEIGHTS = computed("attention_weights", Q=[[2.0, 0.0]], K=control("K"))


def with_free(**rest):
    return make(heat_map(["q"], ROWS, WEIGHTS), controls=(STEP, K), **rest)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[1, 2], [0, 1]], r"'K' has shape \(2, 2\): expected \(3, 2\)"),
        ([[1, 2], [0, 1], [4, 0]], "'K' holds .* expected numbers from -3 to 3"),
        ([[1, 2], [0, 1], [0, np.nan]], "expected numbers from -3 to 3"),
        ([[1, 2], [0, 1], [0]], "'K' must hold numbers in a full array"),
        (1, r"'K' has shape \(\)"),
    ],
)
def test_a_free_array_keeps_its_shape_and_its_limits(given, message):
    with pytest.raises(traitlets.TraitError, match=message):
        with_free().index = [2, given]


def test_a_panel_can_be_used_in_two_widgets():
    panel = lines(
        [0, 10], {"dot": [1, 2]}, marker=control("step"), highlight=control("kind")
    )
    assert make(panel).spec["panels"] == make(panel).spec["panels"]


def test_a_number_given_to_follow_is_the_entry_that_is_lit():
    widget = make(
        grid(),
        follow={"query": over("kind", [2, 0]), "input": "step"},
        controls=(STEP, KIND),
    )
    field = widget.spec["follow"]["query"]
    assert field["by"] == [1]
    at = field["at"]
    np.testing.assert_array_equal(
        np.frombuffer(widget.data, "<f4", count=2, offset=at), [2, 0]
    )
    assert widget.spec["follow"]["input"] == 0


def test_the_same_numbers_are_stored_once():
    once, twice = (
        make(grid()),
        make(grid(), bars(COLUMNS, computed("last_row", rows=VALUES, count=2))),
    )
    assert len(twice.data) == len(once.data) + 4  # the count
    assert (
        fields_of(twice, 1)["values"]["with"][0]["at"]
        == fields_of(twice)["values"]["at"]
    )


def page_of(widget):
    return widget._repr_mimebundle_()[0]["text/html"]


def state_in(page):
    return json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1]
    )


def test_no_text_can_leave_its_place_in_the_page():
    evil = '</script><img src=x onerror="alert(1)"><!--'
    controls = [slider(f"n{evil}", [evil, "x"])]
    widget = Widget(
        evil,
        evil,
        controls=controls,
        panels=[
            tokens(evil, [evil]),
            bars([evil], [1.0], label=evil),
            lines([1.0], {evil: [1.0]}, x_label=evil, y_label=evil),
            arcs([evil], [evil], [[1.0]]),
        ],
    )
    page = page_of(widget).split(INLINE_OPEN)[0]
    assert "<img" not in page
    assert page.count("</script>") == 1
    assert state_in(page)["spec"] == widget.spec


def test_the_page_says_what_is_shown_without_javascript():
    widget = make(
        tokens("translation", ["el", "pan"], marks=["wrong", "ok"]),
        grid(label="weights"),
    )
    page = page_of(widget)
    for said in (
        "step: 20, kind: dot",
        "translation: el (wrong) pan",
        "weights: a attends 0.20 to t; b",
    ):
        assert said in page


def test_the_page_opens_in_the_state_python_left():
    widget = make(text(over("kind", ["first", "second"])))
    widget.setting = {"kind": "mlp"}
    page = page_of(widget)
    assert state_in(page)["index"] == [2, 1]
    assert "second" in page.split("<script")[0]


def test_the_inline_copy_stands_between_its_marks():
    page = page_of(make())
    assert page.endswith(INLINE_CLOSE)
    assert compose_script() in page.split(INLINE_OPEN)[1]


def test_a_link_says_values_where_they_are_short_and_positions_where_they_are_not():
    assert slider("n", [0.5, 1.0]).slugs == ["0.5", "1"]
    assert select("s", ["We are eating", "x" * 30]).slugs == ["1", "2"]
    assert select("s", ["é", "x"]).slugs == ["1", "2"]
    assert slider("n", [-1, -0.5, 0, 1]).slugs == ["-1", "-0.5", "0", "1"]


SEEN = free("seen", np.ones((3, 5)), low=0, high=1, step=1)
MASKED = computed("masked_softmax", scores=[VALUES, -VALUES], visible=control("seen"))
CELL = cells("cell", 2, 3, (1, 2))
ORDER = arrangement("order", ["we", "eat", "bread"], ["bread", "we", "eat"])
HEADS = maps(["one", "two"], ROWS, COLUMNS, MASKED)
SEEN_NOW = [[1] * 5, [0] * 5, [0, 1, 0, 0, 0]]
SIGNED = [[-0.9, 0.8], [0.2, -0.1], [-0.001, 0.0]]
BAND = {"a": ([0, 0, 0], [1, 1, 1])}
CALLED = {"a": over("kind", ["the first", "the second"])}
CURVE = lines(
    [1, 2, 3],
    {"a": over("kind", [[0.1, -0.2, 0.3], [0.4, 0.5, 0.6]]), "b": [0, 0, 0]},
    x_label="D",
    band=BAND,
    ends=("least", "most"),
    called=CALLED,
)
LINE = typed("line", VOCABULARY, "dogs sleep")
WORDS_OF_IDS = tokens("", named(ids("line", stop=True), VOCABULARY))
KNOWN = by_text("line", {"sleep": over("kind", [["a"], ["b"]])}, ["z"])
MOVED = [[0, 0], [3, -3], [1, 1]]
SAID = [  # panel, controls, the setting, what is said
    (reorder(control("order")), [ORDER], {}, "bread we eat"),
    (reorder(control("order")), [ORDER], {"order": "eat we bread"}, "eat we bread"),
    (
        image(values=over("cell", np.eye(6).reshape(6, 2, 3)), asks=control("cell")),
        [CELL],
        {"cell": "2, 3"},
        "A slope from dark to light. bright attends 1.00 to row 2, column 3, the most "
        "of all.",
    ),
    (heat_map(["q"], ROWS, WEIGHTS), [K], {}, "q attends 0.80 to a."),
    (heat_map(["q"], ROWS, WEIGHTS), [K], {"K": MOVED}, "q attends 0.93 to b."),
    (
        HEADS,
        [SEEN],
        {"seen": SEEN_NOW},
        "two: a attends 0.22 to p; b may look nowhere; c attends 1.00 to q.",
    ),
    (
        heat_map(ROWS, ["p", "q"], SIGNED, diverging=True),
        [],
        {},
        "a attends −0.90 to p; b attends 0.20 to p; c attends 0.00 to p.",
    ),
    (grid(still=over("kind", ["few", "more"])), [KIND], {"kind": "mlp"}, "more"),
    (bars(["x", "y"], [-0.25, -0.0001]), [], {}, "x −0.25; y 0.00."),
    (
        CURVE,
        [KIND],
        {},
        "the first: 0.10 at D 1, −0.20 at D 2, 0.30 at D 3; "
        "the first, least: 0.00 at D 1, 0.00 at D 2, 0.00 at D 3; "
        "the first, most: 1.00 at D 1, 1.00 at D 2, 1.00 at D 3; "
        "b: 0.00 at D 1, 0.00 at D 2, 0.00 at D 3.",
    ),
    (
        tokens("", named(ids("line", stop=True), VOCABULARY)),
        [LINE],
        {"line": "sleep"},
        "sleep [STOP]",
    ),
    (
        tokens("", named(ids("line", start=True, stop=True), VOCABULARY)),
        [LINE],
        {"line": "sleep"},
        "[START] sleep [STOP]",
    ),
    (
        tokens("", words_of("line", start=True, stop=True)),
        [LINE],
        {"line": "sleep dogs"},
        "[START] sleep dogs [STOP]",
    ),
    (tokens("", named([[0, 1, 0], [9, 0, 2.0]], "abc")), [], {}, "b a"),
    (tokens("", KNOWN), [LINE, KIND], {"line": "sleep", "kind": "mlp"}, "b"),
    (tokens("", KNOWN), [LINE, KIND], {"line": "dogs"}, "z"),
    (
        text(joined(named([4, 3], VOCABULARY), "It writes: {}")),
        [],
        {},
        "It writes: sleep dogs",
    ),
]


@pytest.mark.parametrize(("panel", "controls", "setting", "said"), SAID)
def test_a_panel_is_said_as_it_stands(panel, controls, setting, said):
    widget = make(panel, controls=controls)
    widget.setting = setting
    assert widget.static_text()[-1] == said
    for name, value in setting.items():
        np.testing.assert_array_equal(widget.setting[name], value)


def test_python_moves_the_widget_by_values():
    widget = make()
    assert widget.setting == {"step": 20, "kind": "dot"}
    widget.setting = {"kind": "mlp", "step": 40}
    assert widget.index == [3, 1]
    with pytest.raises(ValueError, match="15 is not among the values of 'step'"):
        widget.setting = {"step": 15}
    assert make(controls=[ORDER]).spec["controls"][0]["slugs"][0] == "we-eat-bread"
    assert make(controls=[CELL]).spec["controls"][0]["slugs"][2] == "1-3"
    assert select("n", [-1, -0.5, "a-b"]).labels == ["−1", "−0.5", "a-b"]


RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("A", "size", "close"),
    [
        (VALUES, 4, {"rtol": 2**-24}),
        (RANDOM.random((64, 65)), 1, {"rtol": 0, "atol": 0.5 / 255 + 1e-12}),
        (RANDOM.normal(size=(64, 65)), 2, {"rtol": 2**-11, "atol": 2**-24}),
        (RANDOM.normal(size=(64, 65)) * 1e6, 4, {"rtol": 1e-6}),
    ],
)
def test_numbers_take_as_few_bytes_as_their_use_allows(A, size, close):
    widget = make(heat_map(range(len(A)), range(A.shape[1]), A))
    assert len(widget.data) == size * A.size
    scale = 255 if size == 1 else 1
    np.testing.assert_allclose(unpack(widget) / scale, A, **close)


@pytest.mark.parametrize(
    ("panel", "limits"),
    [
        (grid(), [0.0, 1.0]),
        (grid(VALUES - 0.5, diverging=True), [-0.5, 0.5]),
        (image(values=over("kind", [MASK, MASK * 0.5])), [0.0, MASK.max()]),
    ],
)
def test_colours_have_one_scale_at_all_settings(panel, limits):
    assert make(panel).spec["panels"][0]["options"]["limits"] == limits


FLAT, TALL = np.zeros((4, 8)), np.zeros((16, 8))
LONG = ["a longer word than the others"] * 5
PLAIN = {"boxes": None, "names": None}


@pytest.mark.parametrize(
    ("low", "high", "more"),
    [
        (make(tokens("t", ["x"])), make(tokens("t", over("kind", [["x"], LONG]))), 36),
        (
            make(image(FLAT, np.ones((1, 1)), **PLAIN)),
            make(image(over("kind", [FLAT, TALL]), np.ones((1, 1)), **PLAIN)),
            100,
        ),
        (
            make(spotlight(ROWS, COLUMNS, VALUES)),
            make(spotlight(ROWS, over("kind", [COLUMNS, LONG]), VALUES)),
            30,
        ),
        (make(summary="x"), make(summary=over("kind", ["x", "word " * 90])), 26),
    ],
)
def test_room_is_kept_for_the_highest_setting(low, high, more):
    gained = np.subtract(high.spec["height"], low.spec["height"])
    assert gained.min() >= more
