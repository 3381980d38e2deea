"""Execute notebooks, each in a process of its own, and keep the results in the cache
that Jupyter Book reads.

A record also carries what the execution used (`dependencies.py`) and what it cost:
seconds on the clock, seconds of processor, and the kernel's largest memory. They stand
in `make bench`, beside their budgets; a test holds the memory, which load hardly moves.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import dependencies
import nbformat
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from sphinx_external_toc.parsing import parse_toc_yaml

NOTING = Path(__file__).with_name("noting.py")
# what one notebook may cost, one thread: the clock of a busy machine says little
BUDGETS = {"processor_seconds": 40, "peak_bytes": 1.5e9}
UNITS = {"processor_seconds": "executed, s of processor", "peak_bytes": "memory, GB"}
NEVER_ANSWERED = "Kernel died before replying to kernel_info"
# macOS tells the memory of a process, in bytes, when it has ended; Linux, while it runs
AFTERWARDS = sys.platform == "darwin"
WORKERS = 2  # one thread each (OMP_NUM_THREADS): two notebooks share two cores


@dataclass
class Outcome:
    """What came of one notebook: its executed text, or the error in a short paragraph.

    `noted` lists what the kernel opened and which folders it walked.
    """

    text: str
    error: str
    execution_seconds: float
    processor_seconds: float
    peak_bytes: int
    noted: dict[str, list[str]]


def notebooks(root: Path) -> list[Path]:
    """The notebooks that `_toc.yml` names, in reading order."""
    files = (
        root / f"{document}.ipynb" for document in parse_toc_yaml(root / "_toc.yml")
    )
    return [file for file in files if file.is_file()]


def cost(cache: JupyterCacheAbstract, path: Path) -> dict | None:
    """What the cache knows of this notebook's execution; None if it does not have it.

    It has it with this code, with the tags its cells have now, whole and with all that
    `store` keeps; with which files of the book, only `is_cached` asks.
    """
    try:
        record = cache.match_cache_notebook(nbformat.read(path, as_version=4))
        cache.get_cache_bundle(record.pk)
    except (KeyError, ValueError):  # not there; or a build was stopped while writing it
        return None
    return record.data if "used" in record.data else None


def is_cached(cache: JupyterCacheAbstract, path: Path, now: dict[str, str]) -> bool:
    """True when the cache has this notebook, executed with the files of `now`."""
    known = cost(cache, path)
    return known is not None and not dependencies.changed(known["used"], now)


def store(
    cache: JupyterCacheAbstract, path: Path, outcome: Outcome, used: dict[str, str]
) -> None:
    """Keep an executed notebook with what it cost and the record of what it `used`."""
    notebook = nbformat.reads(outcome.text, as_version=4)
    _, key = cache.create_hashed_notebook(notebook)
    # what a stopped build may have left
    shutil.rmtree(cache.path / "executed" / key, ignore_errors=True)
    names = ("execution_seconds", "processor_seconds", "peak_bytes")
    data = {"used": used} | {name: getattr(outcome, name) for name in names}
    cache.cache_notebook_bundle(
        CacheBundleIn(notebook, str(path), data=data),
        check_validity=False,
        overwrite=True,
    )


def execute_all(paths: list[Path], timeout: int) -> Iterator[tuple[Path, Outcome]]:
    """Execute notebooks two at a time, each result as soon as it is there."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        WORKERS, context, initializer=_die_with_parent, max_tasks_per_child=1
    ) as pool:
        jobs = {pool.submit(execute, path, timeout): path for path in paths}
        for job in as_completed(jobs):
            yield jobs[job], job.result()


def execute(path: Path, timeout: int) -> Outcome:
    """Execute one notebook in this process's only kernel, `timeout` seconds a cell.

    A kernel that never answered is started once more: two that start at one moment may
    have picked the same port.
    """
    outcome = _execute_once(path, timeout)
    never = NEVER_ANSWERED in outcome.error
    return _execute_once(path, timeout) if never else outcome


def _execute_once(path: Path, timeout: int) -> Outcome:
    notebook = nbformat.read(path, as_version=4)
    at, error, peak, noted, start = 0, "", 0, {}, time.perf_counter()

    def begin(cell: nbformat.NotebookNode, cell_index: int) -> None:
        nonlocal at
        at = cell_index

    def measure(**_: object) -> None:
        nonlocal peak
        peak = max(peak, high_water(client.km.provisioner.process.pid))

    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "noted.json"
        client = _client(notebook, path, timeout, report)
        client.on_cell_start = begin
        if not AFTERWARDS:
            client.on_cell_executed = measure
        try:
            client.execute()
            noted = json.loads(report.read_text("utf8"))
        except CellExecutionError as failure:
            error = f"{failure.ename}: {failure.evalue}"
        except Exception as failure:  # a dead kernel, ...: the other notebooks go on
            error = f"{type(failure).__name__}: {str(failure).partition(chr(10))[0]}"
    if error:
        cell = notebook.cells[at]
        source = "\n".join(f"    | {line}" for line in cell.source.splitlines())
        place = f"cell {at + 1} of {len(notebook.cells)} (id {cell.get('id', '?')})"
        error = f"{place}\n{source}\n    {error.strip()}"
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = spent.ru_utime + spent.ru_stime
    peak = spent.ru_maxrss if AFTERWARDS else peak
    seconds = time.perf_counter() - start
    return Outcome(nbformat.writes(notebook), error, seconds, processor, peak, noted)


def _client(
    notebook: nbformat.NotebookNode, path: Path, timeout: int, report: Path
) -> NotebookClient:
    """Client whose kernel notes in the file `report` what the notebook uses."""
    start_up = (
        f"exec(__import__('pathlib').Path({str(NOTING)!r}).read_text('utf8'), "
        f"{{'report': {str(report)!r}, 'get_ipython': get_ipython}})"
    )
    quiet = "--log-level=CRITICAL"
    return NotebookClient(
        notebook,
        timeout=timeout,
        # times in the metadata would change the key under which the cache keeps it
        record_timing=False,
        extra_arguments=[quiet, f"--IPKernelApp.exec_lines={start_up}"],
        resources={"metadata": {"path": str(path.parent)}},
    )


def high_water(process: int) -> int:
    """The most memory, in bytes, that a running kernel has held so far.

    Not `ru_maxrss` on Linux: there a process starts with that of the one it was forked
    from, however large.
    """
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


def _die_with_parent() -> None:
    """Leave no orphan when the build is killed; kernels notice it by themselves."""

    def watch() -> None:
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
