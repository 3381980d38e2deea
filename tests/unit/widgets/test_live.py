"""`live`: real controls in a kernel, an honest still elsewhere."""

import pytest

from attention_book.plots import table
from attention_book.widgets import arrangement, free, live, select, slider, text_box


def shout(sentence, times):
    if not sentence:
        raise ValueError("sentence is <empty>")
    return sentence.upper() * times


def make():
    return live(
        shout,
        text_box("sentence", "we <b>eat"),
        slider("times", [1, 2], default=2),
        title="Shout <it>",
    )


def test_the_page_shows_the_result_for_the_defaults_as_text():
    page = make()._repr_mimebundle_()[0]["text/html"]
    assert "WE &lt;B&gt;EATWE &lt;B&gt;EAT" in page
    assert "Shout &lt;it&gt;" in page
    assert "<b>" not in page.lower().split("<!--")[0]


def test_in_a_kernel_a_changed_control_calls_the_function():
    _, sentence, times, answer = make().box.children
    sentence.value = "pan"
    assert "PANPAN" in answer.value
    times.value = 1
    assert "PAN<" in answer.value


def test_input_the_function_cannot_take_is_answered_in_words():
    _, sentence, _, answer = make().box.children
    sentence.value = ""
    assert "Not possible: sentence is &lt;empty&gt;" in answer.value


def test_a_table_stays_a_table_on_the_page_and_in_a_kernel():
    def squares(N):
        return table({"n": list(range(N))}, columns=list(range(N)), caption="<n>")

    shown = live(squares, slider("N", [1, 2]), title="t")
    for html in (shown.static_html(), shown.box.children[-1].value):
        assert "&lt;n&gt;</caption>" in html
        assert "<pre" not in html
    shown.box.children[1].value = 2
    assert shown.box.children[-1].value.count("<td") == 1 + 2


def test_other_errors_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        live(lambda n: 1 / n, select("n", [0]), title="t")


def test_wrong_settings_are_named(as_a_reader):
    with pytest.raises(ValueError, match="at least one control"):
        live(shout, title="t")
    for inside in (free("s", [1], low=0, high=2), arrangement("s", ["a", "b"])):
        with pytest.raises(ValueError, match=r"'s' is changed in a panel.*text_box"):
            live(shout, text_box("t", "x"), inside, title="t")
    with pytest.raises(TypeError, match="title must be a text"):
        live(shout, text_box("s", "x"), title=None)
    with pytest.raises(TypeError, match="default must be a text"):
        text_box("s", 3)


def test_a_table_in_the_box_has_room_between_its_columns_at_first_and_later():
    words = select("word", ["one", "two"], default="one")
    shown = live(lambda w: table({w: {"x": 1}}, caption=""), words, title="A table")
    _, control, answer = shown.box.children
    for word in ("one", "two"):
        control.value = word
        assert "th, td) { padding:" in answer.value
        assert word in answer.value
