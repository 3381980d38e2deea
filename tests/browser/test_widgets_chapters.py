"""The widgets of the landing page and of the chapters: in their place and alive."""

import re

import pytest
from browser.hands import keys, middle, number, said, slide
from browser.pages import colours_of, seen
from playwright.sync_api import expect

ATTENTION, LOOK = "/chapters/02_attention.html", "/chapters/03_look_and_say.html"
LAYER, ORDER = "/chapters/04_attention_layer.html", "/chapters/06_order.html"


@pytest.fixture
def widget(site, open_page):
    """A figure on its page, shown without a prediction."""

    def of(path, link, **options):
        page = open_page(site + path, **options)
        host = page.locator(f'[data-attention-widget="{link}"]')
        host.locator(".aw-stage").wait_for(state="attached")
        shown = host.get_by_role("button", name="Show it without predicting")
        if shown.count():
            shown.click()
        return seen(host)

    return of


def numbers(host):
    return list(map(number, host.locator(".aw-number").all_inner_texts()))


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_landing_page_shows_attention_untrained_in_the_first_screen(
    widget, width, height
):
    host = widget("/intro.html", "first", width=width, height=height)
    box = host.locator(".aw-out").bounding_box()
    assert box["y"] > 0
    assert box["y"] + box["height"] <= height, "all but the two buttons below"
    assert host.page.evaluate("scrollY") == 0
    play, at = host.locator(".aw-play"), host.locator(".aw-value")
    assert (play.inner_text(), at.inner_text()) == ("▶ play", "0")
    play.click()
    host.get_by_text("(right)").wait_for()
    assert play.inner_text() in ("▶", "❚❚")
    assert at.inner_text() != "0"


def test_training_can_be_scrubbed_on_the_landing_page_until_words_find_theirs(widget):
    host, on_gold = widget("/intro.html", "first"), {}
    for key in ("Home", "End"):
        slide(host, "training", key)
        told = re.search(r"(0\.\d\d|1\.00) of the attention", said(host))
        on_gold[key] = float(told[1])
    assert on_gold["Home"] < 0.3 < 0.7 < on_gold["End"]
    assert "(right)" in host.inner_text(), (
        "the recorded model translates the sentence that the page opens with"
    )
    host.get_by_role("option", name="européen").hover()
    right = host.locator(".aw-is-right:not(.aw-sample)")
    assert right.all_inner_texts() == ["european"]
    assert re.search(r"européen looks (0\.\d\d|1\.00) at european", said(host))


def test_the_stepper_follows_the_step(widget):
    host = widget(ATTENTION, "stepper")
    text = host.locator(".aw-text").first
    for key, start in (("Home", "Written: nothing yet."), ("ArrowRight", "Written: l")):
        slide(host, "word", key)
        assert text.inner_text().startswith(start)
    weights = numbers(host.locator(".aw-panel-bars").first)
    assert sum(weights) == pytest.approx(1, abs=0.05)


# the closer look is shut, inside one more fold that is shut
SHUT = """() => {
  const look = document.querySelector("details.closer-look:has(.aw-host)");
  const outer = document.createElement("details");
  look.replaceWith(outer);
  outer.append(look);
  look.open = false;
  scrollTo(0, 0);
}"""


def test_a_link_opens_every_fold_around_its_figure_and_goes_there(site, open_page):
    page = open_page(f"{site}{ATTENTION}#w=own-sentence&weights=equal")
    typed = page.locator('[data-attention-widget="own-sentence"] input')
    expect(typed).to_be_in_viewport()
    page.evaluate(SHUT)
    expect(typed).not_to_be_visible()
    page.evaluate("location.hash = '#w=own-sentence&weights=shuffled'")
    expect(typed).to_be_in_viewport()


def test_each_score_function_has_its_own_map(widget):
    host = widget(ATTENTION, "scores")
    menu, maps = host.locator('select[data-control="model"]'), set()
    for k in range(menu.locator("option").count()):
        menu.select_option(index=k)
        maps.add(colours_of(host))
    assert len(maps) == 5


def test_the_mask_moves_with_the_word(widget):
    host, masks = widget(LOOK, "look"), set()
    host.locator("select").select_option(index=2)
    for key in ("Home", "ArrowRight"):
        slide(host, "word", key)
        masks.add(host.locator("canvas").first.evaluate("(it) => it.toDataURL()"))
    assert len(masks) == 2


def test_weights_saturate_without_the_root_and_the_marker_stands_where_it_is_said(
    widget,
):
    host = widget(LAYER, "saturation")
    menu = host.locator("select")
    for key, D, low, high in (("Home", "1", 0, 0.5), ("End", "512", 0.99, 1)):
        slide(host, "width D", key)
        menu.select_option(index=0)
        assert low < max(numbers(host)) <= high
        assert said(host).startswith(f"At D = {D} ")
        tick = host.locator(f'.aw-tick[text-anchor=middle]:text-is("{D}")')
        marker, _ = middle(host.locator(".aw-marker line"))
        assert marker == pytest.approx(middle(tick)[0], abs=2)
    menu.select_option(index=1)
    assert max(numbers(host)) < 0.8


def test_a_position_is_marked_in_the_map_and_on_the_curve(widget):
    host = widget(ORDER, "positions")
    before = colours_of(host)
    for key, column in (("Home", 0), ("End", 47)):
        slide(host, "position t", key)
        box = host.locator("canvas").bounding_box()
        x = box["x"] + (column + 0.5) * box["width"] / 48
        band, _ = middle(host.locator(".aw-band.aw-shown"))
        assert band == pytest.approx(x, abs=2)
    assert colours_of(host) == before, "the table is the same for every t"
    host.locator("select").select_option(index=4)
    assert colours_of(host) != before
    assert "Trained at positions 0 to 16 alone" in said(host)


def test_outputs_follow_a_dragged_word_unless_positions_are_added(widget):
    host = widget(ORDER, "shuffle")
    host.get_by_role("button", name="man, place 1 of 4").focus()
    for key, words in (("End", "bit old dog man"), ("ArrowLeft", "bit old man dog")):
        keys(host.page, key)
        names = host.locator("[data-row]").all_text_contents()
        assert names == [*words.split(), *words.split(), "mean"]
        assert numbers(host) == [0, 0]
    host.locator("select").select_option(index=1)
    assert min(numbers(host)) > 0.1
