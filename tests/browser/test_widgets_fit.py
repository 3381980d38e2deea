"""Every large figure on a page of its own: what axe finds, its height, where Tab leads,
what an input costs.
"""

import pytest
from browser.hands import CUT, MOST, WIDE, stops
from browser.pages import MEASURE, height_within_a_screen
from browser.painted import mask_and_heads
from parses import made_up

from attention_book.chapters.attention_layer.widgets import query_plane
from attention_book.chapters.block.widgets import residual_stream
from attention_book.chapters.encoder_decoder.widgets import beam_tree, cross_attention
from attention_book.chapters.generation.widgets import by_prompt, next_piece, own_code
from attention_book.chapters.not_only_translation.widgets import _parse_tree
from attention_book.chapters.pretraining.widgets import ten_sentences
from attention_book.chapters.self_attention.widgets import (
    by_hand,
    right_and_wrong_map,
    step_by_step,
    what_is_it,
)
from attention_book.chapters.three_ways.widgets import receptive_field


def parsed():
    return _parse_tree(made_up())


LISTS, BUTTONS = ["listbox"] * 2, ["button"] * 2  # such as Reset and Show numbers
FIGURES = {  # and where Tab leads in each
    beam_tree: ["input", *["button"] * 3, "input", "button", "select", *BUTTONS],
    by_hand: ["select", *["input"] * 36, "button"],
    by_prompt: ["input", *["button"] * 11, "input", *["button"] * 10],
    cross_attention: [
        *("select", "input", "button", "select", "select"),
        *(*LISTS, "maps", *BUTTONS),
    ],
    mask_and_heads: ["select", *["button"] * 4, "heat map", "maps", *BUTTONS],
    next_piece: ["input", "select", *["input"] * 5, *LISTS, *BUTTONS],
    own_code: ["input", "button", "select", *BUTTONS, "listbox", "maps", *BUTTONS],
    parsed: ["select", "select", "input", "button", "listbox", *BUTTONS],
    query_plane: ["select", *["point"] * 9, *BUTTONS],
    receptive_field: ["select", "input", "input", *BUTTONS],
    residual_stream: ["select", "input", *LISTS, *BUTTONS],
    right_and_wrong_map: ["input", *LISTS, *BUTTONS],
    step_by_step: ["input", "select", *["input"] * 30, "button"],
    ten_sentences: [*["input"] * 11, "listbox", *BUTTONS],
    what_is_it: ["input", "listbox", *BUTTONS],
}


@pytest.mark.parametrize("make", FIGURES)
@pytest.mark.parametrize("width", [1280, 374])  # the book keeps 16 of 390 pixels
def test_a_figure_is_accessible_steady_and_light(opened, axe, make, width):
    widget = make()
    page = opened(widget, width=width)
    assert stops(page, len(FIGURES[make])) == FIGURES[make]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        height = height_within_a_screen(page, axe, width)
        assert height == widget.spec["height"][width == 374]
    for control in page.locator("input[type=range]:visible, select:visible").all():
        for key in ("Home", "End"):
            control.press(key)
            assert page.locator(".aw").bounding_box()["height"] == height
    page.evaluate(MEASURE)
    measured = page.evaluate("window.measure.inputs()")
    costs = {cost["control"]: cost["changes"] for cost in measured}
    inputs = [each for each in widget.controls if each.seen and each.kind != "switches"]
    assert list(costs) == [each.name for each in inputs]
    assert max(map(max, costs.values()), default=0) <= MOST, costs
    page.add_style_tag(content=WIDE)
    assert page.locator(".aw-panel-label").evaluate_all(CUT) == []
