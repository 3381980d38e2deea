"""A built site on loopback, a real browser, and pages whose console must stay empty."""

import functools
import http.server
import os
import threading
from pathlib import Path

import chromium
import pytest
from browser.jupyter import lab  # noqa: F401, a fixture
from browser.pages import page_with
from missing_browser import NO_BROWSER
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
OFF = ("gpu", "background-networking", "component-update", "sync")
FLAGS = ["--headless", "--no-sandbox", *(f"--disable-{each}" for each in OFF)]
FLAGS += ["--font-render-hinting=none"]  # text as wide as in a window


@pytest.fixture(scope="session")
def site_folder():
    """The built book; SITE_DIR names another place than _build/html."""
    folder = Path(os.environ.get("SITE_DIR", ROOT / "_build" / "html"))
    if not (folder / "index.html").exists():
        pytest.fail(f"{folder}/index.html is missing: run 'make book' first")
    return folder


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site(site_folder):
    """Base address of the built book, served on loopback."""
    handler = functools.partial(Quiet, directory=str(site_folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests; without one they are counted (missing_browser.py)."""
    named = os.environ.get("BROWSER_PATH")
    if named and not os.access(named, os.X_OK):
        pytest.fail(f"BROWSER_PATH={named} is not a program")
    path = named or chromium.of_the_system()  # None for Playwright's own
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error:
            pytest.skip(f"{NO_BROWSER}: {chromium.ADVICE}")
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Open pages, each in a viewport and a colour scheme.

    They must stay silent and ask no other host for anything.
    """
    contexts, problems = [], []

    def watch(request):
        if not request.url.startswith(("http://127.0.0.1:", "file:", "data:", "blob:")):
            problems.append(f"request to another host: {request.url}")

    def open_one(url, *, width=1280, height=900, **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("request", watch)
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on(
            "console",
            lambda message: (
                message.type in ("error", "warning")
                and problems.append(f"console: {message.text}")
            ),
        )
        page.goto(url)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def opened(tmp_path, open_page):
    """Open a page that holds only these widgets; `at` ends its address."""

    def open_one(*widgets, at="", **options):
        return open_page(page_with(tmp_path / "page.html", *widgets) + at, **options)

    return open_one


@pytest.fixture
def altered(tmp_path, browser):
    """Open a page of widgets whose first `old` is `new`: (page, what it complains)."""
    contexts, errors, path = [], [], tmp_path / "altered.html"

    def open_one(*widgets, old, new):
        url = page_with(path, *widgets)
        written = path.read_text("utf-8")
        assert old in written
        path.write_text(written.replace(old, new, 1), "utf-8")
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        page.on("console", lambda it: it.type == "error" and errors.append(it.text))
        page.goto(url)
        return page, errors

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page):
    """An empty page, watched."""
    return open_page("about:blank")


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, the accessibility checker."""
    path = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.fail(f"{path} is missing: run 'make setup' first")
    return path.read_text(encoding="utf-8")
