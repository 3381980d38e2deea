"""The drawing of a shuffle: its labels, what moved along, inside its axes."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book.plots import diagrams, shuffled

WORDS, ORDER = ["anna", "sees", "ben"], [2, 0, 1]
X = np.arange(6.0).reshape(3, 2)
A = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.15, 0.6, 0.25]])
Y = np.arange(12.0).reshape(3, 4)


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def drawn(**change):
    return shuffled(**dict(words=WORDS, X=X, A=A, Y=Y, order=ORDER) | change)


def opacities(ax, colour, side):
    """Of the filled cells on one side, the lowest row last, from left to right."""
    middle = np.mean(ax.get_xlim())
    cells = [
        (-round(patch.get_y(), 3), patch.get_x(), patch.get_alpha())
        for patch in ax.patches
        if patch.get_alpha() and mpl.colors.to_hex(patch.get_fc()) == colour
        if (patch.get_x() > middle) == side
    ]
    return [alpha for *_, alpha in sorted(cells)]


def test_its_labels_are_words_and_symbols_in_their_colours():
    labels = [text for text in drawn().texts if text.get_text()]  # an arrow has none
    texts = {text.get_text(): text.get_color() for text in labels}
    assert len(texts) <= 12
    assert texts["$X$"] == texts["$A$"] == texts["$SX$"] == diagrams.ASKED
    assert texts["$Y$"] == texts["$SY$"] == diagrams.OUT
    assert {*WORDS} < set(texts)


def test_words_stand_in_the_other_order_on_the_right_below_and_beside_the_rows():
    ax = drawn()
    places = {False: [], True: []}  # below the inputs, left of the rows
    for text in ax.texts:
        if (word := text.get_text()) in WORDS:
            x, y = text.get_position()
            is_right = x > np.mean(ax.get_xlim()) - 0.2
            places[y > 0].append((is_right, -round(y, 3), x, word))
    for labels in places.values():
        words = [word for *_, word in sorted(labels)]
        assert words == ["anna", "sees", "ben", "ben", "anna", "sees"]


def test_weights_change_places_by_row_and_by_column():
    ax = drawn()
    left, right = (
        np.reshape([a for a in opacities(ax, diagrams.ASKED, side) if a in A], (3, 3))
        for side in (False, True)
    )
    np.testing.assert_array_equal(left, A)
    np.testing.assert_array_equal(right, A[ORDER][:, ORDER])


def test_outputs_change_places_and_keep_their_cells():
    ax = drawn()
    left, right = (
        np.reshape(opacities(ax, diagrams.OUT, side), (3, 4)) for side in (False, True)
    )
    np.testing.assert_array_equal(right, left[ORDER])
    assert len({*left.flat}) == 12


def test_everything_lies_inside_its_axes():
    ax = drawn()
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for text in ax.texts:
        box = text.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, text.get_text()
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, text.get_text()
    assert all(patch.get_bbox().x1 <= ax.get_xlim()[1] for patch in ax.patches)


def test_it_is_drawn_where_it_is_told():
    _, ax = plt.subplots()
    assert drawn(ax=ax) is ax


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": [0, 0, 1]}, r"order is \[0, 0, 1\], expected each of 0 to 2 once"),
        ({"X": X[:2]}, "X"),
        ({"A": A[:, :2]}, "A"),
        ({"Y": Y[:2]}, "Y"),
    ],
)
def test_what_cannot_be_drawn_is_named(change, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        drawn(**change)
