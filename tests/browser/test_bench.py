"""`make bench` runs to its end and has a row of every kind; no time is held."""

import os
import subprocess
import sys
from datetime import date

import pytest
from browser.pages import ROOT


@pytest.mark.timeout(900)
def test_the_bench_measures_our_page_the_stock_one_and_the_executions(
    browser, tmp_path
):
    page = tmp_path / "benchmark.md"
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "bench.py", "--quick", "--page", page],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    table = done.stdout
    written = page.read_text("utf-8")
    rows = ["first paint", "first control usable, ms", "transfer", "layout shift"]
    rows += ["requests to other hosts", "console messages", ": input, ms"]
    rows += [": input, most changes", "s of processor", "memory, GB"]
    rows += ["a generated word, median", "throttled, worst", "longest task"]
    rows += ["GRU: forward and backward", "dot-product attention: forward"]
    for row in rows:
        assert row in table
        assert row in written
    assert "Chromium" in written
    assert date.today().isoformat() in written
