"""Weigh and time a chapter's page against the same notebook built by Jupyter Book as it comes, with ipywidgets.

The stock book has the same pages, prose, outputs and figures. Its settings are the defaults (MathJax, html-manager,
every script), and each `Widget` is replaced by what an author would write with `interact`, saved with its state.
What a page asks of other hosts is answered from the npm package of that version, with no network between: that favours
the stock page. Fails when our page breaks a bound below. Run it after `make book`.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import mimetypes
import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import yaml
from browser import of_the_system
from build_book import BUILD, ENVIRONMENT, ROOT
from execution import execute_all
from jupyter_cache import get_cache
from playwright.sync_api import Browser, Route, sync_playwright
from sphinx_external_toc.parsing import parse_toc_yaml
from stock_twins import TWINS

MOST_TRANSFER, MOST_TIME = 0.35, 0.40  # of the stock page's
OURS = "data-attention-widget"
CONTROLS = f"[{OURS}] input[type=range], .jupyter-widgets :is([role=slider], select)"
USABLE = "(e) => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden' && !e.disabled"
FIRST = f"(controls) => [...document.querySelectorAll(controls)].some({USABLE}) && performance.now()"
KEPT = ("title", "author", "copyright", "logo", "repository", "launch_buttons", "html", "bibtex_bibfiles")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
ELSEWHERE = re.compile(r"^https?://(?!127\.0\.0\.1:)")
PACKAGE = re.compile(r"^(?:/npm|/ajax/libs)?/((?:@[\w.-]+/)?[\w.-]+)[@/](\d[^/]*)/(.+)$")
RENAMED = {"require.js": "requirejs"}  # what npm calls it


def with_twins(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Exchange the widgets of an executed notebook for their twins, which are executed in `folder`."""
    places = [cell for cell in notebook.cells if OURS in str(cell.get("outputs", ""))]
    sources = [next((twin for key, twin in TWINS.items() if key in cell.source), None) for cell in places]
    if not places or None in sources:
        raise SystemExit(f"{len(places)} widgets, {sources.count(None)} of them without a twin in stock_twins.py")
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "twins.ipynb")
    [(_, outcome)] = execute_all([folder / "twins.ipynb"], timeout=120)
    if outcome.error:
        raise SystemExit(f"the stock cells failed: {outcome.error}")
    twins = nbformat.reads(outcome.text, as_version=4)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)  # of `live`; its HTML stays
    for cell, twin in zip(places, twins.cells, strict=True):
        cell.source, cell.outputs = twin.source, twin.outputs
    notebook.metadata["widgets"] = twins.metadata["widgets"]
    return notebook


