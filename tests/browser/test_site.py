"""Every page of the book is silent, self-contained, light, steady and accessible."""

import gzip
import http.server
import json
import re
import threading
from dataclasses import fields
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from browser.pages import CHAPTERS, PAGES, ROOT, SHIFT, WITH_WIDGETS, WRITTEN

from attention_book.claims import Claim

KILOBYTE = 1000


def test_there_are_pages():
    assert {"intro.html", "chapters/01_bottleneck.html"} < {*WRITTEN}
    assert "intro.html" in WITH_WIDGETS


ICONS = """() => [...document.querySelectorAll("[class*='fa-']")].map(node => {
  const { content, fontFamily } = getComputedStyle(node, "::before");
  return [node.className, content, fontFamily];
})"""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_silent_light_and_misses_nothing_and_no_icon(page, site, open_page):
    heard, answers = [], []
    opened = open_page("about:blank")
    opened.on("console", lambda message: heard.append(message.text))
    # not `answers.append` itself: Playwright sets an attribute on what it is given
    opened.on("response", lambda response: answers.append(response))  # noqa: PLW0108
    opened.goto(f"{site}/{page}")
    opened.wait_for_load_state("networkidle")
    assert heard == []
    assert [(each.status, each.url) for each in answers if each.status >= 400] == []
    assert not [each.url for each in answers if "fontawesome" in each.url]
    if page in WRITTEN:
        loaded = [each for each in answers if each.ok]
        sizes = [len(gzip.compress(each.body())) for each in loaded]
        kinds = [each.request.resource_type for each in loaded]
        both = zip(sizes, kinds, strict=True)
        scripts = sum(size for size, kind in both if kind == "script")
        assert 0 < scripts <= 90 * KILOBYTE
        assert sum(sizes) <= 400 * KILOBYTE
        icons = opened.evaluate(ICONS)
        assert len(icons) >= 8
        for name, content, family in icons:
            assert content not in ("none", "normal"), name
            assert "Font Awesome" in family, name


@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_works_straight_from_disk(page, site_folder, open_page):
    opened = open_page((site_folder / page).as_uri())
    opened.wait_for_timeout(200)
    # open_page fails the test on errors and requests elsewhere
    assert opened.locator("h1").first.inner_text()


@pytest.mark.parametrize("page", WRITTEN)
def test_pictures_that_come_late_move_nothing(page, site, open_page):
    opened = open_page("about:blank")

    def late(route):
        opened.wait_for_timeout(300)
        route.continue_()

    opened.route("**/_images/*", late)
    opened.goto(f"{site}/{page}", wait_until="commit")
    opened.wait_for_load_state()
    assert opened.evaluate(SHIFT) <= 0.02


