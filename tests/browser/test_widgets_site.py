"""The widgets of the page "Reading the figures" work without a kernel."""

import gzip
import re

import pytest
from browser.pages import OPEN, cell_of, colours_of, seen

from attention_book.widgets.compose import HERE

GALLERY = "/pages/reading-the-figures.html"
READOUT = ".aw-out"
STORED = "JSON.stringify([localStorage, sessionStorage, document.cookie])"
CLICK = "document.querySelectorAll('{}').forEach((button) => button.click())"
SHOW_ALL = CLICK.format(".aw-choices button, .aw-options button")
SHOW_NUMBERS = CLICK.format(".aw [aria-expanded]")


@pytest.fixture
def gallery(site, open_page):
    page = open_page(site + GALLERY)
    page.wait_for_selector("[data-attention-mounted] .aw-stage")
    return page


def widget(page, link):
    return seen(page.locator(f'[data-attention-widget="{link}"]'))


def test_every_widget_of_the_page_is_alive(gallery):
    hosts = gallery.locator("[data-attention-widget]")
    assert hosts.count() >= 5
    assert (
        gallery.locator("[data-attention-widget] .aw-foot button").count()
        >= hosts.count()
    )
    alive = gallery.locator(
        "[data-attention-widget]:has(.aw-stage), "
        "[data-attention-widget]:has(button.aw-option)"
    )
    assert alive.count() == hosts.count()
    assert gallery.locator(".aw-error").count() == 0


def test_every_kind_of_panel_is_shown(gallery):
    kinds = re.search(
        r"PANELS = \{(.*?)\}", (HERE / "js" / "panels.mjs").read_text("utf-8")
    )[1]
    for kind in re.findall(r"(\w+)(?:: \w+)?", kinds):
        assert gallery.locator(f".aw-panel-{kind}").count() >= 1, kind


def test_the_spotlight_lights_what_a_word_looks_at(gallery):
    host = widget(gallery, "spotlight")
    host.get_by_role("option", name="pan").hover()
    assert re.fullmatch(
        r"pan attends 0\.\d\d to bread, the most of all",
        host.locator(READOUT).inner_text(),
    )
    assert host.locator(".aw-is-right:not(.aw-sample)").all_inner_texts() == ["bread"]


def test_it_works_from_a_file(site_folder, open_page):
    page = open_page((site_folder / GALLERY.strip("/")).as_uri())
    slider = widget(page, "alignment").locator("input[type=range]")
    slider.focus()
    slider.press("Home")
    assert widget(page, "alignment").locator(".aw-value").inner_text() == "0"
    page.wait_for_url(re.compile("#w=alignment&step=0$"))


def test_the_slider_moves_every_panel(gallery):
    host = widget(gallery, "alignment")
    arc = host.locator(".aw-arc").first
    before = colours_of(host), arc.get_attribute("style")
    host.locator("input[type=range]").press("Home")
    after = colours_of(host), arc.get_attribute("style")
    assert all(x != y for x, y in zip(before, after, strict=True))


STARTS = "(all) => all.map((one) => one.getAttribute('d').split('C')[0])"


def test_pointing_at_a_word_lights_it_up_in_every_panel(gallery):
    host = widget(gallery, "alignment")
    host.get_by_role("option", name="pan").hover()
    assert host.locator(".aw-band.aw-shown").count() == 1
    starts = [
        set(host.locator(f".aw-arc{which}").evaluate_all(STARTS))
        for which in (".aw-dim", ":not(.aw-dim)")
    ]
    assert starts[0]
    assert len(starts[1]) == 1
    assert not starts[0] & starts[1]
    assert host.locator(".aw-label.aw-on").all_text_contents() == ["pan", "pan"]


def test_pointing_at_a_cell_reads_it_and_lights_both_words(gallery):
    host = widget(gallery, "alignment")
    gallery.mouse.move(*cell_of(host, 1, 2))
    assert re.fullmatch(
        r"comiendo attends 0\.\d\d to eating \(true alignment\)",
        host.locator(READOUT).inner_text(),
    )
    assert host.locator(".aw-token.aw-on").all_inner_texts() == ["eating", "comiendo"]
    gallery.mouse.move(2, 2)
    assert host.locator(".aw-token.aw-on").count() == 0


def test_the_cells_can_be_walked_by_keyboard(gallery):
    host = widget(gallery, "alignment")
    frame = host.locator('[aria-roledescription="heat map"]')
    frame.focus()
    for key in ("ArrowDown", "ArrowDown", "End"):
        frame.press(key)
    assert host.locator(READOUT).inner_text().startswith("comiendo attends")
    assert host.locator(READOUT).inner_text().endswith("to bread")
    assert host.locator(".aw-ring.aw-shown").count() == 1


