"""The drawing of the Transformer: who looks at whom, and what leads across."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.text import Annotation

from attention_book.plots import transformer_drawing
from attention_book.plots.diagrams import ASKED, ASKS, TAKEN
from attention_book.plots.style import INK
from attention_book.plots.transformer import ASIDE, CROSS, PART, SELF, STEP, N, X


@pytest.fixture
def ax():
    yield transformer_drawing()
    plt.close("all")


def lines_of(ax, colour):
    return [line.get_xydata() for line in ax.lines if line.get_color() == colour]


def looks(ax, first):
    """From input i to word t, for the side that begins at `first`."""
    found = set()
    for start, end in lines_of(ax, INK):
        i, t = (round((x - first) / STEP) for x, _ in (start, end))
        if 0 <= i < N and abs(start[0] - first - i * STEP) < 1e-9:
            assert [start[1], end[1]] == pytest.approx([SELF, SELF + PART])
            found.add((i, t))
    return found


def test_on_the_left_all_look_at_all_and_on_the_right_none_at_a_later_one(ax):
    every = {(i, t) for i in range(N) for t in range(N)}
    assert looks(ax, 0) == every
    assert looks(ax, ASIDE) == {(i, t) for i, t in every if i <= t}


def test_every_x_and_nothing_else_gives_keys_and_values_to_cross_attention(ax):
    taken = lines_of(ax, TAKEN)
    begin = {round(start[0] / STEP) for start, _ in taken if X < start[1] < X + 0.4}
    assert begin == set(range(N))
    across = [end for _, end in taken if end[1] == pytest.approx(CROSS)]
    assert [x for x, _ in across] == [np.mean([(N - 1) * STEP, ASIDE])]
    tips = [note.xy for note in ax.texts if isinstance(note, Annotation)]
    (tip,) = (xy for xy in tips if xy[1] == pytest.approx(CROSS))
    assert across[0][0] < tip[0] < ASIDE


def test_queries_come_from_the_words_written(ax):
    asks = lines_of(ax, ASKS)
    asking = [x for (x, _), (_, end) in asks if SELF + PART < end < CROSS]
    assert asking == pytest.approx([ASIDE + t * STEP for t in range(N)])
    assert not [1 for (x, _), _ in lines_of(ax, ASKED) if x > (N - 1) * STEP]


def test_what_is_written_is_what_is_read_one_word_later(ax):
    words = {}
    for text in ax.texts:
        x, y = text.get_position()
        if text.get_text() and text.get_ha() == "center" and x >= ASIDE:
            words.setdefault(round(y, 2), []).append(text.get_text())
    *_, read, said = (words[y] for y in sorted(words) if len(words[y]) == N)
    assert read[0] == "[START]"
    assert said[:-1] == read[1:]


def test_no_label_is_cut(ax):
    frame = ax.figure.bbox
    for text in ax.texts:
        box = text.get_window_extent()
        assert frame.x0 <= box.x0 <= box.x1 <= frame.x1, text.get_text()


def test_it_is_drawn_into_axes_that_are_given():
    _, given = plt.subplots()
    assert transformer_drawing(given) is given
    plt.close("all")
