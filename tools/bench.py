"""One table: what the book's budgets allow, what this machine measures, and the ratio
to the same pages built by a stock Jupyter Book with ipywidgets (`stock_book.py`), or,
for layers, writing and training, to torch's and `transformers`' own (`speed.py`).

Times are for reading, not for a test: they are the machine's as much as the book's.
Requests of the stock pages to other hosts are answered from npm packages, with no
network between, which favours them. Run it after `make book`; `--page` writes the table
as a page of the book.
"""

from __future__ import annotations

import argparse
import base64
import functools
import gzip
import http.server
import math
import mimetypes
import os
import platform
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import execution
import speed
import stock_book
import torch
from build_book import BUILD, ENVIRONMENT, ROOT
from chromium import of_the_system
from jupyter_cache import get_cache
from playwright.sync_api import Browser, Page, Route, sync_playwright
from playwright.sync_api import TimeoutError as Late

from attention_book import data, runs
from attention_book.devices import one_thread
from attention_book.widgets.compose import compose_engine

BUDGETS = {
    "first control usable / first paint": 1.2,
    "transfer, kB gzip": 400,
    "requests to other hosts": 0,
    "console messages": 0,
    "layout shift": 0.02,
}
INPUT_MS, CHANGES = 4, 150
WORD_MS, WORST_WORD_MS, TASK_MS = 5, 30, 50
WRITERS = ("attention-dot", "transformer")
SLOWER = 4  # times, as on a phone
TYPED = "chapters/12_encoder_decoder.html"  # a page with a sentence to type
# Milliseconds of each word that a network writes, the first few left out.
WRITE = """([program, weights, sources]) => {
  const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
  const network = new Network(program, bytes), times = [];
  const run = network.run.bind(network);
  network.run = (call, ...rest) => {
    const start = performance.now(), given = run(call, ...rest);
    if (call === "step") times.push(performance.now() - start);
    return given;
  };
  for (const source of sources)
    write(network, {source: [source], visible: [source.map(() => 1)]});
  return times.slice(10);
}"""
LONGEST = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(
    (task) => (window.longest = Math.max(window.longest, task.duration))
  )).observe({type: "longtask"});
}"""
CONTROLS = (
    "[data-attention-widget] :is(input, select, button), "
    ".jupyter-widgets :is([role=slider], select)"
)
FIRST = """(controls) => [...document.querySelectorAll(controls)].some(each =>
  each.getClientRects().length && getComputedStyle(each).visibility !== "hidden" &&
  !each.disabled) && performance.now()"""
PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0].startTime"""
TIMEOUT_MS = 30_000  # for a first control: a stock page may wait for what never comes
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ELSEWHERE = re.compile(r"^https?://(?!127\.0\.0\.1:)")
PACKAGE = re.compile(
    r"^(?:/npm|/ajax/libs)?/((?:@[\w.-]+/)?[\w.-]+)[@/](\d[^/]*)/(.+)$"
)
RENAMED = {"require.js": "requirejs"}  # what npm calls it
MEASURE = (ROOT / "tests" / "browser" / "measure.js").read_text("utf8")
PAGE = """# What it costs

Every page of the book that has widgets, beside the same notebook built by a stock
Jupyter Book with ipywidgets; what executing the notebooks costs; our layers, and models
that write, beside torch's and a Marian of `transformers`. *Measured* is this book,
*stock* is the other book, or library; `!` marks what is over its budget. `make bench`
measures it and writes this page. Times are one machine's; ratios travel better.

Measured on {when}: {where}.

{table}
"""


class Row(NamedTuple):
    """What was measured on a page, beside its budget and the stock book, or torch."""

    page: str
    what: str
    budget: float | None = None
    measured: float | None = None
    stock: float | None = None


