"""Every page of the book is silent, self-contained, light, steady and accessible."""

import gzip
import http.server
import json
import re
import threading
from dataclasses import fields
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from browser.pages import CHAPTERS, PAGES, ROOT, SHIFT, WITH_WIDGETS, WRITTEN

from attention_book.claims import Claim

KILOBYTE = 1000


def test_there_are_pages():
    assert "intro.html" in WRITTEN
    assert "chapters/01_bottleneck.html" in WRITTEN


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_nothing_in_the_console_and_misses_nothing(page, site, open_page):
    heard = []
    opened = open_page("about:blank")
    opened.on("console", lambda message: heard.append(message.text))
    opened.on(
        "response",
        lambda response: (
            response.status >= 400 and heard.append(f"{response.status} {response.url}")
        ),
    )
    opened.goto(f"{site}/{page}")
    opened.wait_for_load_state("networkidle")
    assert heard == []


@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_works_straight_from_disk(page, site_folder, open_page):
    opened = open_page((site_folder / page).as_uri())
    opened.wait_for_timeout(200)
    assert opened.locator(
        "h1"
    ).first.inner_text()  # open_page fails the test on errors and requests elsewhere


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_stands_still_and_fits_its_width(page, width, site, open_page):
    opened = open_page(f"{site}/{page}", width=width)
    assert opened.evaluate(SHIFT) <= 0.02
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


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


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_words_of_a_figure_can_be_read_on_a_phone(page, site, open_page):
    opened = open_page(f"{site}/{page}", width=390)
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
    results = opened.evaluate("axe.run('article.bd-article', {preload: false})")
    told = {
        rule["id"]: [node["html"][:160] for node in rule["nodes"][:3]]
        for rule in results["violations"]
    }
    assert told == {}
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


@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_is_light(page, site, open_page):
    requests, weights = [], {"script": 0, "all": 0}
    opened = open_page("about:blank")
    # not `requests.append` itself: Playwright sets an attribute on what it is given
    opened.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108
    opened.goto(f"{site}/{page}")
    opened.wait_for_load_state("networkidle")
    for response in (request.response() for request in requests):
        size = len(gzip.compress(response.body())) if response.ok else 0
        weights["all"] += size
        if response.request.resource_type == "script":
            weights["script"] += size
    assert 0 < weights["script"] <= 90 * KILOBYTE
    assert weights["all"] <= 400 * KILOBYTE


ICONS = """() => [...document.querySelectorAll("[class*='fa-']")].map(node => {
  const { content, fontFamily } = getComputedStyle(node, "::before");
  return [node.className, content, fontFamily];
})"""


@pytest.mark.parametrize("page", WRITTEN)
def test_every_icon_is_in_the_stylesheet_and_no_font_is_asked_for(
    page, site, open_page
):
    asked = []
    opened = open_page("about:blank")
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(f"{site}/{page}")
    opened.wait_for_load_state("networkidle")
    icons = opened.evaluate(ICONS)
    assert len(icons) >= 8
    for name, content, family in icons:
        assert content not in ("none", "normal"), name
        assert "Font Awesome" in family, name
    assert not [url for url in asked if "fontawesome" in url]


@pytest.mark.parametrize("page", WITH_WIDGETS)
def test_the_first_widget_is_alive_while_the_page_is_still_arriving(
    page, site, site_folder, browser
):
    """The rest of the page arrives only when the widget has come to life."""
    html = (site_folder / page).read_bytes()
    call = b"window.attentionWidgets?.()</script>"
    end = html.index(call) + len(call)
    alive = threading.Event()

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
            self.wfile.write(html[:end] + b"<p>" + b" " * 4096)
            self.wfile.flush()
            alive.wait(60)
            self.wfile.write(b"</p>" + html[end:])

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened = browser.new_page()
        opened.goto(
            f"http://127.0.0.1:{server.server_port}/{page}", wait_until="commit"
        )
        mounted = opened.locator("[data-attention-mounted] .aw").first
        mounted.wait_for(timeout=30_000)
        state = opened.evaluate("document.readyState")
        alive.set()
        opened.wait_for_load_state("load")
        opened.close()
        server.shutdown()
    assert state == "loading"


LONG = "chapters/02_attention.html"


def test_a_link_to_the_end_of_a_page_leads_there(site, open_page):
    opened = open_page(f"{site}/{LONG}#references")
    opened.wait_for_timeout(800)
    top = opened.locator("#references").evaluate(
        "node => node.getBoundingClientRect().top"
    )
    height = opened.evaluate("innerHeight")
    assert -50 <= top <= height


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


def test_paper_is_light_whatever_the_screen_is(site, open_page):
    opened = open_page(f"{site}/intro.html", color_scheme="dark")
    themes = []
    for event in ("load", "beforeprint", "afterprint"):
        opened.evaluate("(name) => dispatchEvent(new Event(name))", event)
        themes.append(opened.evaluate("document.documentElement.dataset.theme"))
    assert themes == ["dark", "light", "dark"]


@pytest.mark.parametrize("page", WRITTEN)
def test_every_link_inside_the_book_leads_somewhere(page, site_folder):
    here = site_folder / page
    broken = []
    for target in Links(here.read_text(encoding="utf-8")).targets:
        parts = urlsplit(target)
        if parts.scheme or target.startswith("#w="):
            continue
        there = (here.parent / unquote(parts.path)).resolve() if parts.path else here
        lost = parts.fragment and there.suffix == ".html" and there.is_file()
        if not there.exists() or (
            lost
            and parts.fragment not in Links(there.read_text(encoding="utf-8")).names
        ):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", WRITTEN)
def test_every_picture_has_words_for_those_who_cannot_see_it(page, site_folder):
    images = Links((site_folder / page).read_text(encoding="utf-8")).images
    silent = [
        image["src"]
        for image in images
        if len(image.get("alt") or "") < 10 or image["alt"] in image["src"]
    ]
    assert [src for src in silent if "logo" not in src] == []


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
    address = re.search(
        r"^  url: https://github\.com/(\S+)$",
        (ROOT / "_config.yml").read_text(),
        re.MULTILINE,
    )[1]
    page = (site_folder / "chapters" / "01_bottleneck.html").read_text(encoding="utf-8")
    path = "chapters/01_bottleneck.ipynb"
    assert f"https://mybinder.org/v2/gh/{address}/main?urlpath=lab/tree/{path}" in page
    assert (
        f"https://colab.research.google.com/github/{address}/blob/main/{path}" in page
    )


def test_search_finds_a_chapter(site, open_page):
    opened = open_page(f"{site}/search.html?q=bottleneck")
    opened.wait_for_selector("#search-results li a")
    found = opened.locator("#search-results li a").evaluate_all(
        "links => links.map(link => link.href)"
    )
    assert any("01_bottleneck" in link for link in found)


def test_the_theme_can_be_switched(site, open_page):
    opened = open_page(f"{site}/intro.html", color_scheme="light")
    ground, seen = "getComputedStyle(document.body).backgroundColor", set()
    for _ in range(3):  # auto, dark and light, in whatever order the theme has them
        opened.locator("button.theme-switch-button:visible").first.click()
        seen.add(
            (
                opened.evaluate("document.documentElement.dataset.theme"),
                opened.evaluate(ground),
            )
        )
    assert {theme for theme, _ in seen} == {"light", "dark"}
    assert len({colour for _, colour in seen}) == 2
