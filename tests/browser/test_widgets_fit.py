"""Every large figure on a page of its own: axe, its height, what an input costs."""

import pytest
from browser.pages import MEASURE, height_within_a_screen
from browser.painted import mask_and_heads
from parses import made_up

from attention_book.chapters.attention_layer.widgets import query_plane
from attention_book.chapters.block.widgets import residual_stream
from attention_book.chapters.encoder_decoder.widgets import beam_tree, cross_attention
from attention_book.chapters.not_only_translation.widgets import parse_tree
from attention_book.chapters.self_attention.widgets import (
    by_hand,
    right_and_wrong_map,
    step_by_step,
    what_is_it,
)
from attention_book.chapters.three_ways.widgets import receptive_field


def parsed():
    return parse_tree(made_up())


FIGURES = [
    beam_tree,
    by_hand,
    cross_attention,
    mask_and_heads,
    parsed,
    query_plane,
    receptive_field,
    residual_stream,
    right_and_wrong_map,
    step_by_step,
    what_is_it,
]


@pytest.mark.parametrize("make", FIGURES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 374])  # the book keeps 16 of 390 pixels
def test_axe_finds_nothing_and_it_is_as_high_as_is_kept_free(
    opened, axe, make, scheme, width
):
    widget = make()
    page = opened(widget, color_scheme=scheme, width=width)
    height = height_within_a_screen(page, axe, width)
    assert height == widget.spec["height"][width == 374]
    for control in page.locator("input[type=range]:visible, select:visible").all():
        for key in ("Home", "End"):
            control.press(key)
            assert page.locator(".aw").bounding_box()["height"] == height


@pytest.mark.parametrize("make", FIGURES)
def test_no_input_changes_more_than_150_things(opened, make):
    widget = make()
    page = opened(widget)
    page.evaluate(MEASURE)
    costs = {
        cost["control"]: cost["changes"]
        for cost in page.evaluate("window.measure.inputs()")
    }
    assert list(costs) == [each.name for each in widget.controls if each.seen]
    assert max(map(max, costs.values()), default=0) <= 150, costs
