"""The drawing of heads: hatched is hidden, and a vector is cut into as many parts."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book.plots import diagrams, heads

CAUSAL = np.tri(3, dtype=bool)
ONE = np.array([[[1, 0, 0], [0.3, 0.7, 0], [0.1, 0.6, 0.3]]])
WORDS, NEXT = ["[START]", "Big", "cat"], ["Big", "cat", "[END]"]


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def squares(ax):
    """Those of weights, filled and hatched, row by row and from left to right."""
    filled = [p for p in ax.patches if p.get_height() == 0.5 and p.get_alpha()]
    hatched = [p for p in ax.patches if p.get_hatch()]
    return (
        sorted((-round(p.get_y(), 3), p.get_x(), p.get_alpha()) for p in filled),
        sorted((-round(p.get_y(), 3), p.get_x()) for p in hatched),
    )


def cells(ax, colour):
    """How many cells of vectors there are in a colour."""
    edges = [
        p.get_ec() for p in ax.patches if p.get_height() < 0.2 and not p.get_fill()
    ]
    return sum(mpl.colors.to_hex(edge) == colour for edge in edges)


def test_a_weight_is_opacity_and_what_is_hidden_is_hatched():
    filled, hatched = squares(heads(ONE, CAUSAL, WORDS, NEXT))
    weights = [1, 0.3, 0.7, 0.1, 0.6, 0.3]
    assert [alpha for *_, alpha in filled] == pytest.approx(weights)
    assert len(hatched) == 3
    assert {row for row, _ in hatched} == {filled[0][0], filled[1][0]}


@pytest.mark.parametrize("N_heads", [1, 2, 4])
def test_each_head_has_squares_keys_and_values_of_its_own(N_heads):
    ax = heads(np.repeat(ONE, N_heads, axis=0), CAUSAL, ["$x_1$", "$x_2$", "$x_3$"])
    filled, hatched = squares(ax)
    assert (len(filled), len(hatched)) == (6 * N_heads, 3 * N_heads)
    # four cells a vector, however many heads: three queries, keys and values, outputs
    assert cells(ax, diagrams.ASKS) == cells(ax, diagrams.TAKEN) == 12
    assert cells(ax, diagrams.OUT) == (12 if N_heads == 1 else 24)  # before W_O, after


def test_its_labels_are_words_and_symbols_inside_the_axes():
    ax = heads(np.repeat(ONE, 2, axis=0), CAUSAL, ["$x_1$", "$x_2$", "$x_3$"])
    texts = {text.get_text(): text for text in ax.texts if text.get_text()}
    assert len(texts) <= 12
    assert {"$Q$", "$A_1$", "$A_2$", "$W_O$", "$Y$"} < set(texts)
    ax.figure.canvas.draw()
    for text in texts.values():
        box, frame = text.get_window_extent(), ax.figure.bbox
        assert box.x0 >= frame.x0
        assert box.x1 <= frame.x1


def test_each_output_says_the_next_word():
    ax = heads(ONE, CAUSAL, WORDS, NEXT)
    heights = {}
    for text in ax.texts:
        heights.setdefault(text.get_text(), []).append(round(text.get_position()[1], 3))
    for read, said in zip(WORDS, NEXT, strict=True):
        assert set(heights[read]) & set(heights[said])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A": ONE[:, :2]}, "A has shape"),
        ({"visible": CAUSAL[:2]}, "visible is bool of shape"),
        ({"A": np.repeat(ONE, 3, axis=0)}, "A has 3 heads, expected 1, 2 or 4"),
        ({"visible": np.eye(3, dtype=bool)}, "A holds a weight where visible is False"),
        ({"visible": np.tri(3, dtype=int)}, "visible is int64 .* expected bool"),
        ({"targets": NEXT[:2]}, "targets has 2 words, expected 3, one for each input"),
        ({"A": ONE * 2}, r"A holds numbers from 0 to 2, expected weights, 0 to 1"),
        ({"A": -ONE}, r"A holds numbers from -1 to"),
        ({"A": np.where(CAUSAL, np.nan, ONE)}, "A holds numbers from nan to nan"),
    ],
)
def test_bad_input_is_named(as_a_reader, change, message):
    with pytest.raises(ValueError, match=message):
        heads(**dict(A=ONE, visible=CAUSAL, inputs=WORDS) | change)