class Npm:
    """Answers requests to other hosts with files from npm packages."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.packages, self.found = folder, {}, {}

    def package(self, spec: str) -> Path | None:
        """Fetch a package such as `mathjax@3`, once; None if npm cannot."""
        if spec not in self.packages:
            npm = str(Path(sys.executable).with_name("npm"))
            command = [npm, "pack", spec, "--pack-destination", str(self.folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            name = done.stdout.split()[-1] if done.returncode == 0 else ""
            self.packages[spec] = self.folder / name if name else None
        return self.packages[spec]

    def find(self, url: str) -> bytes | None:
        """The file a URL stands for, the unminified one where npm has no other."""
        if not (match := PACKAGE.match(urlsplit(url).path)):
            return None
        name, version, path = match.groups()
        if (archive := self.package(f"{RENAMED.get(name, name)}@{version}")) is None:
            return None
        names = (f"package/{path}", f"package/{path.replace('.min.', '.')}")
        with tarfile.open(archive) as files:
            file = next((each for each in names if each in files.getnames()), None)
            return files.extractfile(file).read() if file else None

    def answer(self, route: Route) -> None:
        """Answer a request: the file, or 404."""
        url = route.request.url
        if url not in self.found:
            self.found[url] = self.find(url)
        file = self.found[url]
        kind = mimetypes.guess_type(urlsplit(url).path)[0] or "text/plain"
        headers = {"access-control-allow-origin": "*", "content-type": kind}
        status = 404 if file is None else 200
        route.fulfill(status=status, headers=headers, body=file or b"")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files over connections that stay open, and says nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass


def serve(folder: Path) -> str:
    """Serve a folder on loopback for as long as this runs; return its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # the browser hangs up when a page is closed
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def load(browser: Browser, npm: Npm, url: str) -> tuple[Page, float | None, list, list]:
    """Open a page with nothing cached.

    Gives the page, ms to its first control, the responses and the console's messages.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(0)  # what a loaded machine takes is no failure
    context.route(ELSEWHERE, npm.answer)
    page, responses, said = context.new_page(), [], []
    page.on("response", lambda sent: responses.append(sent))  # noqa: PLW0108
    page.on("console", lambda message: said.append(message))  # noqa: PLW0108
    page.goto(url, wait_until="commit")
    try:
        first = page.wait_for_function(FIRST, arg=CONTROLS, timeout=TIMEOUT_MS)
        usable = first.json_value()
    except Late:
        usable = None
    page.wait_for_load_state("networkidle")
    return page, usable, responses, said


def loads(browser: Browser, npm: Npm, url: str, times: int) -> dict[str, float | None]:
    """What opening a page costs; times and shifts are medians."""
    runs = []
    for _ in range(1 + times):  # the first finds the npm packages, and is not counted
        page, first, responses, said = load(browser, npm, url)
        sent = {each.url: each for each in responses if each.url.startswith("http")}
        paint = page.evaluate(PAINT)
        ratio = None if first is None else first / paint
        page.evaluate(MEASURE)
        runs.append((paint, first, ratio, page.evaluate("measure.shift(100)")))
        kb = sum(len(gzip.compress(each.body())) for each in sent.values()) / 1000
        page.context.close()
    paint, first, ratio, shift = (
        None if None in each else statistics.median(each)
        for each in zip(*runs[1:], strict=True)
    )
    return {
        "first paint, ms": paint,
        "first control usable, ms": first,
        "first control usable / first paint": ratio,
        "layout shift": shift,
        "transfer, kB gzip": kb,
        "requests": len(sent),
        "requests to other hosts": sum(bool(ELSEWHERE.match(each)) for each in sent),
        "console messages": len(said),
    }


def compare(
    browser: Browser, npm: Npm, sites: list, page: str, times: int
) -> Iterator[Row]:
    """Rows of one page, ours beside the stock book's."""
    ours, stock = (loads(browser, npm, f"{site}/{page}", times) for site in sites)
    for what, measured in ours.items():
        yield Row(page, what, BUDGETS.get(what), measured, stock[what])


