"""Predict first: what is asked, what is said afterwards, and the room it takes."""

import re

import pytest
import traitlets

from attention_book.widgets import Widget, bars, predict, slider
from attention_book.widgets.static import INLINE_OPEN

SCORES = ["dot", "bilinear", "MLP"]
BECAUSE = "its error is the lowest."


def asked(
    answer="dot", reveal=BECAUSE, question="Which has the lowest error?", options=SCORES
):
    return predict(question, options, answer=answer, reveal=reveal)


def make(**rest):
    return Widget(
        "t", controls=[slider("n", [1, 2])], panels=[bars(["x"], [1.0])], **rest
    )


WRONG = [
    (lambda: asked(question=""), "question is empty"),
    (lambda: asked(question=3), "question must be a text, but came as 3"),
    (lambda: asked(reveal=" "), "reveal is empty"),
    (lambda: asked(options="dot"), "options is 'dot': give a list of texts"),
    (lambda: asked(options=["dot"]), "options has 1 entries: expected at least 2"),
    (lambda: asked(options=["dot", "MLP", "dot"]), "options has 'dot' twice"),
    (lambda: asked(options=["dot", ""]), r"options\[1\] is empty"),
    (lambda: asked(options=["dot", 2]), r"options\[1\] must be a text, but came as 2"),
    (
        lambda: asked("cosine"),
        "answer is 'cosine': expected None or one of 'dot', 'bilinear', 'MLP'",
    ),
    (lambda: make(predict="dot?"), r"predict is 'dot\?': make it with predict\("),
]


@pytest.mark.parametrize(("build", "message"), WRONG)
def test_a_wrong_prediction_is_named_when_it_is_made(build, message, as_a_reader):
    with pytest.raises((ValueError, TypeError), match=message):
        build()


def test_what_is_said_depends_on_what_was_predicted():
    assert asked().said("dot") == f"You predicted dot, and so it is: {BECAUSE}"
    assert asked().said("MLP") == f"You predicted MLP. It is dot: {BECAUSE}"
    assert asked().said("") == f"It is dot: {BECAUSE}"
    assert asked(None, "They differ.").said("MLP") == "You predicted MLP. They differ."
    assert asked(None, "They differ.").said("") == "They differ."


def test_the_browser_gets_a_sentence_for_every_option():
    spec = make(predict=asked()).spec["predict"]
    assert spec["said"] == [asked().said(option) for option in SCORES]
    assert spec["unsaid"] == asked().said("")


def test_a_prediction_that_was_not_offered_is_refused():
    with pytest.raises(
        traitlets.TraitError,
        match=r"prediction is 'cosine': expected one of \['', 'dot'",
    ):
        make(predict=asked()).prediction = "cosine"
    widget = make(predict=asked())
    assert (widget.prediction, widget.revealed) == ("", False)
    widget.prediction = "MLP"
    with pytest.raises(traitlets.TraitError, match=r"expected one of \[''\]"):
        make().prediction = "dot"


def test_the_line_is_part_of_the_reserved_height():
    without, short, long = (
        make(),
        make(predict=asked()),
        make(predict=asked(reveal="word " * 80)),
    )
    for layout in (0, 1):
        heights = [widget.spec["height"][layout] for widget in (without, short, long)]
        assert heights[0] + 32 + 12 <= heights[1]
        assert heights[1] + 5 * 23 <= heights[2]


def test_while_it_waits_the_room_is_that_of_the_question():
    few, many = (
        [f"an option of some length, number {i}" for i in range(n)] for n in (2, 14)
    )
    few, many = (make(predict=asked(None, options=each)) for each in (few, many))
    assert few.reserved()[1] + 14 * 48 > many.reserved()[1] > 14 * 48
    assert many.reserved()[0] > few.reserved()[0]
    assert (
        "--aw-wide:{}px;--aw-narrow:{}px".format(*few.reserved())
        in few._repr_mimebundle_()[0]["text/html"]
    )
    few.revealed = True
    assert few.reserved() == few.spec["height"]
    many.prediction = many.predict.options[0]
    assert many.reserved() == many.spec["height"]
    assert make().reserved() == make().spec["height"]


def test_while_it_waits_the_page_does_not_give_it_away():
    def shown(widget):
        page = (
            widget._repr_mimebundle_()[0]["text/html"]
            .split(INLINE_OPEN)[0]
            .split("<script")[0]
        )
        return re.sub("<noscript>.*?</noscript>", "", page, flags=re.S)

    waiting, open_ = make(predict=asked()), make(predict=asked())
    open_.revealed = True
    assert "x 1.00." not in shown(waiting)
    assert "x 1.00." in shown(open_)


def test_without_a_script_everything_is_there():
    page = (
        make(predict=asked())
        ._repr_mimebundle_()[0]["text/html"]
        .split(INLINE_OPEN)[0]
        .split("<script")[0]
    )
    assert "Which has the lowest error? dot / bilinear / MLP" in page
    assert re.search(rf"<noscript><p[^>]*>It is dot: {BECAUSE}</p></noscript>", page)
    assert "x 1.00." in page
