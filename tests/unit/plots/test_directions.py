"""The drawing of directions: solid is trained, dashed never was, violet goes around."""

from itertools import permutations

import matplotlib as mpl
import numpy as np
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


def arrows(ax):
    return [each for each in ax.texts if getattr(each, "arrow_patch", None)]


def look(arrow):
    """Whether it is dashed, and whether it is violet."""
    patch = arrow.arrow_patch
    dashed = patch.get_linestyle() != "solid"
    return dashed, patch.get_edgecolor() == mpl.colors.to_rgba(OUT)


def ways(ax):
    """(from, to, dashed, violet) of each arrow, in both directions where it has two."""
    names = {place: name for name, place in LANGUAGES.items()}
    for each in arrows(ax):
        ends = [names[each.xyann], names[each.xy]]
        yield (*ends, *look(each))
        if isinstance(each.arrow_patch.get_arrowstyle(), ArrowStyle.CurveFilledAB):
            yield (*ends[::-1], *look(each))


def test_english_is_trained_both_ways_and_the_others_are_met_through_it_only(ax):
    found = set(ways(ax))
    solid = {way[:2] for way in found if not way[2] and not way[3]}
    assert solid == {("EN", "FR"), ("FR", "EN"), ("EN", "ES"), ("ES", "EN")}
    assert {way[:2] for way in found if way[2]} == {("FR", "ES"), ("ES", "FR")}
    assert {way[:2] for way in found if way[3]} == {("FR", "EN"), ("EN", "ES")}


def points(arrow):
    """Points along an arrow, in pixels."""
    path = arrow.arrow_patch.get_path().cleaned(curves=False)
    return path.interpolated(20).vertices[:-20]  # the last one says that it ends


def distances(some, others):
    """From each of some points to the nearest of others."""
    return np.linalg.norm(some[:, None] - others, axis=-1).min(axis=1)


def test_a_label_stands_at_the_arrows_it_is_about_and_no_two_arrows_are_one(ax):
    ax.figure.draw_without_rendering()
    along = {arrow: points(arrow) for arrow in arrows(ax)}
    about = {"trained": (False, False), "zero-shot": (True, False)}
    about["pivot through EN"] = (False, True)
    found = {}
    for label in ax.texts:
        middle = np.array([label.get_window_extent().get_points().mean(axis=0)])
        found[label.get_text()] = look(
            min(along, key=lambda arrow, at=middle: distances(at, along[arrow])[0])
        )
    assert found | about == found
    for one, other in permutations(along.values(), 2):
        assert distances(one, other).max() > 20


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
