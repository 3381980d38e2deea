"""A real JupyterLab of its own, and the notebooks of the book as the build ran them."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from browser.pages import CHAPTERS, ROOT
from jupyter_cache import get_cache

BIN = Path(sys.executable).parent
TRACKER = "@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
NOTEBOOKS = [(ROOT / page).with_suffix(".ipynb") for page in CHAPTERS]


def executed(path):
    """A notebook of the book with the outputs of the last build."""
    cache = get_cache(ROOT / "_build" / ".jupyter_cache")
    notebook = nbformat.read(path, as_version=4)
    try:
        return cache.merge_match_into_notebook(notebook)[1]
    except KeyError:
        pytest.fail(f"{path.name} is not executed as it is now: run `make book`")
    finally:
        cache.db.dispose()


def isolated(folder):
    """An environment that neither reads nor leaves anything of the user's Jupyter."""
    names = [f"JUPYTER_{kind}_DIR" for kind in ("CONFIG", "DATA", "RUNTIME")]
    own = {name: str(folder / name.lower()) for name in (*names, "IPYTHONDIR", "HOME")}
    return os.environ | own | {"OMP_NUM_THREADS": "1"}  # as the build runs them


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab of a test's own, with no kernel of another's."""
    with serving(tmp_path) as served:
        yield served


@contextmanager
def serving(folder):
    """Address of a JupyterLab that serves folder/work, and this folder."""
    if shutil.which("jupyter", path=str(BIN)) is None:
        pytest.fail("jupyter is missing: install requirements.txt")
    work = folder / "work"
    work.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = folder / "jupyter_config_dir" / "lab" / "user-settings" / TRACKER
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}', "utf-8")  # all cells on the page
    options = ["--no-browser", f"--port={port}", "--ip=127.0.0.1", "--allow-root"]
    options += ["--ServerApp.token=", "--LabApp.news_url="]
    server = subprocess.Popen(
        [BIN / "jupyter", "lab", *options, f"--ServerApp.root_dir={work}"],
        env=isolated(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api", server)
        yield address, work
    finally:
        server.terminate()
        server.wait(20)


def wait_for(url, server):
    """Wait until it answers, as long as it takes: pytest ends a test that hangs."""
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            assert server.poll() is None, "JupyterLab ended early"
            time.sleep(0.3)