def test_the_controls_obey_home_end_and_page_keys(gallery):
    slider = widget(gallery, "dilution").locator("input[type=range]")
    value = widget(gallery, "dilution").locator(".aw-value")
    for key, expected in (
        ("End", "40"),
        ("PageDown", None),
        ("Home", "2"),
        ("ArrowRight", "3"),
    ):
        slider.press(key)
        assert expected is None or value.inner_text() == expected
    assert slider.get_attribute("aria-valuetext") == "3"


def test_the_marker_follows_its_control_and_the_plot_can_move_it(gallery):
    host = widget(gallery, "dilution")
    assert (
        host.locator(READOUT).inner_text()
        == "At number of inputs 12: 0.25: 0.83, 0.5: 0.40, 1: 0.20."
    )
    plot = host.locator(".aw-plot svg")
    box = plot.bounding_box()
    plot.click(position={"x": box["width"] - 14, "y": box["height"] / 2})
    assert host.locator(".aw-value").inner_text() == "40"


def test_computing_in_the_browser_gives_the_softmax(gallery):
    host = widget(gallery, "temperature")
    slider = host.locator("input[type=range]")
    slider.press("Home")
    assert host.locator(".aw-number").all_inner_texts() == [
        "0.00",
        "0.00",
        "1.00",
        "0.00",
    ]
    slider.press("End")
    assert host.locator(".aw-number").all_inner_texts() == [
        "0.23",
        "0.24",
        "0.30",
        "0.23",
    ]


def test_the_numbers_are_there_as_real_tables(gallery):
    host = widget(gallery, "dilution")
    button = host.get_by_role("button", name="Show numbers")
    button.click()
    table = host.locator("table")
    assert table.locator("thead th").all_inner_texts() == [
        "number of inputs",
        "0.25",
        "0.5",
        "0.5, low",
        "0.5, high",
        "1",
    ]
    assert table.locator("tbody tr").count() == 39
    assert table.locator("tbody tr").nth(10).locator("th, td").all_inner_texts() == [
        "12",
        "0.83",
        "0.40",
        "0.36",
        "0.44",
        "0.20",
    ]
    host.get_by_role("button", name="Hide numbers").click()
    assert not table.is_visible()


def test_reset_restores_the_opening_state_and_clears_the_address(gallery):
    host = widget(gallery, "alignment")
    host.locator("input[type=range]").press("End")
    gallery.wait_for_url(re.compile("#w=alignment&step=800$"))
    host.get_by_role("button", name="Reset").click()
    assert host.locator(".aw-value").inner_text() == "400"
    gallery.wait_for_url(re.compile("[^#]*$"))


def test_play_runs_to_the_end_and_stops(gallery):
    host = widget(gallery, "alignment")
    host.locator("input[type=range]").press("Home")
    host.get_by_role("button", name="Play step").click()
    host.get_by_role("button", name="Pause step").wait_for()
    host.locator(".aw-value", has_text="800").wait_for()
    host.get_by_role("button", name="Play step").wait_for()
    assert host.locator(".aw-value").inner_text() == "800"


def test_the_address_opens_a_state_and_can_change_while_open(site, open_page):
    page = open_page(
        f"{site}{GALLERY}#w=dilution&inputs=30&temperature=0.5&w=alignment&step=999&word=3"
    )
    assert widget(page, "dilution").locator(".aw-value").inner_text() == "30"
    assert widget(page, "dilution").locator("select").input_value() == "1"
    assert (
        widget(page, "alignment").locator(".aw-value").inner_text() == "400"
    )  # 999 is no value of it
    page.evaluate("location.hash = '#w=alignment&step=100'")
    page.wait_for_function(
        "document.querySelector('[data-attention-widget=alignment] "
        ".aw-value').innerText === '100'"
    )
    assert widget(page, "dilution").locator(".aw-value").inner_text() == "12"


def test_an_ordinary_anchor_leaves_widgets_and_address_alone(site, open_page):
    page = open_page(f"{site}{GALLERY}#curves")
    assert widget(page, "dilution").locator(".aw-value").inner_text() == "12"
    page.wait_for_timeout(300)
    assert page.url.endswith("#curves")


