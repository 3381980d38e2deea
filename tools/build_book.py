"""Build the book: execute the notebooks that have changed, then let Jupyter Book make
the site in `_build/html`.

Jupyter Book's cache looks at a notebook's code alone; here a notebook is also executed
again when a file of the package that it used has changed, or the pins
(`dependencies.py`). Each result is kept as soon as it is there: a build that was
stopped goes on with the notebooks that are left. The site itself is written afresh each
time, so it never holds a page of yesterday's.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import dependencies
import execution
import yaml
from jupyter_cache import get_cache

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "JUPYTER_PREFER_ENV_PATH": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
PAGES = (".doctrees", "jupyter_execute")  # what Jupyter Book reads of the notebooks
KEPT_EACH = 5  # executions kept for each notebook, so that changing branches is quick


def forget(build: Path, *folders: str) -> None:
    """Drop folders of `_build`, if they are there."""
    for folder in folders:
        shutil.rmtree(build / folder, ignore_errors=True)


def forget_old_pages(build: Path, now: dict[str, str]) -> None:
    """Drop what Jupyter Book has read, if the package or the pins are others since."""
    stamp = build / ".source-hash"
    seen = hashlib.sha256(json.dumps(now).encode()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != seen:
        forget(build, *PAGES)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(seen)


def execute_notebooks(root: Path, now: dict[str, str]) -> int:
    """Execute what the cache does not have; return how many failed."""
    config = yaml.safe_load((root / "_config.yml").read_text())
    paths = execution.notebooks(root)
    cache = get_cache(root / "_build" / ".jupyter_cache")
    cache.change_cache_limit(KEPT_EACH * len(paths))
    todo = [path for path in paths if not execution.is_cached(cache, path, now)]
    print(f"{len(paths)} notebooks, {len(todo)} to execute", flush=True)
    if todo:  # Sphinx reads a page again when its source changed, not when outputs did
        forget(root / "_build", *PAGES)
    done = execution.execute_all(todo, config["execute"]["timeout"])
    failures = []
    for number, (path, outcome) in enumerate(done, start=1):
        name = path.relative_to(root)
        took = f"{outcome.execution_seconds:.0f} s, {outcome.peak_bytes / 1e9:.1f} GB"
        said = "FAILED" if outcome.error else took
        print(f"[{number}/{len(todo)}] {name} {said}", flush=True)
        if outcome.error:
            failures.append(f"{name}: {outcome.error}")
        else:
            used = dependencies.used(**outcome.noted, root=root, now=now)
            execution.store(cache, path, outcome, used)
    cache.db.dispose()
    for failure in failures:
        print(f"\n{failure}", file=sys.stderr)
    return len(failures)


def build_site() -> int:
    """Run Jupyter Book with warnings as errors, and show them; the log has the rest."""
    forget(BUILD, "html")
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    program = [jupyter_book, "build", "-q", "-W", "-n", "--keep-going", str(ROOT)]
    log = BUILD / "build.log"
    # not a pipe, which would wait for any process that the build left behind
    with log.open("wb") as file:
        code = subprocess.call(
            program,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
        )
    if code:
        said = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(encoding="utf8"))
        warnings = said.split("Traceback (most recent call last)")[0].strip()
        print(warnings or said.strip()[-2000:], file=sys.stderr)
        print("\nThe site was not built. (Log: _build/build.log)", file=sys.stderr)
    return code


def main() -> int:
    """Build the book and say where it is; 1 when a notebook or the site failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--force", action="store_true", help="execute every notebook again"
    )
    parser.add_argument(
        "--execute-only",
        action="store_true",
        help="execute the notebooks, do not make the site",
    )
    arguments = parser.parse_args()
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    os.environ |= ENVIRONMENT | {"PATH": os.pathsep.join(programs)}  # our Node first
    if arguments.force:
        forget(BUILD, ".jupyter_cache")
    now = dependencies.hashes(ROOT)
    forget_old_pages(BUILD, now)
    if execute_notebooks(ROOT, now):
        return 1
    if arguments.execute_only:
        return 0
    if build_site():
        return 1
    print(
        f"The book: {BUILD / 'html' / 'index.html'} (open it in a browser, or run "
        "`make serve`)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
