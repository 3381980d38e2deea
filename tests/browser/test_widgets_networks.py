"""ReceptiveField in a browser: an output is chosen, and what it sees is lit."""

import pytest
from browser.hands import middle, rows, said, slide

from attention_book.chapters.three_ways.widgets import receptive_field

DISCS = """(path) => (path.getAttribute("d").match(/Z/g) ?? []).length"""


@pytest.fixture
def opened(opened):
    return lambda at="", **options: opened(receptive_field(), at=at, **options)


def discs(page, name):
    return page.locator(f".aw-network path.aw-{name}").evaluate(DISCS)


def strokes(page, name, start="M"):
    return page.locator(f"path.aw-{name}").get_attribute("d").count(start)


def steps(page):
    return [text for text in page.locator(".aw-step").all_text_contents() if text]


def test_an_output_sees_inputs_more_of_them_with_more_layers(opened):
    page = opened()
    assert [discs(page, name) for name in ("output", "seen", "rest")] == [1, 13, 22]
    # 54 a layer; vector 11 sees no thirteenth input
    assert [strokes(page, name) for name in ("weak", "strong")] == [108 - 29, 29]
    assert steps(page) == ["1"] * 5 + ["2"]
    assert said(page) == "Output 9 sees 8 of 12 inputs; the others are hatched."
    first, *_ = rows(page)
    assert first[:2] == ["layer 2", "2 (not seen)"]
    assert first[9] == "2"
    for hatched in (4, 2, 0):
        assert strokes(page, "hidden") == 3 * hatched
        slide(page, "layers", "ArrowRight")
    names = page.locator("svg text").all_text_contents()
    layers = [name for name in names if " " in name]
    assert layers == ["layer 1", "layer 2", "layer 3", "layer 4"]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_click_above_a_place_chooses_its_output_and_one_beside_them_none(
    opened, width
):
    page = opened(width=width)
    value = page.locator(".aw-value").last
    page.get_by_text("layer 1").click()
    assert value.inner_text() == "9"
    for place in ("12", "9", "12"):
        x, y = middle(page.locator(".aw-tick", has_text=place))
        page.mouse.click(x, y - 125)
        assert value.inner_text() == place
        assert said(page).startswith(f"Output {place} ")
    page.wait_for_url("**#w=receptive-field&output=12")


def test_a_gru_runs_along_its_layers_one_step_after_another(opened):
    page = opened("#w=receptive-field&way=1&layers=2")
    assert steps(page) == [str(t) for t in [*range(1, 10), *range(2, 11)]]
    arrows = strokes(page, "strong", "m-4 -3")
    assert arrows == 2 * 8, "from each place to the next, in both layers"
    slide(page, "output", "Home")
    assert strokes(page, "strong", "m-4 -3") == 0
