"""The drawing of the layer: its labels, its opacities, where self-attention differs."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from attention_book.plots import attention_layer, diagrams

A = np.array([[0.6, 0.3, 0.08, 0.02], [0.1, 0.2, 0.3, 0.4]])
SQUARE = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def colours(ax):
    return {text.get_text(): text.get_color() for text in ax.texts if text.get_text()}


def test_every_symbol_has_the_colour_of_its_part():
    named = colours(attention_layer(A))
    assert named["$Q$"] == diagrams.ASKS
    assert {named[name] for name in ("$X$", "$K$", "$W_K$", "$A$")} == {diagrams.ASKED}
    assert named["$V$"] == named["$W_V$"] == diagrams.TAKEN
    assert named["$Y$"] == diagrams.OUT
    assert named.keys() - {"$Q$", "$X$", "$K$", "$W_K$", "$A$", "$V$", "$W_V$"} == {
        "$E$",
        "$Y$",
        "softmax",
    }


def test_self_attention_makes_its_queries_of_the_inputs_on_a_way_that_is_marked():
    given, own = attention_layer(SQUARE), attention_layer(SQUARE, self_attention=True)
    assert colours(own).keys() - colours(given).keys() == {"$W_Q$"}
    assert len(own.lines) == len(given.lines) + 2
    pens = [line for line in own.lines if line.get_linewidth() > 10]
    assert [line.get_color() for line in pens] == [diagrams.ASKS]
    assert len(colours(own)) <= 12


def test_a_weight_is_the_opacity_of_its_square_and_a_score_the_height_of_its_bar():
    patches = attention_layer(A).patches
    weights = [p.get_alpha() for p in patches if p.get_width() == 0.5 and p.get_fill()]
    assert weights == pytest.approx((A / 0.6).clip(min=0.12).ravel())
    bars = [p.get_height() for p in patches if p.get_width() == 0.22]
    assert np.argsort(bars).tolist() == np.argsort(A.ravel()).tolist()


@pytest.mark.parametrize(("weights", "own"), [(A, False), (SQUARE, True)])
def test_nothing_lies_outside_the_axes(weights, own):
    ax = attention_layer(weights, self_attention=own)
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for part in [*ax.texts, *ax.patches, *ax.lines]:
        box = part.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, part
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, part


def test_it_is_drawn_where_it_is_told():
    _, ax = plt.subplots()
    assert attention_layer(A, ax=ax) is ax


@pytest.mark.parametrize(
    ("weights", "own", "message"),
    [
        (A[0], False, r"A has shape \(4,\)"),
        (A * 2, False, "expected .* with the row sums 1"),
        (np.eye(2), False, "expected .* positive numbers"),
        (A, True, "as many queries as inputs"),
    ],
)
def test_what_cannot_be_drawn_is_named(weights, own, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        attention_layer(weights, self_attention=own)
