"""The widgets of the page "Reading the figures" work without a kernel."""

import gzip
import re

import pytest
from browser.hands import away, choose, keys, press, rows, said, slide
from browser.pages import OPEN, cell_of, colours_of, faults, seen

from attention_book.widgets.compose import HERE

GALLERY = "/pages/reading-the-figures.html"
STORED = "JSON.stringify([localStorage, sessionStorage, document.cookie])"
CLICK = "document.querySelectorAll('{}').forEach((button) => button.click())"
SHOW_ALL = CLICK.format(".aw-choices button, .aw-options button")
SHOW_NUMBERS = CLICK.format(".aw [aria-expanded]")

both_widths = pytest.mark.parametrize("width", [390, 1280])


@pytest.fixture
def opened(site, open_page):
    return lambda at="", **options: open_page(site + GALLERY + at, **options)


@pytest.fixture
def gallery(opened):
    page = opened()
    page.wait_for_selector("[data-attention-mounted] .aw-stage")
    return page


def widget(page, link):
    return seen(page.locator(f'[data-attention-widget="{link}"]'))


def value(host):
    return host.locator(".aw-value").text_content()  # drawn or not


def at(page, fragment):
    """Wait until the address ends so."""
    page.wait_for_url(re.compile(re.escape(fragment) + "$"))


def test_every_widget_is_alive_and_every_kind_of_panel_is_shown(gallery):
    hosts = gallery.locator("[data-attention-widget]")
    assert hosts.count() >= 5
    assert hosts.locator(".aw-foot button").count() >= hosts.count()
    alive = "[data-attention-widget]:has(.aw-stage, button.aw-option)"
    assert gallery.locator(alive).count() == hosts.count()
    assert gallery.locator(".aw-error").count() == 0
    panels = (HERE / "js" / "panels.mjs").read_text("utf-8")
    kinds = re.search(r"PANELS = \{(.*?)\}", panels)[1]
    for kind in re.findall(r"(\w+)(?:: \w+)?", kinds):
        assert gallery.locator(f".aw-panel-{kind}").count() >= 1, kind
    gallery.evaluate(OPEN)  # the reader's own function stands in a closer look
    host = seen(gallery.locator("[data-attention-live]"))
    assert "bread eating are we" in host.inner_text()
    before = colours_of(widget(gallery, "alignment"))
    gallery.evaluate("document.documentElement.dataset.theme = 'dark'")
    gallery.wait_for_function(
        "(old) => document.querySelector('[data-attention-widget=alignment] "
        "canvas').toDataURL() !== old",
        arg=before,
    )


def test_it_works_from_a_file(site_folder, open_page):
    page = open_page((site_folder / GALLERY.strip("/")).as_uri())
    slide(widget(page, "alignment"), "step", "Home")
    assert value(widget(page, "alignment")) == "0"
    at(page, "#w=alignment&step=0")


STARTS = "(all) => all.map((one) => one.getAttribute('d').split('C')[0])"


def test_pointing_at_words_and_cells_lights_and_reads_them_in_every_panel(gallery):
    host = widget(gallery, "alignment")
    host.get_by_role("option", name="pan").hover()
    assert host.locator(".aw-band.aw-shown").count() == 1
    dim, lit = (
        set(host.locator(f".aw-arc{which}").evaluate_all(STARTS))
        for which in (".aw-dim", ":not(.aw-dim)")
    )
    assert dim
    assert len(lit) == 1
    assert not dim & lit
    assert host.locator(".aw-label.aw-on").all_text_contents() == ["pan", "pan"]
    gallery.mouse.move(*cell_of(host, 1, 2))
    gold = r"comiendo attends 0\.\d\d to eating \(true alignment\)"
    assert re.fullmatch(gold, said(host))
    words = host.locator(".aw-token.aw-on")
    assert words.all_inner_texts() == ["eating", "comiendo"]
    away(gallery)
    assert words.count() == 0
    host.locator('[aria-roledescription="heat map"]').focus()
    keys(gallery, "ArrowDown", "ArrowDown", "End")
    assert re.fullmatch(r"comiendo attends 0\.\d\d to bread", said(host))
    assert host.locator(".aw-ring.aw-shown").count() == 1
    spotlight = widget(gallery, "spotlight")
    spotlight.get_by_role("option", name="pan").hover()
    most = r"pan attends 0\.\d\d to bread, the most of all"
    assert re.fullmatch(most, said(spotlight))
    right = spotlight.locator(".aw-is-right:not(.aw-sample)")
    assert right.all_inner_texts() == ["bread"]