def test_two_widgets_share_the_address(gallery):
    widget(gallery, "alignment").locator("input[type=range]").press("End")
    widget(gallery, "dilution").locator("select").select_option(label="0.25")
    gallery.wait_for_url(
        re.compile("#w=alignment&step=800&w=dilution&temperature=0.25$")
    )
    assert widget(gallery, "alignment").locator(".aw-value").inner_text() == "800"


def test_a_tap_reads_a_cell_and_the_page_can_still_be_scrolled_from_it(site, open_page):
    page = open_page(site + GALLERY, width=390, has_touch=True)
    host = widget(page, "alignment")
    page.touchscreen.tap(*cell_of(host, 0, 0))
    assert host.locator(READOUT).inner_text().startswith("estamos attends")
    touch = host.locator(".aw-frame").first.evaluate(
        "(node) => getComputedStyle(node).touchAction"
    )
    assert "pan-y" in touch


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_page(site, open_page, width):
    page = open_page(site + GALLERY, width=width)
    for show in ("null", SHOW_ALL, SHOW_NUMBERS):
        page.evaluate(show)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def before_or_after(open_page, url, width, come):
    """Open a page whose widgets' script has not come yet, or has."""
    page = open_page("about:blank", width=width)
    if not come:
        page.route(
            "**/attention-widgets.js*",
            lambda route: route.fulfill(body="", content_type="text/javascript"),
        )
    page.goto(url)
    return page


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_mounting_moves_nothing(site, open_page, width):
    heights = []
    for come in (False, True):
        page = before_or_after(open_page, site + GALLERY, width, come)
        hosts = page.locator("[data-attention-widget]")
        assert bool(page.locator(".aw-stage").count()) == come
        heights.append([host.bounding_box()["height"] for host in hosts.all()])
    reserved, drawn = heights
    assert [
        max(0, after - before) for before, after in zip(reserved, drawn, strict=True)
    ] == [0] * len(drawn)


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_questions_stand_at_their_height_before_the_script_has_come(
    site, open_page, width
):
    heights = []
    for come in (False, True):
        page = before_or_after(open_page, site + GALLERY, width, come)
        host = page.locator(
            "[data-attention-widget]:has(.aw-ask), [data-attention-widget=shifted]"
        )
        assert page.locator("button.aw-option").count() == (9 if come else 0)
        heights.append([each.bounding_box()["height"] for each in host.all()])
    assert heights[0] == heights[1]
    assert len(heights[0]) == 2


@pytest.mark.parametrize("width", [390, 1280])
def test_little_room_is_reserved_in_vain(site, open_page, width):
    page = open_page(site + GALLERY, width=width)
    for host in page.locator("[data-attention-widget] .aw").all():
        reserved = host.bounding_box()["height"]
        drawn = host.evaluate(
            "(node) => ((node.style.minHeight = 0), node.offsetHeight)"
        )
        assert reserved - drawn <= 60


@pytest.mark.parametrize("width", [390, 1280])
def test_a_figure_keeps_its_height_at_every_setting(site, open_page, width):
    page = open_page(site + GALLERY, width=width)
    page.evaluate(SHOW_ALL)
    for host in page.locator("[data-attention-widget]").all():
        for control in host.locator("input[type=range], select").all():
            heights = set()
            for key in ("Home", "End"):
                control.press(key)
                heights.add(host.evaluate("(node) => node.offsetHeight"))
            assert len(heights) == 1, (
                f"{host.get_attribute('data-attention-widget')}: {heights}"
            )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_in_the_widgets(site, open_page, axe, scheme, width):
    page = open_page(site + GALLERY, width=width, color_scheme=scheme)
    page.evaluate(axe)
    for show in ("null", SHOW_ALL, SHOW_NUMBERS):
        page.evaluate(show)
        found = page.evaluate("axe.run({ include: ['.aw-host'] }, { preload: false })")[
            "violations"
        ]
        assert [
            (each["id"], [node["html"][:120] for node in each["nodes"]])
            for each in found
        ] == []


def test_the_theme_switch_repaints_the_map(gallery):
    host = widget(gallery, "alignment")
    before = colours_of(host)
    gallery.evaluate("document.documentElement.dataset.theme = 'dark'")
    gallery.wait_for_function(
        "(old) => document.querySelector('[data-attention-widget=alignment] "
        "canvas').toDataURL() !== old",
        arg=before,
    )


