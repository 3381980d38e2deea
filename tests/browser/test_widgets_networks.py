"""ReceptiveField in a browser: an output is chosen, and what it sees is lit."""

import pytest

from attention_book.chapters.three_ways.widgets import receptive_field

DISCS = """(path) => (path.getAttribute("d").match(/Z/g) ?? []).length"""


@pytest.fixture
def opened(opened):
    return lambda at="", **options: opened(receptive_field(), at=at, **options)


def discs(page, name):
    return page.locator(f".aw-network path.aw-{name}").evaluate(DISCS)


def hidden(page):
    lines = page.locator("path.aw-hidden").get_attribute("d").count("M")
    return lines / 3


def steps(page):
    return [text for text in page.locator(".aw-step").all_text_contents() if text]


def slide(page, name, key):
    page.locator(f'input[data-control="{name}"]').press(key)


def test_it_opens_with_five_vectors_and_eight_inputs_below_one_output(opened):
    page = opened()
    assert [discs(page, name) for name in ("output", "seen", "rest")] == [1, 13, 22]
    assert hidden(page) == 4
    edges = [
        page.locator(f"path.aw-{name}").get_attribute("d").count("M")
        for name in ("weak", "strong")
    ]
    assert edges == [108 - 29, 29], "54 a layer; vector 11 sees no thirteenth input"
    assert steps(page) == ["1"] * 5 + ["2"]
    said = "Output 9 sees 8 of 12 inputs; the others are hatched."
    assert page.locator(".aw-out").inner_text() == said


def test_more_layers_see_more_until_no_input_is_hatched(opened):
    page = opened()
    for expected in (2, 0):
        slide(page, "layers", "ArrowRight")
        assert hidden(page) == expected
    layers = [
        name for name in page.locator("svg text").all_text_contents() if " " in name
    ]
    assert layers == ["layer 1", "layer 2", "layer 3", "layer 4"]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_click_above_a_place_chooses_its_output(opened, width):
    page = opened(width=width)
    ninth, twelfth = (
        page.locator(".aw-tick", has_text=each).bounding_box() for each in ("9", "12")
    )
    for x in (twelfth["x"] + twelfth["width"] / 2, ninth["x"] + ninth["width"] / 2):
        page.mouse.click(x, ninth["y"] - 120)
        value = page.locator(".aw-value").last.inner_text()
        assert page.locator(".aw-out").inner_text().startswith(f"Output {value} ")
    assert value == "9"
    page.mouse.click(twelfth["x"] + twelfth["width"] / 2, ninth["y"] - 120)
    page.wait_for_url("**#w=receptive-field&output=12")


def test_a_click_beside_the_places_chooses_none(opened):
    page = opened()
    page.get_by_text("layer 1").click()
    assert page.locator(".aw-value").last.inner_text() == "9"


def test_a_gru_runs_along_its_layers_one_step_after_another(opened):
    page = opened("#w=receptive-field&way=1&layers=2")
    assert steps(page) == [str(t) for t in [*range(1, 10), *range(2, 11)]]
    heads = page.locator("path.aw-strong").get_attribute("d").count("m-4 -3")
    assert heads == 2 * 8, "an arrow from each place to the next, in both layers"
    slide(page, "output", "Home")
    assert "m-4 -3" not in page.locator("path.aw-strong").get_attribute("d")


def test_the_table_says_each_step_and_what_is_not_seen(opened):
    page = opened()
    page.get_by_role("button", name="Show numbers").click()
    rows = page.get_by_role("row").all_inner_texts()
    assert rows[1].split("\t")[:2] == ["layer 2", "2 (not seen)"]
    assert rows[1].split("\t")[9] == "2"
