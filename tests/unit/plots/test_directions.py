"""The drawing of directions: solid is trained, dashed never was, violet goes around."""

import matplotlib as mpl
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from matplotlib.patches import ArrowStyle

from attention_book.plots import directions_drawing, use_style
from attention_book.plots.diagrams import OUT
from attention_book.plots.directions import LANGUAGES

PHONE = 358  # pixels that a page of 390 leaves for a picture


@pytest.fixture
def ax():
    use_style()
    yield directions_drawing()
    plt.close("all")


def ways(ax):
    """(from, to, dashed, violet) of each arrow, in both directions where it has two."""
    names = {place: name for name, place in LANGUAGES.items()}
    for each in ax.texts:
        patch = getattr(each, "arrow_patch", None)
        if patch is not None:
            ends = [names[each.xyann], names[each.xy]]
            look = (
                patch.get_linestyle() != "solid",
                patch.get_edgecolor() == mpl.colors.to_rgba(OUT),
            )
            yield (*ends, *look)
            if isinstance(patch.get_arrowstyle(), ArrowStyle.CurveFilledAB):
                yield (*ends[::-1], *look)


def test_english_is_trained_both_ways_and_the_others_are_met_through_it_only(ax):
    found = set(ways(ax))
    solid = {way[:2] for way in found if not way[2] and not way[3]}
    assert solid == {("EN", "FR"), ("FR", "EN"), ("EN", "ES"), ("ES", "EN")}
    assert {way[:2] for way in found if way[2]} == {("FR", "ES"), ("ES", "FR")}
    assert {way[:2] for way in found if way[3]} == {("FR", "EN"), ("EN", "ES")}


def test_its_few_labels_stand_apart_inside_and_are_read_on_a_phone(ax):
    ax.figure.draw_without_rendering()
    labels = [text for text in ax.texts if text.get_text()]
    assert len(labels) <= 12
    frame, boxes = ax.figure.bbox, [text.get_window_extent() for text in labels]
    for i, box in enumerate(boxes):
        assert frame.x0 <= box.x0 <= box.x1 <= frame.x1
        assert frame.y0 <= box.y0 <= box.y1 <= frame.y1
        assert not any(box.overlaps(other) for other in boxes[:i])
    wide = ax.figure.get_figwidth() * 72
    assert min(text.get_fontsize() for text in labels) * PHONE / wide >= 9


def test_it_is_drawn_into_axes_that_are_given():
    _, given = plt.subplots()
    assert directions_drawing(given) is given
    plt.close("all")
