"""The drawing of a block: only attention joins vectors, and norms stand where told."""

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Circle, FancyBboxPatch, Polygon, Rectangle

from attention_book.plots import block_drawing
from attention_book.plots.block import ASIDE, HALF, STEP, N
from attention_book.plots.diagrams import ASKED, OUT
from attention_book.plots.style import INK

NORMS = ("post", "pre")


@pytest.fixture(params=NORMS)
def ax(request):
    yield block_drawing(request.param)
    plt.close("all")


def lines_of(ax, colour):
    return [line for line in ax.lines if line.get_color() == colour]


def test_only_attention_leads_from_one_vector_to_another(ax):
    joined = {}
    for line in lines_of(ax, INK):
        x, y = line.get_data()
        of = [int(np.floor(at / STEP + 0.05)) for at in x]
        if of[0] != of[-1]:
            assert max(y) < HALF  # in the lower half
            joined[of[0], of[-1]] = line.get_alpha()
    assert joined == {
        (j, i): 1 if i == N - 1 else 0.35 for j in range(N) for i in range(N) if i != j
    }


def test_each_vector_has_a_way_past_attention_and_mlp_to_a_sum(ax):
    sums = [p.center for p in ax.patches if isinstance(p, Circle)]
    assert len(sums) == 2 * N
    for x, y in sums:
        half = HALF if y > HALF else 0
        (way,) = (
            line
            for line in lines_of(ax, OUT if half else ASKED)
            if line.get_xdata()[0] == x and half < line.get_ydata()[0] < half + HALF / 4
        )
        assert list(way.get_xdata()) == [x, x]
        assert way.get_ydata()[1] == pytest.approx(y - 0.1)
        (part,) = (
            line
            for line in lines_of(ax, INK)
            if line.get_xydata()[-1] == pytest.approx((x + 0.1, y))
        )
        assert part.get_xdata()[0] == x + ASIDE


@pytest.mark.parametrize("norm", NORMS)
def test_norms_stand_behind_the_sums_or_before_the_parts(norm):
    ax = block_drawing(norm)
    boxes = [p.get_bbox() for p in ax.patches if isinstance(p, FancyBboxPatch)]
    sums = [p.center for p in ax.patches if isinstance(p, Circle)]
    assert len(boxes) == len(sums) == 2 * N
    for box, (x, y) in zip(boxes, sums, strict=True):
        middle = (box.x0 + box.x1) / 2
        assert middle == pytest.approx(x if norm == "post" else x + ASIDE)
        assert box.y0 > y if norm == "post" else box.y1 < y
    plt.close("all")


def test_one_mlp_stands_beside_each_vector_in_the_upper_half(ax):
    mlps = [p.get_xy() for p in ax.patches if type(p) is Polygon]
    assert [corners[:, 0].mean() for corners in mlps] == pytest.approx(
        STEP * np.arange(N) + ASIDE, abs=0.1
    )
    assert all(HALF < corners[:, 1].min() < 2 * HALF for corners in mlps)


def test_inputs_are_blue_and_what_is_made_of_them_violet(ax):
    cells = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_fill()]
    rows = {}
    for cell in cells:
        row = round((cell.get_y() + 0.1) / HALF)
        rows.setdefault(row, []).append(mpl.colors.to_hex(cell.get_facecolor()))
    assert rows == {0: [ASKED] * 9, 1: [OUT] * 9, 2: [OUT] * 9}


def test_its_labels_are_few_and_stand_inside(ax):
    names = sorted(text.get_text() for text in ax.texts if text.get_text())
    assert names == [
        "$X$",
        "$Y$",
        "$Z$",
        "MLP",
        "attention",
        "norm",
        "norm",
        "residual",
    ]
    ax.figure.canvas.draw()
    room = ax.get_window_extent()
    for text in ax.texts:
        box = text.get_window_extent()
        assert room.x0 <= box.x0 <= box.x1 <= room.x1, text.get_text()
        assert room.y0 <= box.y0 <= box.y1 <= room.y1, text.get_text()
        assert text.get_fontsize() >= 10


def test_it_is_drawn_where_it_is_told(as_a_reader):
    _, given = plt.subplots()
    assert block_drawing("pre", given) is given
    plt.close("all")
    with pytest.raises(ValueError, match="norm is 'none', expected one of post, pre"):
        block_drawing("none")
