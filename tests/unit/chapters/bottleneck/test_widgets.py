"""LengthCollapse marks what is wrong, and refuses figures that do not fit."""

import pytest

from attention_book.chapters.bottleneck.length_collapse import _compare, length_collapse

GOOD = {
    "sources": [["we", "eat", "bread"], ["we", "eat", "bread", "today"]],
    "references": [["comemos", "pan"], ["comemos", "pan", "hoy"]],
    "predictions": {
        64: [["comemos", "pan"], ["comemos", "carne"]],
        128: [["comemos", "pan"], ["comemos", "pan", "hoy"]],
    },
    "curve_lengths": [3, 4],
    "curves": {64: [1.0, 0.2], 128: [1.0, 0.6]},
    "start_length": 4,
    "start_size": 64,
}


@pytest.mark.parametrize(
    ("said", "marks", "verdict"),
    [
        ("a b c", ["ok", "ok", "ok"], "Right"),
        ("a x c", ["ok", "wrong", "ok"], "1 place"),
        ("a c", ["ok", "missing", "ok"], "1 place"),
        ("a b c d", ["ok", "ok", "ok", "extra"], "1 place"),
        ("", ["missing", "missing", "missing"], "3 places"),
    ],
)
def test_every_word_is_marked_against_the_reference(said, marks, verdict):
    words, made, sentence = _compare(said.split(), ["a", "b", "c"])
    assert made == marks
    assert len(words) == len(marks)
    assert sentence.startswith(verdict)


def test_it_opens_where_it_is_told_and_both_controls_can_be_set():
    widget = length_collapse(**GOOD)
    assert widget.setting == {"words": 4, "state": "64 numbers"}
    widget.setting = {"words": 3, "state": "128 numbers"}
    assert list(widget.index) == [0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": GOOD["sources"][::-1]}, "sources must grow"),
        (
            {"curves": {64: [1.0, 0.2]}},
            r"predictions has the sizes \[64, 128\] but curves has \[64\]",
        ),
        (
            {"references": GOOD["references"][:1]},
            "references has 1 sentences but there are 2 sources",
        ),
        (
            {"predictions": {64: [["comemos"]], 128: GOOD["predictions"][128]}},
            r"predictions\[64\] has 1 sentences",
        ),
        ({"start_length": 9}, "9"),
    ],
)
def test_figures_that_do_not_belong_together_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        length_collapse(**{**GOOD, **change})
