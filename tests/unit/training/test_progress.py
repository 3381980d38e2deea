"""A bar in a terminal, one plain line in a notebook, a line now and then in a log."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from itertools import repeat

import nbformat
import pytest
import torch
from nbclient import NotebookClient
from torch import nn

from attention_book.training import Budget, Progress, fit

TRAIN = """
import time, torch
from attention_book.training import Progress, fit, seeded
with seeded(0):  # other first weights may have a loss above 1
    model = torch.nn.Linear(2, 1)
def loss(model, x): time.sleep(0.02); return model(x).square().mean()
def said(model): return "ici" if not model.training else "still training"
shows = [Progress(said, every=20)]
history = fit(
    model, [torch.ones(3, 2)] * 40, loss=loss, steps=40, seed=0, callbacks=shows
)
"""


def test_a_log_file_gets_a_last_line():
    done = subprocess.run(
        [sys.executable, "-c", TRAIN], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == ""
    assert re.fullmatch(r"step 40/40 · loss 0\.\d{3} · \d+ s · ici\n", done.stderr), (
        done.stderr
    )


@pytest.fixture
def slowly(monkeypatch):
    """Train with callbacks on a clock of its own, on which a step lasts 10 seconds."""
    clock = 0

    def slow(model, x):
        nonlocal clock
        clock += 10
        return model(x).mean() * 0 + 2

    def train(*callbacks, steps=None):
        settings = {"steps": steps, "seed": 0, "callbacks": callbacks}
        fit(nn.Linear(2, 1), repeat(torch.ones(3, 2)), loss=slow, **settings)

    monkeypatch.setattr("time.perf_counter", lambda: clock)
    return train


def test_a_log_has_a_line_in_about_half_a_minute(slowly, capsys):
    slowly(Progress(lambda model: "ici", every=5), steps=9)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "step 4/9 · loss 2.000 · 40 s\n"
        "step 8/9 · loss 2.000 · 80 s · ici\n"
        "step 9/9 · loss 2.000 · 90 s · ici\n"
    )


def test_a_terminal_gets_a_bar_on_stderr():
    parent, child = pty.openpty()
    fcntl.ioctl(
        child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0)
    )  # rows, columns
    done = subprocess.run(
        [sys.executable, "-c", TRAIN], stdout=subprocess.PIPE, stderr=child, check=True
    )
    os.close(child)
    shown = os.read(parent, 100_000).decode()
    os.close(parent)
    assert done.stdout == b""
    assert "100%|" in shown  # of a bar, not a line
    assert "40/40" in shown
    assert "loss 0." in shown
    assert " · ici" in shown


def test_how_many_steps_there_will_be_is_said_once_a_budget_has_an_estimate(
    slowly, capsys, monkeypatch
):
    monkeypatch.setattr("attention_book.training.progress.SECONDS_IN_A_LOG", 5)
    slowly(Progress(), Budget(25))
    steps = re.findall("step (.*?) ", capsys.readouterr().err)
    assert steps == ["1/…", "2/3", "3/3", "3/3"]


@pytest.mark.parametrize("steps", [None, 12])
def test_a_bar_is_as_long_as_the_budget(slowly, monkeypatch, steps):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    slowly(Progress(), Budget(25), steps=steps)
    assert "| 3/3 [" in terminal.getvalue()


def test_an_executed_notebook_keeps_one_plain_last_line():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(TRAIN)])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    assert output.output_type == "display_data"
    assert set(output.data) == {"text/plain"}
    assert output.data["text/plain"].startswith("step 40/40 · loss ")
    assert output.data["text/plain"].endswith(" s · ici")