def speeds(quick: bool) -> Iterator[Row]:
    """Rows of layers and of writing, beside torch's and `transformers`' own."""
    one_thread()
    if quick:
        rows = speed.of_layers(0.1, lengths=(64,))
    else:
        rows = chain(speed.of_layers(2), speed.of_writing())
    for row in rows:
        what = f"{row.what}, ms (ratio +- {row.spread:.2f})"
        yield Row(
            "in turns, on one thread", what, None, row.ours * 1e3, row.other * 1e3
        )
    for row in [] if quick else speed.of_training():
        ours, other = row.ours * 1e3, row.other * 1e3
        what = f"{row.what}, ms (ratio +- {row.spread:.2f})"
        yield Row("training, on one thread", what, other, ours, other)
        rates = (1e3 * math.prod(speed.READ) / each for each in (ours, other))
        yield Row("training, on one thread", "GPT: words a second", None, *rates)
    for row in [] if quick else speed.of_memory():
        what = f"{row.what}: forward and backward, MB"
        yield Row("memory", what, None, row.ours / 1e6, row.other / 1e6)


def inputs(
    browser: Browser, npm: Npm, site: str, page: str, moves: int
) -> Iterator[Row]:
    """Rows of one page, for every control: what an input costs."""
    opened, *_ = load(browser, npm, f"{site}/{page}")
    opened.evaluate(MEASURE)
    for each in opened.evaluate("(moves) => measure.inputs(moves)", moves):
        what = f"{each['widget']}, {each['control']}: input"
        yield Row(page, f"{what}, ms", INPUT_MS, statistics.median(each["times"]))
        yield Row(page, f"{what}, most changes", CHANGES, max(each["changes"]))
    opened.context.close()