def test_a_slider_moves_every_panel_by_key_and_by_play_until_it_is_reset(gallery):
    host = widget(gallery, "alignment")
    arc = host.locator(".aw-arc").first
    before = colours_of(host), arc.get_attribute("style")
    slide(host, "step", "Home")
    after = colours_of(host), arc.get_attribute("style")
    assert all(x != y for x, y in zip(before, after, strict=True))
    play = host.get_by_role("button", name="Play step")
    play.click()
    host.get_by_role("button", name="Pause step").wait_for()
    host.locator(".aw-value", has_text="800").wait_for()
    play.wait_for()
    assert value(host) == "800"
    at(gallery, "#w=alignment&step=800")
    other = widget(gallery, "dilution")
    choose(other, temperature="0.25")
    at(gallery, "#w=alignment&step=800&w=dilution&temperature=0.25")
    assert value(host) == "800"
    for each in (host, other):
        press(each, "Reset")
    assert value(host) == "400"
    gallery.wait_for_function("!location.hash")


def test_a_marker_follows_its_control_and_its_plot_which_the_table_spells_out(gallery):
    host = widget(gallery, "dilution")
    line = "At number of inputs 12: 0.25: 0.83, 0.5: 0.40, 1: 0.20."
    assert said(host) == line
    box = host.locator(".aw-plot svg").bounding_box()
    host.locator(".aw-plot svg").click(
        position={"x": box["width"] - 14, "y": box["height"] / 2}
    )
    assert value(host) == "40"
    for key, expected in (("PageDown", None), ("Home", "2"), ("ArrowRight", "3")):
        slide(host, "inputs", key)
        now = value(host)
        assert (float(now) < 40) if expected is None else (now == expected)
    slider = host.locator("input[type=range]")
    assert slider.get_attribute("aria-valuetext") == "3"
    table = rows(host)
    heads = host.locator("thead th").all_inner_texts()
    assert heads == ["number of inputs", "0.25", "0.5", "0.5, low", "0.5, high", "1"]
    assert len(table) == 39
    assert table[10] == ["12", "0.83", "0.40", "0.36", "0.44", "0.20"]
    press(host, "Hide numbers")
    assert not host.locator("table").is_visible()
    computed = widget(gallery, "temperature")
    for key, softmax in (
        ("Home", ["0.00", "0.00", "1.00", "0.00"]),
        ("End", ["0.23", "0.24", "0.30", "0.23"]),
    ):
        computed.locator("input[type=range]").press(key)
        assert computed.locator(".aw-number").all_inner_texts() == softmax


def test_the_address_opens_a_state_and_can_change_while_open(opened):
    page = opened("#w=dilution&inputs=30&temperature=0.5&w=alignment&step=999&word=3")
    assert value(widget(page, "dilution")) == "30"
    assert widget(page, "dilution").locator("select").input_value() == "1"
    assert value(widget(page, "alignment")) == "400"  # 999 is no value of it
    page.evaluate("location.hash = '#w=alignment&step=100'")
    step = widget(page, "alignment").locator(".aw-value:text-is('100')")
    step.wait_for()
    assert value(widget(page, "dilution")) == "12"


def test_an_ordinary_anchor_leaves_widgets_and_address_alone(opened):
    page = opened("#curves")
    assert value(widget(page, "dilution")) == "12"
    page.wait_for_timeout(300)
    assert page.url.endswith("#curves")


def test_a_tap_reads_a_cell_and_the_page_can_still_be_scrolled_from_it(opened):
    page = opened(width=390, has_touch=True)
    host = widget(page, "alignment")
    page.touchscreen.tap(*cell_of(host, 0, 0))
    assert said(host).startswith("estamos attends")
    touch = "(node) => getComputedStyle(node).touchAction"
    assert "pan-y" in host.locator(".aw-frame").first.evaluate(touch)


def heights(page, css):
    return [each.bounding_box()["height"] for each in page.locator(css).all()]


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_mounting_moves_nothing_and_questions_stand_at_their_height(
    site, open_page, width
):
    before, after = [], []
    for found, come in ((before, False), (after, True)):
        page = open_page("about:blank", width=width)
        if not come:
            page.route(
                "**/attention-widgets.js*",
                lambda route: route.fulfill(body="", content_type="text/javascript"),
            )
        page.goto(site + GALLERY)
        assert bool(page.locator(".aw-stage").count()) == come
        assert page.locator("button.aw-option").count() == (9 if come else 0)
        found += heights(page, "[data-attention-widget]")
        asked = ":is(:has(.aw-ask), [data-attention-widget=shifted])"
        questions = heights(page, f"[data-attention-widget]{asked}")
        assert len(questions) == 2
        found += questions
    assert after[-2:] == before[-2:]
    assert [max(0, y - x) for x, y in zip(before, after, strict=True)] == [0] * len(
        after
    )


IN_VAIN = """(node) => {
  const reserved = node.offsetHeight, kept = node.style.minHeight;
  node.style.minHeight = 0;
  const drawn = node.offsetHeight;
  node.style.minHeight = kept;
  return reserved - drawn;
}"""