LABELS = """async () => {
  document.querySelectorAll("details").forEach(node => (node.open = true));
  const found = [];
  for (const image of document.querySelectorAll("article figure img")) {
    const text = await (await fetch(image.src)).text();
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    document.body.append(svg);
    const scale = image.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    for (const label of svg.querySelectorAll("text")) {
      const runs = [label, ...label.querySelectorAll("tspan")]  // an index is smaller
        .map(node => parseFloat(node.style.fontSize || 0));
      found.push([image.src.split("/").pop(), label.textContent.trim(),
        scale * Math.max(...runs)]);
    }
    svg.remove();
  }
  return found;
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_stands_still_and_fits_its_width(page, width, site, open_page):
    opened = open_page(f"{site}/{page}", width=width)
    assert opened.evaluate(SHIFT) <= 0.02
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    if page in CHAPTERS and width == 390:  # the words of figures can be read
        labels = opened.evaluate(LABELS)
        assert len(labels) >= 30  # in four figures or more
        assert [label for label in labels if label[2] < 9] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", WRITTEN)
def test_axe_finds_nothing_in_what_we_wrote(page, scheme, site, open_page, axe):
    opened = open_page(f"{site}/{page}", color_scheme=scheme)
    # axe measures colours by what is drawn where; a section not drawn yet misleads it
    opened.add_style_tag(content="section { content-visibility: visible !important; }")
    opened.evaluate(axe)
    # preload off: axe would ask for the theme's imported stylesheets at addresses where
    # they are not
    options = {"preload": False, "resultTypes": ["violations", "incomplete"]}
    if scheme == "dark":  # which changes colours, and nothing else
        options["runOnly"] = ["color-contrast"]
    results = opened.evaluate(
        "(options) => axe.run('article.bd-article', options)", options
    )
    told = [(r["id"], r["nodes"][0]["html"][:160]) for r in results["violations"]]
    assert told == []
    # text in the colour of its ground: to axe it may be meant
    unseen = [
        node["html"][:160]
        for rule in results["incomplete"]
        for node in rule["nodes"]
        for check in node["any"]
        if check["id"] == "color-contrast"
        and check["data"]["messageKey"] == "equalRatio"
    ]
    assert unseen == []


@pytest.fixture
def in_two(site, site_folder):
    """Serve a page in two pieces: its second waits for the event."""
    servers = []

    def serve(page, end):
        html, event = (site_folder / page).read_bytes(), threading.Event()

        class Slow(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path != f"/{page}":
                    self.send_response(302)
                    self.send_header("Location", f"{site}{self.path}")
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(html[: end(html)])
                self.wfile.flush()
                event.wait(60)
                self.wfile.write(html[end(html) :])

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/{page}", event

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("page", WITH_WIDGETS)
def test_the_first_widget_is_alive_while_the_page_is_still_arriving(
    page, in_two, browser
):
    """The rest of the page arrives only when the widget has come to life."""
    call = b"window.attentionWidgets?.()</script>"
    address, rest = in_two(page, lambda html: html.index(call) + len(call))
    opened = browser.new_page()
    opened.goto(address, wait_until="commit")
    opened.locator("[data-attention-mounted] .aw").first.wait_for(timeout=30_000)
    state = opened.evaluate("document.readyState")
    rest.set()
    opened.wait_for_load_state("load")
    opened.close()
    assert state == "loading"


def test_a_word_of_which_half_has_arrived_moves_nothing(in_two, open_page):
    """Half a word may fit in its line, and the whole word not."""
    address, rest = in_two(
        "pages/bibliography.html",
        lambda html: html.index(b"International Conference") + len(b"Int"),
    )
    opened = open_page("about:blank", width=390)
    opened.goto(address, wait_until="commit")
    opened.wait_for_timeout(500)
    rest.set()
    opened.wait_for_load_state("load")
    assert opened.evaluate(SHIFT) <= 0.02


LONG = "chapters/02_attention.html"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("place", ["in-practice", "summary", "references"])
def test_a_link_to_a_place_on_a_page_leads_there(place, width, site, open_page):
    address = f"{site}/chapters/10_norm_and_residuals.html"
    direct = open_page(f"{address}#{place}", width=width)
    clicked = open_page(address, width=width)
    clicked.evaluate(
        "(id) => document.querySelector(`a[href='#${id}']`).click()", place
    )
    for opened in (direct, clicked):
        opened.wait_for_timeout(800)
        below = """(id) => [document.getElementById(id).getBoundingClientRect().top,
          document.documentElement.scrollHeight - innerHeight - scrollY]"""
        top, left = opened.evaluate(below, place)
        assert 0 <= top <= 150 or (left < 2 and top > 0), "or the page ends"


def test_a_section_far_from_the_screen_is_found_and_printed(site, open_page):
    opened = open_page(f"{site}/{LONG}")
    last = opened.locator(".bd-article > section > section").last
    assert last.evaluate("node => getComputedStyle(node).contentVisibility") == "auto"
    words = last.locator("li").last.text_content()[:40]
    assert opened.evaluate("words => window.find(words)", words)
    opened.emulate_media(media="print")
    shown = last.evaluate("node => getComputedStyle(node).contentVisibility")
    assert shown == "visible"


TITLES = """() => [...document.querySelectorAll(
    ".bd-links li a, .prev-next-title, p > strong > a")]
  .map((node) => [node.closest("a").pathname, node.textContent.trim()])"""


@pytest.mark.parametrize("page", [CHAPTERS[1], "intro.html", "pages/claims.html"])
def test_a_chapters_title_has_its_number_wherever_it_shows(page, site, open_page):
    opened = open_page(f"{site}/{page}")
    titles = opened.evaluate(TITLES)
    named = [(path, title) for path, title in titles if "/chapters/" in path]
    assert {path.lstrip("/") for path, _ in named} == {*CHAPTERS}
    for path, title in named:
        assert title.startswith(f"{int(path.rpartition('/')[2][:2])} · "), path
    if page in CHAPTERS:
        assert opened.title().startswith("2 · ")


class Links(HTMLParser):
    """The places a page links to, and the places on it that can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.names, self.images = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names |= {attributes["id"]} if attributes.get("id") else set()
        if tag == "a" and attributes.get("href"):
            self.targets.append(attributes["href"])
        if tag == "img":
            self.images.append(attributes)