def written_words(browser: Browser, count: int) -> Iterator[Row]:
    """Rows of the page's engine: what a generated word takes, on test sentences."""
    page = browser.new_page()
    page.add_script_tag(content=compose_engine())
    session = page.context.new_cdp_session(page)
    test = data.corpus("en", "fr", N_train=0).test.values()
    sentences = [pair.source for pairs in test for pair in pairs]
    for name in WRITERS:
        run = runs.load(name)
        program, weights = run.network().packed()
        ids = [
            data.encode_sources([words], run.vocabularies[0])[0][0].tolist()
            for words in sentences[:: len(sentences) // count]
        ]
        given = [program, base64.b64encode(weights).decode(), ids]
        for rate, slow in ((1, ""), (SLOWER, f", {SLOWER} times throttled")):
            session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
            times = page.evaluate(WRITE, given)
            said = f"{name}: a generated word{slow}"
            for what, most, found in (
                ("median", WORD_MS, statistics.median(times)),
                ("worst", WORST_WORD_MS, max(times)),
            ):
                budget = most if rate == 1 else None
                yield Row("networks in the page", f"{said}, {what}, ms", budget, found)
    page.close()


def longest_task(browser: Browser, site: str) -> Iterator[Row]:
    """Rows of a page on which a sentence is typed: what its own thread is busy with."""
    for rate in (1, SLOWER):
        page = browser.new_page()
        page.goto(f"{site}/{TYPED}", wait_until="networkidle")
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        typed = page.locator(".aw-typed input:visible").first
        typed.scroll_into_view_if_needed()
        page.wait_for_timeout(1000)
        page.evaluate(LONGEST)
        typed.fill("we are eating bread")
        page.wait_for_timeout(3000)
        typed.fill("the big house is red")
        page.wait_for_timeout(1000)
        slow = f", {SLOWER} times throttled" * (rate > 1)
        what = f"longest task above 50 ms while a network is fetched and runs{slow}, ms"
        budget = TASK_MS if rate == 1 else None
        yield Row(TYPED, what, budget, page.evaluate("longest"))
        page.close()


def executions() -> Iterator[Row]:
    """Rows of each notebook: what executing it has cost when the cache was filled."""
    cache = get_cache(BUILD / ".jupyter_cache")
    for path in execution.notebooks(ROOT):
        name, cost = str(path.relative_to(ROOT)), execution.cost(cache, path)
        if cost:
            clock = cost["execution_seconds"]
            yield Row(name, "executed, s on the clock", measured=clock)
            for what, most in execution.BUDGETS.items():
                scale = 1e9 if what.endswith("bytes") else 1
                unit = execution.UNITS[what]
                yield Row(name, unit, most / scale, cost[what] / scale)
    cache.db.dispose()


def cells(row: Row) -> list[str]:
    """A row as text, with `!` where it is over the budget."""
    page, what, budget, measured, stock = row
    over = budget is not None and measured is not None and measured > budget
    ratio = f"{measured / stock:.2f}" if measured is not None and stock else ""
    known = ["" if x is None else f"{x:.4g}" for x in (budget, measured, stock)]
    return [page, what, known[0], known[1] + "!" * over, known[2], ratio]


def print_table(rows: list[Row]) -> None:
    """Print what was measured."""
    print(f"{'':74}{'budget':>8}{'measured':>10}  {'stock':>8}{'ratio':>7}")
    for page, what, budget, measured, stock, ratio in map(cells, rows):
        print(f"{page:32}{what:42}{budget:>8}{measured:>12}{stock:>8}{ratio:>7}")


def machine(browser: Browser) -> str:
    """What the times belong to."""
    cpu = Path("/proc/cpuinfo")
    named = (
        re.search(r"model name\s*: (.+)", cpu.read_text()) if cpu.is_file() else None
    )
    return (
        f"{named[1] if named else platform.processor()}, {os.cpu_count()} cores, "
        f"{platform.system()}, Python {platform.python_version()}, torch "
        f"{torch.__version__}, Chromium {browser.version}"
    )


def write_page(path: Path, rows: list[Row], where: str) -> None:
    """Write the table as a page of the book."""
    lines = [
        "| page | what | budget | measured | stock | ratio |",
        "|---|---|--:|--:|--:|--:|",
    ]
    lines += [f"| {' | '.join(row)} |" for row in map(cells, rows)]
    path.write_text(
        PAGE.format(when=date.today().isoformat(), where=where, table="\n".join(lines)),
        "utf8",
    )


def executed_pages(quick: bool) -> dict[str, Any]:
    """The executed notebooks whose pages have widgets, by their path; one if quick."""
    cache, found = get_cache(BUILD / ".jupyter_cache"), {}
    for path in execution.notebooks(ROOT):
        name = path.relative_to(ROOT)
        page = BUILD / "html" / name.with_suffix(".html")
        if page.is_file() and "data-attention-widget=" in page.read_text("utf8"):
            found[str(name)] = cache.merge_match_into_file(path)[1]
    cache.db.dispose()
    if not found:
        raise SystemExit("no page with widgets is built: run `make book` first")
    return dict(list(found.items())[:1]) if quick else found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help="one page, few repetitions"
    )
    parser.add_argument("--page", type=Path, help="write the table to this page, too")
    asked = parser.parse_args()
    quick = asked.quick
    os.environ |= ENVIRONMENT | {"NODE_USE_SYSTEM_CA": "1"}
    chromium = os.environ.get("BROWSER_PATH") or of_the_system()
    executed, rows = executed_pages(quick), []
    with tempfile.TemporaryDirectory() as name:
        # before Playwright: beside its loop, kernels' answers are seen minutes late
        stock = stock_book.build(ROOT, executed, Path(name))
        npm, sites = Npm(Path(name)), [serve(BUILD / "html"), serve(stock)]
        options = {"executable_path": chromium, "args": FLAGS}
        with (
            sync_playwright() as playwright,
            playwright.chromium.launch(**options) as browser,
        ):
            for notebook in executed:
                page = str(Path(notebook).with_suffix(".html"))
                rows += compare(browser, npm, sites, page, 1 if quick else 7)
                rows += inputs(browser, npm, sites[0], page, 5 if quick else 50)
            rows += written_words(browser, 3 if quick else 40)
            rows += longest_task(browser, sites[0])
            where = machine(browser)
    rows += [*executions(), *speeds(quick)]
    print_table(rows)
    if asked.page:
        write_page(asked.page, rows, where)
    return 0


if __name__ == "__main__":
    sys.exit(main())