@both_widths
def test_a_figure_keeps_its_height_at_every_setting_and_reserves_little(opened, width):
    page = opened(width=width)
    for host in page.locator("[data-attention-widget] .aw").all():
        assert host.evaluate(IN_VAIN) <= 60
    page.evaluate(SHOW_ALL)
    for host in page.locator("[data-attention-widget]").all():
        for control in host.locator("input[type=range], select").all():
            found = set()
            for key in ("Home", "End"):
                control.press(key)
                found.add(host.evaluate("(node) => node.offsetHeight"))
            assert len(found) == 1, host.get_attribute("data-attention-widget")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@both_widths
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(
    opened, axe, scheme, width
):
    page = opened(width=width, color_scheme=scheme)
    for show in ("null", SHOW_ALL, SHOW_NUMBERS):
        page.evaluate(show)
        assert faults(page, axe) == {}
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    grounds = page.locator(".text_html:has(> .aw-host)").evaluate_all(
        "(all) => all.map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert set(grounds) == {"rgba(0, 0, 0, 0)"}, "a dark page stays dark behind them"


def test_reduced_motion_is_kept(opened):
    page = opened(reduced_motion="reduce")
    bar = widget(page, "temperature").locator(".aw-bar").first
    moves = bar.evaluate("(node) => getComputedStyle(node).transitionDuration")
    assert moves in ("0s", "")


def test_script_and_style_are_light_and_shared_where_there_are_widgets(site_folder):
    script = (site_folder / "_static" / "attention-widgets.js").read_bytes()
    # sixteen kinds of panel and the questions, on every page with a widget
    assert len(gzip.compress(script)) <= 45_000
    html = (site_folder / GALLERY.strip("/")).read_text(encoding="utf-8")
    assert len(re.findall(r"<script[^>]* src=\S*attention-widgets\.js", html)) == 1
    for unwanted in (
        "attention-widget:inline",
        "html-manager",
        "widget-state+json",
        "widget-view+json",
    ):
        assert unwanted not in html
    pages = {path: path.read_text("utf-8") for path in site_folder.rglob("*.html")}
    without = {path: text for path, text in pages.items() if "aw-host" not in text}
    assert without
    assert [path for path, text in without.items() if "attention-widgets" in text] == []


@pytest.mark.parametrize("from_disk", [False, True])
def test_quick_questions_are_answered_on_the_page(
    site, site_folder, open_page, from_disk
):
    page = open_page((site_folder.as_uri() if from_disk else site) + GALLERY)
    stored = page.evaluate(STORED)
    questions = page.get_by_role("group", name="Quick questions")
    group = questions.get_by_role("group", name="A[2, 3] is 0.83. Who looks at what?")
    group.get_by_role("button", name="Input 3 looks at query 2").press("Enter")
    because = group.locator(".aw-because").nth(1).inner_text()
    assert because.startswith("Not quite. Inputs are looked at.")
    questions.get_by_role("button", name="Those of a row").press("Enter")
    score = questions.get_by_role("status").inner_text()
    assert score == "1 of 2 right at the first try"
    assert page.evaluate(STORED) == stored


def test_a_figure_that_waits_shows_itself_after_a_prediction_or_by_its_link(opened):
    page = opened()
    host = widget(page, "shifted")
    slider, line = host.locator("input[type=range]"), host.locator(".aw-verdict p")
    assert not slider.is_visible()
    press(host, "bread")
    told = "You predicted bread. It is none of them: the softmax"
    assert line.inner_text().startswith(told)
    numbers = host.locator(".aw-panel-bars").nth(1).locator(".aw-number")
    before = numbers.all_inner_texts()
    slider.press("Home")
    assert numbers.all_inner_texts() == before, "as the page says"
    at(page, "#w=shifted&added=0")
    host = widget(opened("#w=shifted&added=3"), "shifted")
    assert value(host) == "3"
    assert host.locator(".aw-verdict p").inner_text().startswith("It is none of them:")


def test_without_javascript_the_page_says_what_is_shown_and_answered(opened):
    page = opened(java_script_enabled=False)
    first = seen(page.locator(".aw-ask").first)
    assert "hands out one whole" not in first.inner_text()
    first.locator("summary").click()
    whole = "A row is one query, and it hands out one whole."
    assert f"Those of a row: Right. {whole}" in first.inner_text()
    for link, *lines in (
        (
            "shifted",
            "Which word gets more weight? eating / bread / none of them",
            "It is none of them: the softmax sees only",
            "weights: we 0.05",
        ),
        ("alignment", "step: 400", "comiendo attends"),
    ):
        shown = widget(page, link).inner_text()
        for line in lines:
            assert line in shown
