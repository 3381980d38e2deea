"""Build the book: execute the notebooks that have changed, then let Jupyter Book make the site in `_build/html`.

Jupyter Book's cache looks at a notebook's code alone, so it is dropped here whenever something the code depends on has
changed: `src/`, the data, the pins. Each result is kept as soon as it is there: a build that was stopped goes on with
the notebooks that are left. The site itself is written afresh each time, so it never holds a page of yesterday's.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import execution
import yaml
from jupyter_cache import get_cache

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
CACHE = BUILD / ".jupyter_cache"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
SOURCES = (".py", ".json", ".toml", ".safetensors", ".mplstyle")


def source_hash(root: Path) -> str:
    """Hash of what a notebook's outputs depend on besides the notebook; JavaScript and CSS are not among it."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}".encode() + (root / "requirements.txt").read_bytes())
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in SOURCES and ".egg-info" not in str(path):
            digest.update(f"\0{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def forget_what_changed(root: Path, force: bool) -> None:
    """Drop the executed notebooks, and the pages read from them, if the code they ran is no longer this code."""
    stamp, now = root / "_build" / ".source-hash", source_hash(root)
    if force or not stamp.is_file() or stamp.read_text() != now:
        for folder in (".jupyter_cache", ".doctrees", "jupyter_execute"):
            shutil.rmtree(root / "_build" / folder, ignore_errors=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(now)


def execute_notebooks() -> int:
    """Execute what the cache does not have; return how many failed, each told in a few lines."""
    timeout = yaml.safe_load((ROOT / "_config.yml").read_text())["execute"]["timeout"]
    cache, paths = get_cache(CACHE), execution.notebooks(ROOT)
    todo = [path for path in paths if not execution.is_cached(cache, path)]
    print(f"{len(paths)} notebooks, {len(todo)} to execute", flush=True)
    failures = []
    for number, (path, outcome) in enumerate(execution.execute_all(todo, timeout), start=1):
        name = path.relative_to(ROOT)
        cost = f"{outcome.execution_seconds:.0f} s, {outcome.peak_bytes / 1e9:.1f} GB"
        print(f"[{number}/{len(todo)}] {name} {'FAILED' if outcome.error else cost}", flush=True)
        if outcome.error:
            failures.append(f"{name}: {outcome.error}")
        else:
            execution.store(cache, path, outcome)
    for failure in failures:
        print(f"\n{failure}", file=sys.stderr)
    return len(failures)


def build_site() -> int:
    """Run Jupyter Book with warnings as errors; show the warnings, keep the rest in `_build/build.log`."""
    shutil.rmtree(BUILD / "html", ignore_errors=True)
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    program = [jupyter_book, "build", "-q", "-W", "-n", "--keep-going", str(ROOT)]
    log = BUILD / "build.log"
    with log.open("wb") as file:  # not a pipe, which would wait for any process that the build left behind
        code = subprocess.call(program, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file)
    if code:
        said = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(encoding="utf8"))
        warnings = said.split("Traceback (most recent call last)")[0].strip()
        print(warnings or said.strip()[-2000:], file=sys.stderr)
        print("\nThe site was not built. (Log: _build/build.log)", file=sys.stderr)
    return code


def main() -> int:
    """Build the book and say where it is; 1 when a notebook or the site failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--force", action="store_true", help="execute every notebook again")
    parser.add_argument("--execute-only", action="store_true", help="execute the notebooks, do not make the site")
    arguments = parser.parse_args()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"  # its Node first
    os.environ |= ENVIRONMENT
    forget_what_changed(ROOT, arguments.force)
    if execute_notebooks():
        return 1
    if arguments.execute_only:
        return 0
    if build_site():
        return 1
    print(f"The book: {BUILD / 'html' / 'index.html'} (open it in a browser, or run `make serve`)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
