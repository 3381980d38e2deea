"""A drawn tree: nothing crosses or covers anything, and it is read on a phone."""

from collections import namedtuple
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from attention_book import plots
from attention_book.plots.diagrams import OUT, WIDE
from attention_book.plots.tree import GOLD, parse_tree

PHONE = 358  # pixels that a page of 390 leaves for a picture
Tree = namedtuple("Tree", "label parts")
PP = Tree("PP", ("in", Tree("NP", ("my", "pajamas"))))
SHOOTER = Tree("NP", ("i",))
NOUNS = Tree("S", (SHOOTER, Tree("VP", ("shot", Tree("NP", ("an", "elephant", PP))))))
VERBS = Tree("S", (SHOOTER, Tree("VP", ("shot", Tree("NP", ("an", "elephant")), PP))))
SENTENCE = ["i", "shot", "an", "elephant", "in", "my", "pajamas"]


@pytest.fixture(autouse=True)
def _closed_figures():
    plots.use_style()
    yield
    plt.close("all")


def texts(ax, kind):
    """Labels or words, in the order in which they are written."""
    found = [
        text for text in ax.texts if (text.get_color() == OUT) == (kind == "label")
    ]
    return sorted(found, key=lambda text: text.get_position()[0])


@pytest.mark.parametrize("tree", [NOUNS, VERBS])
def test_words_stand_at_the_bottom_in_their_order_and_labels_above(tree):
    ax = parse_tree(tree)
    words = texts(ax, "word")
    assert [text.get_text() for text in words] == SENTENCE
    (bottom,) = {text.get_position()[1] for text in words}
    labels = texts(ax, "label")
    assert min(text.get_position()[1] for text in labels) == bottom + 1
    top = max(labels, key=lambda text: text.get_position()[1])
    assert top.get_text() == "S"


def hung(ax):
    """Each text with the one that its line comes from, found by where lines end."""
    found = set()
    for line in ax.lines:
        (x, *_, to_x), (y, *_, to_y) = line.get_xdata(), line.get_ydata()
        above, below = (
            min(
                ax.texts,
                key=lambda t, at=at: np.abs(np.subtract(t.get_position(), at)).sum(),
            )
            for at in ((x, y + 0.3), (to_x, to_y - 0.3))
        )
        found.add((above.get_text(), below.get_text()))
    return found


def test_the_two_readings_differ_in_what_the_pajamas_hang_from():
    both = {("S", "NP"), ("S", "VP"), ("NP", "i"), ("VP", "shot"), ("VP", "NP")}
    both |= {("NP", "an"), ("NP", "elephant"), ("PP", "in"), ("PP", "NP")}
    both |= {("NP", "my"), ("NP", "pajamas")}
    assert hung(parse_tree(NOUNS)) == both | {("NP", "PP")}
    assert hung(parse_tree(VERBS)) == both | {("VP", "PP")}


@pytest.fixture(params=["alone", "side by side"])
def drawn(request):
    """Axes with trees, laid out."""
    if request.param == "alone":
        axes = [parse_tree(NOUNS)]
    else:
        _, axes = plt.subplots(1, 2, figsize=(WIDE, 2.6))
        for ax, tree in zip(axes, (NOUNS, VERBS), strict=True):
            parse_tree(tree, ax, title="one of two readings", gold=("PP", 4, 7))
    axes[0].figure.draw_without_rendering()
    return axes


def test_no_text_covers_another_and_all_are_read_on_a_phone(drawn):
    boxes = [text.get_window_extent() for ax in drawn for text in ax.texts]
    for i, one in enumerate(boxes):
        assert not any(one.overlaps(other) for other in boxes[:i])
    figure = drawn[0].figure
    kept = figure.get_tightbbox().width * 72
    titles = [ax.title for ax in drawn]
    sizes = [text.get_fontsize() for ax in drawn for text in ax.texts + titles]
    assert min(sizes) * PHONE / kept >= 9


def test_no_line_goes_through_a_text(drawn):
    for ax in drawn:
        lines = [line.get_transform().transform(line.get_xydata()) for line in ax.lines]
        for text in ax.texts:
            box = text.get_window_extent()
            for line in lines:
                along = [
                    a + part * (b - a)
                    for a, b in pairwise(line)
                    for part in np.linspace(0, 1, 200)
                ]
                assert not any(box.contains(*point) for point in along), text.get_text()


@pytest.mark.parametrize(
    ("gold", "inside"),
    [
        (("PP", 4, 7), ["PP", "NP", *SENTENCE[4:]]),
        (("NP", 2, 4), ["NP", *SENTENCE[2:4]]),
        (("S", 0, 7), None),
    ],
)
def test_the_outline_holds_a_phrase_and_nothing_else(gold, inside):
    ax = parse_tree(VERBS, gold=gold)
    (frame,) = ax.patches
    assert frame.get_edgecolor() == mpl.colors.to_rgba(GOLD)
    assert not frame.get_fill()
    ax.figure.draw_without_rendering()
    box = frame.get_window_extent()
    held = [
        text.get_text()
        for text in ax.texts
        if box.containsx(np.mean(text.get_window_extent().intervalx))
        and box.containsy(np.mean(text.get_window_extent().intervaly))
    ]
    assert sorted(held) == sorted(inside or [text.get_text() for text in ax.texts])


def test_it_is_drawn_into_axes_that_are_given_under_its_title():
    _, given = plt.subplots()
    assert parse_tree(VERBS, given, title="I wear them") is given
    assert given.get_title() == "I wear them"


def test_a_phrase_that_is_not_there_or_holds_nothing_is_refused():
    with pytest.raises(
        ValueError, match=r"gold is \('PP', 4, 6\), expected one of \('S', 0"
    ):
        parse_tree(VERBS, gold=("PP", 4, 6))
    with pytest.raises(ValueError, match=r"closes \(NP, which holds no word"):
        parse_tree(Tree("S", (Tree("NP", ()),)))