@cache
def of(path):
    return Links(path.read_text(encoding="utf-8"))


def test_paper_is_light_whatever_the_screen_is(site, open_page):
    opened = open_page(f"{site}/intro.html", color_scheme="dark")
    themes = []
    for event in ("load", "beforeprint", "afterprint"):
        opened.evaluate("(name) => dispatchEvent(new Event(name))", event)
        themes.append(opened.evaluate("document.documentElement.dataset.theme"))
    assert themes == ["dark", "light", "dark"]


@pytest.mark.parametrize("page", WRITTEN)
def test_every_link_leads_somewhere_and_every_picture_has_words(page, site_folder):
    here = site_folder / page
    broken = []
    for target in of(here).targets:
        parts = urlsplit(target)
        if parts.scheme or target.startswith("#w="):
            continue
        there = (here.parent / unquote(parts.path)).resolve() if parts.path else here
        lost = parts.fragment and there.suffix == ".html" and there.is_file()
        if not there.exists() or (lost and parts.fragment not in of(there).names):
            broken.append(target)
    assert broken == []
    for image in of(here).images:
        alt, src = image.get("alt") or "", image["src"]
        assert "logo" in src or (len(alt) >= 10 and alt not in src), src


def test_math_is_on_the_page_before_any_script_runs(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/chapters/01_bottleneck.html")
    shown = page.locator(".katex-html").count()
    context.close()
    assert shown > 20


def test_every_claim_is_listed_on_its_page_and_for_machines(site_folder):
    claims = json.loads((site_folder / "claims.json").read_text(encoding="utf-8"))
    keys = {"chapter", *(field.name for field in fields(Claim))}
    assert claims
    assert all(set(claim) == keys for claim in claims)
    listed = (site_folder / "pages" / "claims.html").read_text(encoding="utf-8")
    for claim in claims:
        page = site_folder / f"{claim['chapter']}.html"
        assert f'id="claim-{claim["id"]}"' in page.read_text(encoding="utf-8")
        assert f"#claim-{claim['id']}" in listed
    assert listed.count("#claim-") == len(claims)


def test_launch_links_follow_the_address(site_folder):
    config = (ROOT / "_config.yml").read_text()
    address = re.search(r"(?m)^  url: https://github\.com/(\S+)$", config)[1]
    page = (site_folder / "chapters" / "01_bottleneck.html").read_text(encoding="utf-8")
    path = "chapters/01_bottleneck.ipynb"
    assert f"https://mybinder.org/v2/gh/{address}/main?urlpath=lab/tree/{path}" in page
    colab = "https://colab.research.google.com/github"
    assert f"{colab}/{address}/blob/main/{path}" in page


def test_search_finds_a_chapter(site, open_page):
    opened = open_page(f"{site}/search.html?q=bottleneck")
    opened.wait_for_selector("#search-results li a")
    links = opened.locator("#search-results li a").all()
    assert any("01_bottleneck" in link.get_attribute("href") for link in links)


def test_the_theme_can_be_switched(site, open_page):
    opened = open_page(f"{site}/intro.html", color_scheme="light")
    ground, seen = "getComputedStyle(document.body).backgroundColor", set()
    for _ in range(3):  # auto, dark and light, in whatever order the theme has them
        opened.locator("button.theme-switch-button:visible").first.click()
        theme = opened.evaluate("document.documentElement.dataset.theme")
        seen.add((theme, opened.evaluate(ground)))
    assert {theme for theme, _ in seen} == {"light", "dark"}
    assert len({colour for _, colour in seen}) == 2
