"""`make bench` runs to its end and has a row of every kind; no time is held."""

import os
import subprocess
import sys

import pytest
from browser.pages import ROOT


@pytest.mark.timeout(900)
def test_the_bench_measures_our_page_the_stock_one_and_the_executions(browser):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "bench.py", "--quick"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    table = done.stdout
    for row in ("first control usable", "transfer", "requests to other hosts"):
        assert row in table
    for row in (": input, ms", "s of processor", "memory, GB"):
        assert row in table