def test_a_dark_page_stays_dark_behind_the_widgets(site, open_page):
    page = open_page(site + GALLERY, color_scheme="dark")
    grounds = page.locator(".text_html:has(> .aw-host)").evaluate_all(
        "(all) => all.map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert set(grounds) == {"rgba(0, 0, 0, 0)"}


def test_reduced_motion_is_kept(site, open_page):
    page = open_page(site + GALLERY, reduced_motion="reduce")
    bar = widget(page, "temperature").locator(".aw-bar").first
    assert bar.evaluate("(node) => getComputedStyle(node).transitionDuration") in (
        "0s",
        "",
    )


def test_script_and_style_are_light_and_shared(site, site_folder, open_page):
    script = (site_folder / "_static" / "attention-widgets.js").read_bytes()
    assert (
        len(gzip.compress(script)) <= 45_000
    )  # sixteen kinds of panel and the questions, on every page with a widget
    page = open_page(site + GALLERY)
    assert page.locator('script[src*="attention-widgets.js"]').count() == 1
    html = (site_folder / GALLERY.strip("/")).read_text(encoding="utf-8")
    for unwanted in (
        "attention-widget:inline",
        "html-manager",
        "widget-state+json",
        "widget-view+json",
    ):
        assert unwanted not in html


def test_a_page_without_widgets_loads_neither(site_folder):
    pages = [
        path
        for path in site_folder.rglob("*.html")
        if "aw-host" not in path.read_text(encoding="utf-8")
    ]
    assert pages
    for path in pages:
        assert "attention-widgets" not in path.read_text(encoding="utf-8"), path


def test_a_figure_of_the_readers_own_function_shows_a_result(gallery):
    gallery.evaluate(OPEN)  # it stands in a closer look
    host = seen(gallery.locator("[data-attention-live]"))
    assert "bread eating are we" in host.inner_text()


def questions(page):
    return page.get_by_role("group", name="Quick questions")


@pytest.mark.parametrize("from_disk", [False, True])
def test_quick_questions_are_answered_on_the_page(
    site, site_folder, open_page, from_disk
):
    page = open_page(
        (site_folder / GALLERY.strip("/")).as_uri() if from_disk else site + GALLERY
    )
    stored = page.evaluate(STORED)
    group = questions(page).get_by_role(
        "group", name="A[2, 3] is 0.83. Who looks at what?"
    )
    group.get_by_role("button", name="Input 3 looks at query 2").press("Enter")
    assert (
        group.locator(".aw-because")
        .all_inner_texts()[1]
        .startswith("Not quite. Inputs are looked at.")
    )
    questions(page).get_by_role("button", name="Those of a row").press("Enter")
    assert (
        questions(page).get_by_role("status").inner_text()
        == "1 of 2 right at the first try"
    )
    assert page.evaluate(STORED) == stored


def test_a_figure_that_waits_shows_itself_after_a_prediction(gallery):
    host = widget(gallery, "shifted")
    assert not host.locator("input[type=range]").is_visible()
    host.get_by_role("button", name="bread").click()
    assert (
        host.locator(".aw-verdict p")
        .inner_text()
        .startswith("You predicted bread. It is none of them: the softmax")
    )
    numbers = host.locator(".aw-panel-bars").nth(1).locator(".aw-number")
    before = numbers.all_inner_texts()
    host.locator("input[type=range]").press("Home")
    assert numbers.all_inner_texts() == before, "as the page says"
    gallery.wait_for_url(re.compile("#w=shifted&added=0$"))


def test_a_shared_state_of_a_figure_that_waits_is_shown(site, open_page):
    host = widget(open_page(f"{site}{GALLERY}#w=shifted&added=3"), "shifted")
    assert host.locator(".aw-value").inner_text() == "3"
    assert host.locator(".aw-verdict p").inner_text().startswith("It is none of them:")


def test_without_javascript_the_questions_can_be_read_with_their_answers(
    site, open_page
):
    page = open_page(site + GALLERY, java_script_enabled=False)
    first = seen(page.locator(".aw-ask").first)
    assert "hands out one whole" not in first.inner_text()
    first.locator("summary").click()
    assert (
        "Those of a row: Right. A row is one query, and it hands out one whole."
        in first.inner_text()
    )
    waiting = widget(page, "shifted").inner_text()
    assert "Which word gets more weight? eating / bread / none of them" in waiting
    assert "It is none of them: the softmax sees only" in waiting
    assert "weights: we 0.05" in waiting


def test_without_javascript_the_page_says_what_is_shown(site, open_page):
    page = open_page(site + GALLERY, java_script_enabled=False)
    said = widget(page, "alignment").inner_text()
    assert "step: 400" in said
    assert "comiendo attends" in said