def build_stock(chapter: Path, executed: nbformat.NotebookNode, folder: Path) -> Path:
    """Write and build the stock book; return the folder of its pages."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    files = ["_toc.yml", config["logo"], config["html"]["favicon"], *config["bibtex_bibfiles"]]
    files += [file.relative_to(ROOT) for name in parse_toc_yaml(ROOT / "_toc.yml") for file in ROOT.glob(f"{name}.*")]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)
    stock = {key: config[key] for key in KEPT if key in config} | {"only_build_toc_files": True}
    stock |= {"execute": {"execute_notebooks": "off"}, "sphinx": {"extra_extensions": ["sphinx_exercise"]}}
    (folder / "_config.yml").write_text(yaml.safe_dump(stock), "utf-8")
    nbformat.write(with_twins(executed, folder), folder / chapter)
    program = [str(Path(sys.executable).with_name("jupyter-book")), "build", "-q", str(folder)]
    done = subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode or not (page := folder / "_build" / "html" / chapter.with_suffix(".html")).is_file():
        raise SystemExit(f"the stock book was not built\n{done.stderr[-2000:]}")
    # npm has one library only unminified, which the checksum in the page would refuse
    page.write_text(re.sub(r'\sintegrity="[^"]*"', "", page.read_text("utf-8")), "utf-8")
    return folder / "_build" / "html"


class Npm:
    """Answers requests to other hosts with files from npm packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: dict[str, tuple[str, bytes] | None] = {}  # URL -> where the file came from, the file

    @functools.cache  # noqa: B019, there is one for the whole run
    def package(self, spec: str) -> tarfile.TarFile | None:
        """Fetch a package such as `mathjax@3`; None if npm cannot."""
        command = [str(Path(sys.executable).with_name("npm")), "pack", spec, "--pack-destination", str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            print(f"npm pack {spec}: {done.stderr.strip()[-300:]}", file=sys.stderr)
            return None
        return tarfile.open(self.folder / done.stdout.split()[-1])

    def find(self, url: str) -> tuple[str, bytes] | None:
        """Find the file a URL stands for, the unminified one where npm has no other; None if it has neither."""
        if not (match := PACKAGE.match(urlsplit(url).path)):
            return None
        name, version, path = match.groups()
        archive = self.package(f"{RENAMED.get(name, name)}@{version}")
        files = [f"package/{path}", f"package/{path.replace('.min.', '.')}"] if archive else []
        file = next((file for file in files if file in archive.getnames()), None)
        return (f"{Path(archive.name).name} {file}", archive.extractfile(file).read()) if file else None

    def answer(self, route: Route) -> None:
        """Answer a request: the file, or 404."""
        url = route.request.url
        file = self.found[url] = self.found[url] if url in self.found else self.find(url)
        kind = mimetypes.guess_type(urlsplit(url).path)[0] or "text/plain"
        headers = {"access-control-allow-origin": "*", "content-type": kind}
        route.fulfill(status=200 if file else 404, headers=headers, body=file[1] if file else b"")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files over connections that stay open, and says nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass


def serve(folder: Path) -> str:
    """Serve a folder on loopback for as long as this runs; return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    server.handle_error = lambda *_: None  # the browser hangs up when a page is closed
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def load(browser: Browser, npm: Npm, url: str, *, weigh: bool = False) -> tuple[float, dict[str, int]]:
    """Load a page, nothing cached: ms to its first control; if asked to `weigh`, URL -> gzip bytes, each URL once."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.route(ELSEWHERE, npm.answer)
    page, responses = context.new_page(), {}
    page.on("response", lambda response: responses.update({response.url: response}))
    page.goto(url, wait_until="commit")
    milliseconds = page.wait_for_function(FIRST, arg=CONTROLS, timeout=60_000).json_value()
    page.wait_for_load_state("networkidle")  # so that no load runs into the next
    fetched = {url: response for url, response in responses.items() if weigh and url.startswith("http")}
    sizes = {url: len(gzip.compress(response.body())) for url, response in fetched.items()}
    context.close()
    return milliseconds, sizes


def report(loads: dict[str, list[float]], sizes: dict[str, dict[str, int]], npm: Npm) -> bool:
    """Print the comparison; True if our page keeps within every bound."""
    kb = {who: sum(of.values()) / 1000 for who, of in sizes.items()}
    ms = {who: statistics.median(each) for who, each in loads.items()}
    foreign = {who: [url for url in of if ELSEWHERE.match(url)] for who, of in sizes.items()}
    lighter, sooner = kb["ours"] / kb["stock"], ms["ours"] / ms["stock"]
    print(f"{'':22}{'ours':>10}{'stock':>10}{'ratio':>9}{'at most':>9}")
    print(f"{'transfer, gzip':22}{kb['ours']:7.0f} kB{kb['stock']:7.0f} kB{lighter:9.2f}{MOST_TRANSFER:9.2f}")
    print(f"{'first control usable':22}{ms['ours']:7.0f} ms{ms['stock']:7.0f} ms{sooner:9.2f}{MOST_TIME:9.2f}")
    print(f"{'third-party requests':22}{len(foreign['ours']):7}{len(foreign['stock']):10}{'ours 0':>21}")
    print(f"{'files':22}{len(sizes['ours']):7}{len(sizes['stock']):10}")
    for who, each in loads.items():
        print(f"{'loads, ' + who:22}{' '.join(f'{time:.0f}' for time in sorted(each)):>7} ms")
    print("\nThird-party requests, answered from npm packages with no network between (this favours the stock page):")
    for url in foreign["ours"] + foreign["stock"]:
        origin, _ = npm.found[url] or ("not on npm, answered 404", b"")
        print(f"  {urlsplit(url).path}\n    {(sizes['ours'] | sizes['stock'])[url] / 1000:6.0f} kB from {origin}")
    return lighter <= MOST_TRANSFER and sooner <= MOST_TIME and not foreign["ours"]


def main() -> int:
    """Build the stock page, load both in turn, report; 1 when a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chapter", type=Path, default=Path("chapters/01_bottleneck.ipynb"))
    parser.add_argument("--loads", type=int, default=7, help="how often each page is loaded")
    arguments = parser.parse_args()
    page = arguments.chapter.with_suffix(".html")
    try:
        _, executed = get_cache(BUILD / ".jupyter_cache").merge_match_into_file(ROOT / arguments.chapter)
    except KeyError:
        executed = None
    if executed is None or not (BUILD / "html" / page).is_file():
        raise SystemExit(f"{arguments.chapter} is not built: run `make book` first")
    os.environ |= ENVIRONMENT | {"NODE_USE_SYSTEM_CA": "1"}
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        npm, stock = Npm(Path(name)), build_stock(arguments.chapter, executed, Path(name))
        urls = {who: f"{serve(site)}/{page}" for who, site in [("ours", BUILD / "html"), ("stock", stock)]}
        chromium = os.environ.get("BROWSER_PATH") or of_the_system()
        with playwright.chromium.launch(executable_path=chromium, args=FLAGS) as browser:
            sizes = {who: load(browser, npm, url, weigh=True)[1] for who, url in urls.items()}
            turns = [{who: load(browser, npm, url)[0] for who, url in urls.items()} for _ in range(arguments.loads)]
        print(f"{page}: cold cache, median of {arguments.loads} loads, headless Chromium, loopback")
    return int(not report({who: [turn[who] for turn in turns] for who in urls}, sizes, npm))


if __name__ == "__main__":
    sys.exit(main())
