"""The drawings of norms: what is averaged over, and where they stand."""

import matplotlib as mpl
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from attention_book.plots import norm_axes, norm_places, residual_stream
from attention_book.plots.diagrams import ASKED, TAKEN
from attention_book.plots.heat_maps import GOLD
from attention_book.plots.norms import FORK, LENGTHS, N_X, PLACES, D


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def inside(outer, inner):
    (x, y), (to_x, to_y) = outer.get_bbox().min, outer.get_bbox().max
    (low_x, low_y), (high_x, high_y) = inner.get_bbox().min, inner.get_bbox().max
    return x < low_x and high_x < to_x and y < low_y and high_y < to_y


def test_layer_norm_averages_one_word_and_batch_norm_one_feature_padding_too():
    ax = norm_axes()
    squares = [each for each in ax.patches if isinstance(each, Rectangle)]
    gold = [each for each in squares if to_hex(each.get_edgecolor()) == GOLD.lower()]
    outlined = [each for each in squares if each not in gold and not each.get_hatch()]
    cells = [each for each in outlined if not each.get_fill()]
    one_word, one_feature = ([c for c in cells if inside(g, c)] for g in gold)
    assert len(one_word) == D
    assert len({round(c.get_x(), 6) for c in one_word}) == 1
    assert len(one_feature) == N_X * len(LENGTHS)
    assert len({round(c.get_y(), 6) for c in one_feature}) == 1
    hatched = [each for each in squares if each.get_hatch()]
    assert len(hatched) == 2 * (N_X * len(LENGTHS) - sum(LENGTHS))


def test_the_norm_stands_in_the_stream_or_beside_it():
    ax = norm_places()
    norms = [text.get_position() for text in ax.texts if text.get_text() == "norm"]
    parts = [text.get_position() for text in ax.texts if text.get_text() == "$f$"]
    plus = [text.get_position() for text in ax.texts if text.get_text() == "+"]
    (post_x, post_y), (pre_x, pre_y) = norms
    assert post_x == plus[1][0]  # in the stream, above the sum
    assert post_y > plus[1][1]
    assert pre_x == parts[2][0]  # before its part, beside the stream
    assert FORK < pre_y < parts[2][1] < plus[2][1]
    assert len(norms) == 2


@pytest.mark.parametrize("drawing", [norm_axes, norm_places, residual_stream])
def test_it_is_labelled_inside_its_axes_and_drawn_where_it_is_told(drawing):
    _, given = plt.subplots()
    assert drawing(given) is given
    ax = drawing()
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    labels = [text for text in ax.texts if text.get_text()]
    assert len(labels) <= 12
    for text in labels:
        box = text.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, text.get_text()
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, text.get_text()


def test_each_block_beside_the_stream_is_attention_and_then_an_mlp():
    texts = residual_stream().texts
    heights = {"attention": [], "MLP": [], "+": []}
    for text in texts:
        heights.get(text.get_text(), []).append(text.get_position()[1])
    parts = zip(heights["attention"], heights["MLP"], strict=True)
    in_order = [height for pair in parts for height in pair]
    assert in_order == sorted(in_order)
    assert [at < plus for at, plus in zip(in_order, heights["+"], strict=True)] == [
        True
    ] * 4


def test_the_stream_is_blue_and_what_is_found_green():
    ax = norm_places()
    colours = {line.get_color() for line in ax.lines}
    assert {ASKED, TAKEN} < colours
    assert {*PLACES} <= {text.get_text() for text in ax.texts}
