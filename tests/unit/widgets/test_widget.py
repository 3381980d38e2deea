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
    lines,
    maps,
    named,
    over,
    picture,
    reorder,
    select,
    slider,
    spotlight,
    text,
    tokens,
    typed,
)
from attention_book.widgets.compose import (
    compose_engine,
    compose_module,
    compose_script,
)
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


VOCABULARY = ["[PAD]", "[START]", "[STOP]", "dogs", "sleep"]


def spoken(*panels, **rest):
    """A widget with a typed sentence and a menu."""
    return Widget(
        "Spoken",
        controls=[typed("line", VOCABULARY, "dogs sleep", **rest), select("n", [1, 2])],
        panels=panels or [tokens("t", ["x"])],
    )


WRONG = {
    "an unknown word in an example": (
        lambda: spoken(examples=["dogs fly"]),
        "'line' has 'fly', which is not among",
    ),
    "an unknown word in a piece": (lambda: spoken(pieces=["dogs", "fly"]), "'fly'"),
    "an example that is too long": (
        lambda: spoken(examples=["dogs sleep sleep"], longest=2),
        "has 3 words: expected 1 to 2",
    ),
    "words of numbers as numbers": (
        lambda: spoken(bars(["x"], named([3], VOCABULARY))),
        "values must be numbers, which named",
    ),
    "by a menu's text": (
        lambda: spoken(text(by_text("n", {}, "x"))),
        "text goes by 'n', which is no typed sentence",
    ),
    "a row too many": (
        lambda: make(grid(np.zeros((4, 5)))),
        r"values has shape \(4, 5\) but rows × columns is 3 × 5",
    ),
    "transposed": (lambda: make(grid(VALUES.T)), r"values has shape \(5, 3\)"),
    "wrong at one setting only": (
        lambda: make(grid(over("step", [VALUES, VALUES, VALUES[:2], VALUES]))),
        r"shape \(2, 5\) but rows × columns is 3 × 5 \(at step = 20\)",
    ),
    "not a matrix": (lambda: make(grid(VALUES[0])), "values has 1 axes"),
    "unknown control": (
        lambda: make(grid(over("layer", [VALUES]))),
        "unknown control 'layer'.*'step', 'kind'",
    ),
    "too few settings": (
        lambda: make(grid(over("kind", [VALUES]))),
        "values has 1 entries over 'kind', which has 2",
    ),
    "not nested": (
        lambda: make(text(over("kind", "step", ["x", "y"]))),
        "not nested that deep",
    ),
    "a control twice": (
        lambda: make(text(over("kind", "kind", [["x", "y"]] * 2))),
        "named twice",
    ),
    "NaN": (lambda: make(grid(NAN)), "values holds NaN"),
    "infinite": (
        lambda: make(bars(["x"], [np.inf])),
        "values holds an infinite number",
    ),
    "ragged numbers": (lambda: make(bars(["x", "y"], [[1], [1, 2]])), "full array"),
    "one text for words": (
        lambda: make(tokens("source", "we eat")),
        "words is 'we eat': give a list",
    ),
    "marks too short": (
        lambda: make(tokens("s", ["x", "y"], marks=["ok"])),
        "marks has 1 entries but words has 2",
    ),
    "unknown mark": (
        lambda: make(tokens("s", ["x"], marks=["bad"])),
        "marks has 'bad'",
    ),
    "bars of unequal length": (
        lambda: make(bars(["x", "y"], [1, 2, 3])),
        "values has 3 entries but labels has 2",
    ),
    "gold outside": (
        lambda: make(grid(gold=[(0, 3)])),
        "gold names a cell beyond the rows",
    ),
    "gold as triples": (
        lambda: make(grid(gold=[(1, 0, 2)])),
        r"gold must hold links \(input, query\)",
    ),
    "unknown placeholder": (
        lambda: grid(say="{row} sees {word}"),
        r"say has \{word\}: the panel fills \{row\}",
    ),
    "axes alike": (lambda: grid(axes=("word", "word")), "two different names"),
    "a mask of another shape": (
        lambda: make(grid(visible=np.ones((3, 4)))),
        r"visible has shape \(3, 4\) but rows × columns is 3 × 5",
    ),
    "presets of no free array": (
        lambda: make(grid(visible=np.ones((3, 5)), presets={"all": np.ones((3, 5))})),
        "presets are masks of a free array: expected visible=control",
    ),
    "a preset of another shape": (
        lambda: make(
            grid(visible=control("seen"), presets={"all": np.ones((5, 3))}),
            controls=[free("seen", np.ones((3, 5)), low=0, high=1, step=1)],
        ),
        r"'seen' has shape \(5, 3\): expected \(3, 5\)",
    ),
    "one map": (
        lambda: make(maps(["m"], ROWS, COLUMNS, VALUES)),
        "maps panel '': values must have three axes: maps × rows × columns",
    ),
    "maps without names": (
        lambda: make(maps(over("kind", [["m"], []]), ROWS, COLUMNS, [VALUES])),
        r"values has 1 maps but names has 0 entries \(at kind = mlp\)",
    ),
    "maps turned around": (
        lambda: make(maps(["m"], COLUMNS, ROWS, [VALUES])),
        "values has 3 rows but rows has 5 entries",
    ),
    "a mask of other maps": (
        lambda: make(maps(["m"], ROWS, COLUMNS, [VALUES], visible=VALUES.T)),
        r"visible has shape \(5, 3\)",
    ),
    "maps that choose too little": (
        lambda: make(maps(["m"], ROWS, COLUMNS, [VALUES], chooses=control("step"))),
        "chooses is 'step', which has 4 values: expected as many names",
    ),
    "limits reversed": (lambda: grid(limits=(1, 0)), "low < high"),
    "axis of two lengths": (
        lambda: make(
            grid(axes=("target", "source")), tokens("t", ["x"], axis="target")
        ),
        "both lie along 'target' but differ in length",
    ),
    "follow nowhere": (
        lambda: make(grid(), follow={"word": "step"}),
        "follow names the axis 'word'",
    ),
    "follow beyond": (
        lambda: make(grid(), follow={"query": over("kind", [0, 3])}),
        r"follow\['query'\] is 3 but the axis has 3 entries \(at kind = mlp\)",
    ),
    "follow half an entry": (
        lambda: make(grid(), follow={"query": 0.5}),
        r"follow\['query'\] must be the number of one",
    ),
    "one name for two strips": (
        lambda: spotlight(ROWS, COLUMNS, VALUES, names="target"),
        "names is 'target'",
    ),
    "spotlight on nothing": (
        lambda: make(spotlight(ROWS, COLUMNS, VALUES, gold=[(5, 0)])),
        "gold names a cell beyond the columns",
    ),
    "image not grey": (
        lambda: make(image(IMAGE * 2)),
        r"image reaches from 0 to 2: expected grey values in \[0, 1\]",
    ),
    "image a list": (lambda: make(image(IMAGE[0])), "image must have rows and columns"),
    "mask below zero": (
        lambda: make(image(values=MASK - 1)),
        "weights cannot be negative",
    ),
    "mask across pixels": (
        lambda: make(image(values=over("kind", [MASK, np.ones((2, 5))]))),
        r"image has 12 columns but values has 5: .* whole pixels \(at kind = mlp\)",
    ),
    "boxes without names": (
        lambda: picture(IMAGE, MASK, "x", boxes=[(0, 0, 1, 1)]),
        "belong together",
    ),
    "lit without boxes": (lambda: picture(IMAGE, MASK, "x", lit=0), "belong together"),
    "boxes as corners": (
        lambda: make(image(boxes=[(0, 0, 1)], names=["n"])),
        r"a row \(top, left, height, width\)",
    ),
    "box without a name": (
        lambda: make(image(names=["n"])),
        "names has 1 entries but boxes has 2",
    ),
    "box too low": (
        lambda: make(image(boxes=[(0, 0, 1, 1), (7, 0, 2, 1)])),
        "ends below the image",
    ),
    "box too far right": (
        lambda: make(image(boxes=[(0, 0, 1, 1), (0, 9, 1, 4)])),
        "ends to the right of the image",
    ),
    "box outside": (
        lambda: make(image(boxes=[(0, 0, 1, 1), (-1, 0, 2, 2)])),
        "must start inside",
    ),
    "box without width": (
        lambda: make(image(boxes=[(0, 0, 1, 1), (0, 0, 2, 0)])),
        "a width above 0",
    ),
    "lit beyond": (
        lambda: make(image(lit=over("kind", [1, 2]))),
        r"lit is 2 but there are 2 boxes, numbered from 0 \(at kind = mlp\)",
    ),
    "lit half a box": (
        lambda: make(image(lit=0.5)),
        "lit must be the number of one box",
    ),
    "no cell to ask": (
        lambda: make(image(asks=control("kind"))),
        "asks is 'kind': expected a name of cells",
    ),
    "a grid of other cells": (
        lambda: make(image(asks=control("cell")), controls=(KIND, cells("cell", 3, 2))),
        "values has the sizes 2, 3 but the last of the cells is 3, 2",
    ),
    "no such cell": (
        lambda: cells("cell", 2, 3, (3, 1)),
        "default '3, 1' is not among",
    ),
    "no cells": (lambda: cells("cell", 0, 3), "default '1, 1' is not|is empty"),
    "unknown placeholder of a picture": (
        lambda: image(say="{column} in {box}"),
        r"say has \{box\}",
    ),
    "no series": (lambda: lines([1, 2], {}), "series has 0 curves"),
    "series too short": (
        lambda: make(lines([1, 2, 3], {"a": [1, 2]})),
        "y0 has 2 values but x has 3",
    ),
    "x not increasing": (
        lambda: make(lines([1, 3, 2], {"a": [1, 2, 3]})),
        "x must increase",
    ),
    "x empty": (lambda: make(lines([], {"a": []})), "x is empty"),
    "no words to arrange": (
        lambda: arrangement("order", ["one"]),
        r"words of 'order' are \['one'\]: expected 2 to 5",
    ),
    "a word twice": (lambda: arrangement("order", ["a", "b", "a"]), "different ones"),
    "too many orders": (lambda: arrangement("order", list("abcdef")), "2 to 5"),
    "a text of words": (lambda: arrangement("order", "ab"), "is the single text 'ab'"),
    "a blank in a word": (lambda: arrangement("order", ["a b", "c"]), "without blanks"),
    "no order of these": (
        lambda: arrangement("order", ["a", "b"], ["a", "c"]),
        "default 'a c' is not among",
    ),
    "no arrangement to reorder": (
        lambda: make(reorder(control("kind"))),
        "order is 'kind': expected the name of an arrangement",
    ),
    "x not positive": (
        lambda: make(lines([0, 1], {"a": [1, 2]}, log_x=True)),
        "x begins at 0",
    ),
    "band of nothing": (
        lambda: lines([1], {"a": [1]}, band={"b": ([0], [1])}),
        "band names 'b'",
    ),
    "marker not a number": (
        lambda: make(lines([1], {"a": [1]}, marker=control("kind"))),
        "values of 'kind' are not all numbers",
    ),
    "highlight of nothing": (
        lambda: make(lines([1], {"a": [1]}, highlight=control("kind"))),
        "no series is named",
    ),
    "unknown function": (
        lambda: make(bars(["x"], computed("relu", x=[1]))),
        "unknown 'relu'.*softmax",
    ),
    "missing argument": (
        lambda: make(bars(["x"], computed("softmax", scores=[1]))),
        "softmax takes scores, temperature but values gives it scores",
    ),
    "precision too small": (
        lambda: make(grid(VALUES - 1, precision="uint8")),
        r"uint8 holds \[0, 1\]",
    ),
    "unknown precision": (lambda: make(grid(precision="int4")), "precision is 'int4'"),
    "half overflows": (
        lambda: make(grid(VALUES * 1e6, precision="float16")),
        "float16 holds up to 65504",
    ),
    "default elsewhere": (
        lambda: slider("n", [3, 4], default=7),
        "default 7 is not among the values of 'n': 3, 4",
    ),
    "no values": (lambda: slider("n", []), "values of 'n' is empty"),
    "values alike": (lambda: select("n", [1, "1"]), "values of 'n' must differ"),
    "values a text": (lambda: select("n", "abc"), "single text 'abc'"),
    "no name": (lambda: slider("--", [1]), "needs a name"),
    "controls alike": (
        lambda: make(controls=[slider("State size", [1]), slider("state-size", [1])]),
        "called alike",
    ),
    "control called w": (
        lambda: make(controls=[slider("W", [1])]),
        "'w' would be taken",
    ),
    "bad link": (
        lambda: make(link="My Widget"),
        "link 'My Widget' must be .*'my-widget'",
    ),
    "no panels": (lambda: Widget("A title", panels=[]), "panels is empty"),
    "title not text": (lambda: Widget(3, panels=[text("x")]), "title must be a text"),
    "over a free array": (
        lambda: make(
            bars(["x"], over("n", [[1]])), controls=[free("n", 1, low=0, high=2)]
        ),
        "values is over 'n', whose values cannot be listed",
    ),
    "a free array for a text": (
        lambda: make(text(control("n")), controls=[free("n", 1, low=0, high=2)]),
        "text must be text, but 'n' holds numbers",
    ),
    "a free array as a marker": (
        lambda: make(
            lines([1], {"a": [1]}, marker=control("n")),
            controls=[free("n", 1, low=0, high=2)],
        ),
        "values of 'n' are not all numbers",
    ),
    "free beyond its limits": (
        lambda: free("n", [1, 5], low=0, high=2),
        "'n' holds .* expected numbers from 0 to 2",
    ),
    "limits that are none": (
        lambda: free("n", [1, 5], low=2, high=0),
        "'n' goes from 2 to 0 in steps of 0.1",
    ),
    "a free array without a name": (
        lambda: free("-", [1], low=0, high=2),
        "needs a name",
    ),
    "over without names": (lambda: over([1, 2]), r"over\(\) takes names of controls"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_setting_is_named_when_the_widget_is_made(case, as_a_reader):
    build, message = WRONG[case]
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


def test_few_numbers_keep_seven_digits():
    np.testing.assert_array_equal(unpack(make(grid())), VALUES.astype(np.float32))


def test_many_weights_take_a_byte_each_within_a_five_hundredth():
    A = np.random.default_rng(0).random((64, 65))
    widget = make(heat_map(range(64), range(65), A))
    assert len(widget.data) == A.size
    assert np.abs(unpack(widget) / 255 - A).max() <= 0.5 / 255 + 1e-12


def test_many_numbers_of_both_signs_take_two_bytes():
    A = np.random.default_rng(0).normal(size=(64, 65))
    widget = make(heat_map(range(64), range(65), A))
    assert len(widget.data) == 2 * A.size
    np.testing.assert_allclose(unpack(widget), A, rtol=2**-11, atol=2**-24)


def test_numbers_beyond_half_precision_are_kept_whole():
    A = np.random.default_rng(0).normal(size=(64, 65)) * 1e6
    np.testing.assert_allclose(
        unpack(make(heat_map(range(64), range(65), A))), A, rtol=1e-6
    )


def test_weights_share_one_scale_from_zero_to_one():
    assert make(grid()).spec["panels"][0]["options"]["limits"] == [0.0, 1.0]


def test_the_order_of_words_is_a_setting_like_others():
    controls = [arrangement("order", ["we", "eat", "bread"], ["bread", "we", "eat"])]
    widget = Widget("t", controls=controls, panels=[reorder(control("order"))])
    assert widget.setting == {"order": "bread we eat"}
    widget.setting = {"order": "eat we bread"}
    assert widget.still()[-1] == "eat we bread"
    with pytest.raises(ValueError, match="'eat we' is not among"):
        widget.setting = {"order": "eat we"}
    assert len(widget.spec["controls"][0]["slugs"]) == 6
    assert widget.spec["controls"][0]["slugs"][0] == "we-eat-bread"


def test_the_cell_that_asks_is_a_setting_like_others():
    controls = [cells("cell", 2, 3, (1, 2))]
    A = np.full((6, 6), 0.0) + np.eye(6)
    masks = over("cell", A.reshape(6, 2, 3))
    widget = Widget(
        "t", controls=controls, panels=[image(values=masks, asks=control("cell"))]
    )
    assert widget.setting == {"cell": "1, 2"}
    widget.setting = {"cell": "2, 3"}
    assert widget.still()[-1].endswith("1.00 to row 2, column 3, the most of all.")
    assert widget.spec["controls"][0]["slugs"][2] == "1-3"


def test_what_a_panel_changes_takes_no_room_among_the_controls():
    panel = tokens("t", ["a"])
    seen, *unseen = (
        select("order", ["a b", "b a"]),
        arrangement("order", ["a", "b"]),
        cells("order", 2, 3),
    )
    wide, narrow = Widget("t", controls=[seen], panels=[panel]).spec["height"]
    for each in unseen:
        widget = Widget("t", controls=[each], panels=[panel])
        assert widget.spec["height"] == [wide - 44, narrow - 44]


def test_a_cell_is_as_large_as_it_may_be_in_each_layout():
    widget = make(heat_map(range(32), range(4), [[0.5] * 4] * 32, cell=(6, 4)))
    wide, narrow = widget.panels[0].heights()
    assert wide - narrow == 32 * (6 - 4)


def test_small_maps_stand_side_by_side_while_there_is_room():
    def heights(count, half=False):
        panel = maps(range(count), ROWS, COLUMNS, [VALUES] * count, half=half)
        return make(panel).spec["panels"][0]["height"]

    line = [3 * 20 + 22, 3 * 11 + 22]
    assert heights(1) == heights(4) == line
    assert heights(6) == [2 * line[0] + 8, 2 * line[1] + 8]
    assert heights(3, half=True)[0] == 2 * line[0] + 8


def test_cells_of_small_maps_are_as_large_as_they_may_be():
    widget = make(maps(["m"], ROWS, COLUMNS, [VALUES], cell=(6, 4)))
    assert widget.panels[0].heights() == [3 * 6 + 22, 3 * 4 + 22]


def test_small_maps_and_rows_that_may_look_nowhere_are_said():
    seen = free("seen", np.ones((3, 5)), low=0, high=1, step=1)
    A = computed("masked_softmax", scores=[VALUES, -VALUES], visible=control("seen"))
    widget = make(maps(["one", "two"], ROWS, COLUMNS, A), controls=[seen])
    now = np.ones((3, 5))
    now[1], now[2] = 0, [0, 1, 0, 0, 0]
    widget.setting = {"seen": now}
    one, two = widget.still()
    assert one == "one: a attends 0.22 to t; b may look nowhere; c attends 1.00 to q."
    assert two == "two: a attends 0.22 to p; b may look nowhere; c attends 1.00 to q."


def test_of_values_with_signs_the_furthest_from_zero_is_said():
    signed = [[-0.9, 0.8], [0.2, -0.1], [-0.001, 0.0]]
    (said,) = make(heat_map(ROWS, ["p", "q"], signed, diverging=True)).still()[1:]
    assert said == "a attends −0.90 to p; b attends 0.20 to p; c attends 0.00 to p."


def test_a_map_may_be_said_in_words_of_its_own():
    still = over("step", ["few", "some", "more", "most"])
    widget = make(grid(still=still))
    assert widget.still()[-1] == "more"


def curve(**rest):
    x, y = [1, 2, 3], over("kind", [[0.1, -0.2, 0.3], [0.4, 0.5, 0.6]])
    return lines(x, {"a": y, "b": [0, 0, 0]}, x_label="D", **rest)


def test_a_curve_is_said_by_the_name_that_it_has_now_and_with_the_ends_of_its_band():
    band = {"a": ([0, 0, 0], [1, 1, 1])}
    called = {"a": over("kind", ["the first", "the second"])}
    widget = make(curve(band=band, ends=("least", "most"), called=called))
    assert widget.still()[-1] == (
        "the first: 0.10 at D 1, 0.30 at D 3; the first, least: 0.00 at D 1, 0.00 at D "
        "3; the first, most: 1.00 at D 1, 1.00 at D 3; b: 0.00 at D 1, 0.00 at D 3."
    )
    widget.index = [2, 1]
    assert widget.still()[-1].startswith("the second: 0.40")


def test_numbers_have_one_minus_sign():
    assert select("n", [-1, -0.5, "a-b"]).labels == ["−1", "−0.5", "a-b"]
    bar = bars(["x", "y"], [-0.25, -0.0001])
    assert make(bar).still()[-1] == "x −0.25; y 0.00."


def test_a_diverging_map_puts_zero_in_the_middle():
    limits = make(grid(VALUES - 0.5, diverging=True)).spec["panels"][0]["options"][
        "limits"
    ]
    assert limits == [-0.5, 0.5]


def test_the_opening_state_is_the_default():
    assert make().setting == {"step": 20, "kind": "dot"}


def test_python_moves_the_widget_by_values():
    widget = make()
    widget.setting = {"kind": "mlp", "step": 40}
    assert widget.index == [3, 1]


@pytest.mark.parametrize("index", [[0], [4, 0], [0, -1], [0, 0, 0]])
def test_python_cannot_move_it_out_of_range(index):
    with pytest.raises(
        traitlets.TraitError, match=r"one position per control|no position"
    ):
        make().index = index


def test_a_value_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="15 is not among the values of 'step'"):
        make().setting = {"step": 15}


K = free("K", [[1.0, 2.0], [0.0, 1.0], [-2.0, 0.5]], low=-3, high=3, step=0.5)
WEIGHTS = computed("attention_weights", Q=[[2.0, 0.0]], K=control("K"))


def with_free(**rest):
    return make(heat_map(["q"], ROWS, WEIGHTS), controls=(STEP, K), **rest)


def test_a_free_array_is_read_and_moved_like_any_control():
    widget = with_free()
    assert widget.setting["step"] == 20
    np.testing.assert_array_equal(widget.setting["K"], np.array(K.default))
    widget.setting = {"K": [[0, 0], [3, -3], [1, 1]]}
    np.testing.assert_array_equal(widget.setting["K"], [[0, 0], [3, -3], [1, 1]])
    assert widget.index == [2, [[0, 0], [3, -3], [1, 1]]]
    assert widget.spec["default"] == [2, K.default]


def test_what_is_computed_from_a_free_array_is_said_as_it_stands_now():
    widget = with_free()
    assert widget.still() == ["step: 20", "q attends 0.80 to a."]
    widget.setting = {"K": [[0, 0], [3, -3], [1, 1]]}
    assert widget.still() == ["step: 20", "q attends 0.93 to b."]


def test_a_free_array_takes_no_place_among_the_controls():
    without = make(heat_map(["q"], ROWS, VALUES[:1, :3]), controls=(STEP,))
    assert with_free().spec["height"] == without.spec["height"]


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


def test_a_picture_without_boxes_needs_no_names():
    panel = make(picture(IMAGE, MASK, "A slope.")).spec["panels"][0]
    assert not {"boxes", "names", "lit"} & set(panel["fields"])


def test_a_mask_is_drawn_on_one_scale_over_all_settings():
    widget = make(image(values=over("kind", [MASK, MASK * 0.5])))
    assert widget.spec["panels"][0]["options"]["limits"] == [0.0, MASK.max()]


def test_a_picture_reserves_the_height_of_its_tallest_image():
    flat, tall = np.zeros((4, 8)), np.zeros((16, 8))
    low = image(flat, np.ones((1, 1)), boxes=None, names=None)
    both = image(over("kind", [flat, tall]), np.ones((1, 1)), boxes=None, names=None)
    assert make(low).spec["panels"][0]["height"] == [288 // 2 + 30] * 2
    assert make(both).spec["panels"][0]["height"] == [288 + 30] * 2


def test_a_picture_says_in_words_what_it_shows_and_where_the_most_weight_lies():
    assert make(image(label="mask")).still()[-1] == (
        "mask: A slope from dark to light. bright attends 0.33 to row 2, column 3, the "
        "most of all."
    )


def test_a_spotlight_reserves_a_line_for_the_words_that_wrap():
    short = make(spotlight(ROWS, COLUMNS, VALUES)).spec["panels"][0]["height"]
    columns = over("kind", [COLUMNS, ["a longer word than the others"] * 5])
    long = make(spotlight(ROWS, columns, VALUES)).spec["panels"][0]["height"]
    assert long[0] >= short[0] + 60
    assert long[1] >= long[0]


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


def test_room_is_kept_for_a_summary_of_two_lines():
    short, long = (
        make(summary="Short."),
        make(summary=over("kind", ["Short.", "word " * 35])),
    )
    assert short.spec["out"] == [26, 52]
    assert long.spec["out"][0] == 52
    assert long.spec["height"][0] == short.spec["height"][0] + 26


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


def test_a_higher_widget_reserves_more():
    low = make(tokens("t", ["x"])).spec["height"]
    high = make(
        tokens("t", over("step", [["x"], ["a long word"] * 40, ["x"], ["x"]]))
    ).spec["height"]
    assert high[0] > low[0] + 100
    assert high[1] > high[0]


def test_both_forms_of_the_script_hold_every_module_once():
    for script in (compose_module(), compose_script(), compose_engine()):
        script = re.sub(r"^const \$engine = .*$", "", script, flags=re.M)
        defined = re.findall(r"^const (\$\w+) = \(\(\) => \{$", script, re.M)
        assert len(defined) == len(set(defined)) >= 6
        assert not re.search(r"^(import|export (?!default))", script, re.M)
        used = set(re.findall(r"= (\$\w+);", script))
        assert used <= set(defined)


def test_a_link_says_values_where_they_are_short_and_positions_where_they_are_not():
    assert slider("n", [0.5, 1.0]).slugs == ["0.5", "1"]
    assert select("s", ["We are eating", "x" * 30]).slugs == ["1", "2"]
    assert select("s", ["é", "x"]).slugs == ["1", "2"]


SPOKEN = {  # by the sentence and the menu: what a field says
    "the word of each id": (named(ids("line", stop=True), VOCABULARY), "sleep [STOP]"),
    "the word of each row's largest": (named([[0, 1, 0], [9, 0, 2.0]], "abc"), "b a"),
    "what is known of a sentence": (by_text("line", {"sleep": ["a"]}, ["z"]), "a"),
    "what is not known": (by_text("line", {"dogs": ["a"]}, ["z"]), "z"),
    "known, by the menu": (
        by_text("line", {"sleep": over("n", [["a"], ["b"]])}, ["z"]),
        "b",
    ),
}


@pytest.mark.parametrize(("field", "said"), SPOKEN.values(), ids=SPOKEN)
def test_words_of_a_sentence_of_ids_and_of_what_is_known(field, said):
    widget = spoken(tokens("t", field))
    widget.setting = {"line": "sleep", "n": 2}
    assert widget.still()[-1] == f"t: {said}"


def test_words_of_ids_are_joined_in_a_text():
    said = joined(named([4, 3], VOCABULARY), "It writes: {}")
    assert spoken(text(said)).still()[-1] == "It writes: sleep dogs"
