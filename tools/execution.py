"""Execute notebooks, each in a process of its own, and keep the results in the cache that Jupyter Book reads.

A record also carries what the execution cost: seconds on the clock, seconds of processor, and the kernel's largest
memory. The tests hold the chapters against their budgets with these figures.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import nbformat
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sphinx_external_toc.parsing import parse_toc_yaml

WORKERS = 2  # one thread each (OMP_NUM_THREADS): two notebooks share two cores


@dataclass
class Outcome:
    """What came of one notebook: its executed text, or the error in one short paragraph."""

    text: str
    error: str
    execution_seconds: float
    processor_seconds: float
    peak_bytes: int


def notebooks(root: Path) -> list[Path]:
    """The notebooks that `_toc.yml` names, in reading order."""
    files = (root / f"{document}.ipynb" for document in parse_toc_yaml(root / "_toc.yml"))
    return [file for file in files if file.is_file()]


def is_cached(cache: JupyterCacheAbstract, path: Path) -> bool:
    """True when the cache has this notebook's code, with the tags its cells have now, whole and with its cost."""
    try:
        record = cache.match_cache_notebook(nbformat.read(path, as_version=4))
        cache.get_cache_bundle(record.pk)
    except (KeyError, ValueError):  # not there; or a build was stopped while writing it
        return False
    return "peak_bytes" in record.data


def store(cache: JupyterCacheAbstract, path: Path, outcome: Outcome) -> None:
    """Keep an executed notebook with the cost of its execution."""
    notebook = nbformat.reads(outcome.text, as_version=4)
    _, key = cache.create_hashed_notebook(notebook)
    shutil.rmtree(cache.path / "executed" / key, ignore_errors=True)  # what a stopped build may have left
    cost = {name: getattr(outcome, name) for name in ("execution_seconds", "processor_seconds", "peak_bytes")}
    cache.cache_notebook_bundle(CacheBundleIn(notebook, str(path), data=cost), check_validity=False, overwrite=True)


def execute_all(paths: list[Path], timeout: int) -> Iterator[tuple[Path, Outcome]]:
    """Execute notebooks two at a time, each result as soon as it is there."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(WORKERS, context, initializer=_die_with_parent, max_tasks_per_child=1) as pool:
        jobs = {pool.submit(execute, path, timeout): path for path in paths}
        for job in as_completed(jobs):
            yield jobs[job], job.result()


def execute(path: Path, timeout: int) -> Outcome:
    """Execute one notebook in this process's only kernel, `timeout` seconds a cell at most."""
    notebook = nbformat.read(path, as_version=4)
    at, error, peak, start = 0, "", 0, time.perf_counter()

    def note(cell: nbformat.NotebookNode, cell_index: int) -> None:
        nonlocal at
        at = cell_index

    def measure(**_: object) -> None:
        nonlocal peak
        peak = max(peak, _high_water(client.km.provisioner.process.pid))

    client = NotebookClient(
        notebook,
        timeout=timeout,
        record_timing=False,  # times in the metadata would change the key under which the cache keeps it
        on_cell_start=note,
        on_cell_executed=measure,
        extra_arguments=["--log-level=CRITICAL"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as failure:
        error = f"{failure.ename}: {failure.evalue}"
    except Exception as failure:  # a time-out, a dead kernel: whatever it is, the other notebooks go on
        error = f"{type(failure).__name__}: {str(failure).partition(chr(10))[0]}"
    if error:
        cell = notebook.cells[at]
        source = "\n".join(f"    | {line}" for line in cell.source.splitlines())
        error = f"cell {at + 1} of {len(notebook.cells)} (id {cell.get('id', '?')})\n{source}\n    {error.strip()}"
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.perf_counter() - start
    return Outcome(nbformat.writes(notebook), error, seconds, used.ru_utime + used.ru_stime, peak)


def _high_water(process: int) -> int:
    """The most memory, in bytes, that a running kernel has held so far.

    Not `ru_maxrss` on Linux: there a process starts with that of the one it was forked from, however large.
    """
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


def _die_with_parent() -> None:
    """Leave no orphan when the build is killed; a kernel notices by itself that its parent is gone."""

    def watch() -> None:
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
