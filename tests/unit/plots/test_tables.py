"""Tables show what they were given, rounded as asked, and can be read out."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from attention_book import plots

ROWS = {
    "dot": {"error": np.float32(0.0917), "weights": 225_017, "says": "le chat"},
    "one vector": {"error": 0.5, "weights": 298_745},
}


def parsed(table):
    return ElementTree.fromstring(table._repr_html_())


def cells(table):
    """The text of every cell, row by row."""
    return [
        ["".join(cell.itertext()) for cell in row] for row in parsed(table).iter("tr")
    ]


def test_figures_are_rounded_and_whole_numbers_written_out():
    assert cells(plots.table(ROWS, caption="c", corner="score")) == [
        ["score", "error", "weights", "says"],
        ["dot", "0.09", "225017", "le chat"],
        ["one vector", "0.50", "298745", ""],
    ]


def test_a_column_may_have_a_form_of_its_own():
    form = {"error": ".1%", "weights": ","}
    shown = cells(plots.table(ROWS, caption="c", form=form))
    assert [row[1:3] for row in shown[1:]] == [
        ["9.2%", "225,017"],
        ["50.0%", "298,745"],
    ]


@pytest.mark.parametrize(
    ("form", "figures", "whole"),
    [
        (".2f", ["1234.57", "0.00", "-0.50"], "-1234567"),
        (",.2f", ["1,234.57", "0.00", "-0.50"], "-1,234,567"),
        ("+.2f", ["+1234.57", "+0.00", "-0.50"], "-1234567"),
        (">8.2f", [" 1234.57", "    0.00", "   -0.50"], "-1234567"),
        ("z,.1f", ["1,234.6", "0.0", "-0.5"], "-1,234,567"),
        (".0%", ["123457%", "0%", "-50%"], "-123456700%"),
        (".0e", ["1e+03", "-1e-04", "-5e-01"], "-1e+06"),
    ],
)
def test_a_form_is_as_in_format_and_zero_has_no_sign(form, figures, whole):
    rows = {"a": [1234.567, -0.0001, -0.5], "b": [-1234567] * 3}
    shown = cells(plots.table(rows, columns="xyz", caption="c", form=form))
    assert shown[1:] == [["a", *figures], ["b", *[whole] * 3]]


def test_columns_give_the_order_and_the_frame_keeps_what_came():
    table = plots.table({"a": {"x": 1, "y": np.pi}}, columns=["y", "x"], caption="c")
    assert cells(table) == [["", "y", "x"], ["a", "3.14", "1"]]
    assert table.frame.loc["a", "y"] == np.pi


def test_what_is_not_finite_and_what_is_zero_are_written():
    rows = {"a": [-np.inf, np.nan, -0.0, 10**17 + 1]}
    (_, shown) = cells(plots.table(rows, columns="abcd", caption="c"))
    assert shown == ["a", "-inf", "nan", "0.00", "100000000000000001"]


def test_a_screen_reader_is_told_the_caption_and_what_heads_what():
    table = parsed(plots.table(ROWS, caption="Errors & sizes", corner="score"))
    assert (table.tag, table.get("class")) == ("table", "dataframe")
    assert table[0].tag == "caption"
    assert table[0].text == "Errors & sizes"
    assert [head.get("scope") for head in table.iter("th")] == ["col"] * 4 + ["row"] * 2


def test_words_stand_left_and_figures_right():
    (row, _) = parsed(plots.table(ROWS, caption="c")).find("tbody")
    left = "text-align: left"
    assert [cell.get("style") for cell in row] == [left, None, None, left]
    rows = {
        "a": ["97 to 100 %", "2.61 (2.5-2.7)", "le"],
        "b": ["89 to 100 %", "the same", ""],
    }
    table = parsed(plots.table(rows, columns="xyz", caption="c"))
    for row in table.find("tbody"):
        styles = [cell.get("style") for cell in row]
        assert styles == [left, *["text-align: right"] * 2, left]


def test_texts_are_no_markup():
    rows = {"<b>": {"<i>": "<img src=x>"}}
    table = parsed(plots.table(rows, caption="<script>", corner="<u>"))
    assert {each.tag for each in table.iter()} <= set(
        ["table", "caption", "thead", "tbody", "tr", "th", "td"]
    )
    assert "".join(table.itertext()) == "<script><u><i><b><img src=x>"


def test_in_a_terminal_it_is_text():
    shown = repr(plots.table(ROWS, caption="Errors"))
    assert shown.splitlines()[0] == "Errors"
    assert shown.splitlines()[2].split() == ["dot", "0.09", "225017", "le", "chat"]


def test_mean_and_range():
    assert plots.mean_and_range([0.25, 0.5, 0.75]) == "0.50 (0.25-0.75)"
    assert plots.mean_and_range(np.array([0.9, 1.0]), ".3f") == "0.950 (0.90-1.00)"
    assert plots.mean_and_range([0.999, 1.0]) == "1.00"
    assert plots.mean_and_range([1e-5, 1e-5], ".0e", ".0e") == "1e-05"


def test_seed_range_is_one_figure_where_all_seeds_agree_as_written():
    assert plots.seed_range([0.25, 0.5, 0.75]) == "0.25-0.75"
    assert plots.seed_range(np.array([0.9996, 1.0]), ".3f") == "1.000"


@pytest.mark.parametrize(
    ("rows", "change", "message"),
    [
        ({}, {}, "rows is empty"),
        ({"a": [1, 2]}, {}, "row 'a' has 2 cells: expected columns to be given"),
        ({"a": [1, 2]}, {"columns": ["x"]}, "row 'a' has 2 cells: expected 1"),
        ({"a": {"x": 1}}, {"columns": ["x", "y"]},
         r"row 'a' has \['x'\]: expected \['x', 'y'\]"),
        ({"a": {"x": 1, "y": 2}}, {"columns": ["x"]}, r"row 'a' has \['x', 'y'\]"),
        ({"a": [1, 2]}, {"columns": ["x", "x"]}, "expected names of their own"),
        ({"a": {"x": 1}}, {"form": {"y": ".1f"}}, r"form names \['y'\]"),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_are_named(rows, change, message):
    with pytest.raises(ValueError, match=message):
        plots.table(rows, caption="c", **change)


def test_a_tensor_is_no_figure():
    with pytest.raises(TypeError, match="a cell is a Tensor"):
        plots.table({"a": {"x": torch.tensor(0.5)}}, caption="c")


def test_a_range_in_brackets_is_not_broken():
    texts = ["0.9 (0.8-1.0)", "1.0 [0.9, 1.1]", "0.5-1.0", "(3, 4)", "2 (1,4 to 3)"]
    rows = {"a (it is long)": [*texts, 7.7e-14]}
    table = plots.table(rows, columns="abcdef", caption="", form={"f": ".2g"})
    whole = r'<span style="white-space: nowrap">([^<]*)</span></td>'
    assert re.findall(whole, table._repr_html_()) == [
        "(0.8-1.0)",
        "[0.9, 1.1]",
        "0.5-1.0",
        "(3, 4)",
        "(1,4 to 3)",
        "7.7e-14",
    ]
