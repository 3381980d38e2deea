"""The widgets of the landing page and of the chapters: in their place and alive."""

import re

import pytest
from browser.pages import colours_of, seen

ATTENTION, LOOK = "/chapters/02_attention.html", "/chapters/03_look_and_say.html"
LAYER, ORDER = "/chapters/04_attention_layer.html", "/chapters/06_order.html"


def widget(page, link):
    host = page.locator(f'[data-attention-widget="{link}"]')
    host.locator(".aw-stage").wait_for(state="attached")
    shown = host.get_by_role("button", name="Show it without predicting")
    if shown.count():
        shown.click()
    return seen(host)


def slide(host, name, key):
    host.locator(f'input[data-control="{name}"]').press(key)


def centre(node):
    box = node.bounding_box()
    return box["x"] + box["width"] / 2


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_landing_page_shows_attention_in_the_first_screen(
    site, open_page, width, height
):
    page = open_page(f"{site}/intro.html", width=width, height=height)
    read = widget(page, "first").locator(".aw-out")
    box = read.bounding_box()
    assert box["y"] > 0
    assert box["y"] + box["height"] <= height, "all but the two buttons below"
    assert page.evaluate("scrollY") == 0


def test_pointing_at_a_word_on_the_landing_page_lights_its_source(site, open_page):
    host = widget(open_page(f"{site}/intro.html"), "first")
    slide(host, "training", "End")
    host.get_by_role("option", name="européen").hover()
    assert host.locator(".aw-is-right:not(.aw-sample)").all_inner_texts() == [
        "european"
    ]
    assert re.search(
        r"européen looks (0\.\d\d|1\.00) at european",
        host.locator(".aw-out").inner_text(),
    )


def test_the_landing_page_opens_untrained_and_asks_for_play(site, open_page):
    host = widget(open_page(f"{site}/intro.html"), "first")
    play, at = host.locator(".aw-play"), host.locator(".aw-value")
    assert (play.inner_text(), at.inner_text()) == ("▶ play", "0")
    play.click()
    host.get_by_text("(right)").wait_for()
    assert play.inner_text() in ("▶", "❚❚")
    assert at.inner_text() != "0"


def test_training_can_be_scrubbed_on_the_landing_page(site, open_page):
    host = widget(open_page(f"{site}/intro.html"), "first")
    said = {}
    for key in ("Home", "End"):
        slide(host, "training", key)
        said[key] = host.locator(".aw-out").inner_text()
    on_gold = {
        key: float(re.search(r"(0\.\d\d|1\.00) of the attention", text)[1])
        for key, text in said.items()
    }
    assert on_gold["Home"] < 0.3 < 0.7 < on_gold["End"]
    assert "(right)" in host.inner_text(), (
        "the recorded model translates the sentence that the page opens with"
    )


def test_the_stepper_follows_the_step(site, open_page):
    host = widget(open_page(site + ATTENTION), "stepper")
    slide(host, "word", "Home")
    first = host.locator(".aw-text").first.inner_text()
    slide(host, "word", "ArrowRight")
    assert first.startswith("Written: nothing yet.")
    assert host.locator(".aw-text").first.inner_text().startswith("Written: l")
    weights = (
        host.locator(".aw-panel-bars").nth(0).locator(".aw-number").all_inner_texts()
    )
    assert sum(map(float, weights)) == pytest.approx(1, abs=0.05)


def test_each_score_function_has_its_own_map(site, open_page):
    host = widget(open_page(site + ATTENTION), "scores")
    menu, seen = host.locator('select[data-control="model"]'), set()
    for k in range(menu.locator("option").count()):
        menu.select_option(index=k)
        seen.add(colours_of(host))
    assert len(seen) == 5


def test_the_mask_moves_with_the_word(site, open_page):
    host = widget(open_page(site + LOOK), "look")
    host.locator("select").select_option(index=2)
    pixels = []
    for key in ("Home", "ArrowRight"):
        slide(host, "word", key)
        pixels.append(
            host.locator("canvas").first.evaluate("(canvas) => canvas.toDataURL()")
        )
    assert pixels[0] != pixels[1]


def test_weights_saturate_without_the_root_and_the_marker_stands_where_it_is_said(
    site, open_page
):
    host = widget(open_page(site + LAYER), "saturation")
    marker, out = host.locator(".aw-marker line"), host.locator(".aw-out")
    ticks = {"Home": ("1", 0.5), "End": ("512", 0.99)}
    for key, (D, least) in ticks.items():
        slide(host, "width D", key)
        host.locator("select").select_option(index=0)
        weights = [float(x) for x in host.locator(".aw-number").all_inner_texts()]
        assert (max(weights) > least) == (key == "End")
        assert out.inner_text().startswith(f"At D = {D} ")
        tick = host.locator(f'.aw-tick[text-anchor=middle]:text-is("{D}")')
        assert centre(marker) == pytest.approx(centre(tick), abs=2)
    host.locator("select").select_option(index=1)
    assert max(map(float, host.locator(".aw-number").all_inner_texts())) < 0.8


def test_a_position_is_marked_in_the_map_and_on_the_curve(site, open_page):
    host = widget(open_page(site + ORDER), "positions")
    band, canvas = host.locator(".aw-band.aw-shown"), host.locator("canvas")
    before = colours_of(host)
    for key, column in (("Home", 0), ("End", 47)):
        slide(host, "position t", key)
        box = canvas.bounding_box()
        x = box["x"] + (column + 0.5) * box["width"] / 48
        assert centre(band) == pytest.approx(x, abs=2)
    assert colours_of(host) == before, "the table is the same for every t"
    host.locator("select").select_option(index=4)
    assert colours_of(host) != before
    assert "Trained at positions 0 to 16 alone" in host.locator(".aw-out").inner_text()


def test_outputs_follow_a_dragged_word_unless_positions_are_added(site, open_page):
    page = open_page(site + ORDER)
    host = widget(page, "shuffle")
    norms, rows = host.locator(".aw-number"), host.locator("[data-row]")
    host.get_by_role("button", name="man, place 1 of 4").focus()
    for key, words in (
        ("End", ["bit", "old", "dog", "man"]),
        ("ArrowLeft", ["bit", "old", "man", "dog"]),
    ):
        page.keyboard.press(key)
        assert rows.all_text_contents() == [*words, *words, "mean"]
        assert norms.all_inner_texts() == ["0.000", "0.000"]
    host.locator("select").select_option(index=1)
    assert min(map(float, norms.all_inner_texts())) > 0.1
