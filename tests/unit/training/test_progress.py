"""A bar in a terminal, one plain line in a notebook, nothing in a log."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import nbformat
from nbclient import NotebookClient

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


def test_a_log_file_gets_nothing():
    done = subprocess.run(
        [sys.executable, "-c", TRAIN], capture_output=True, text=True, check=True
    )
    assert done.stdout == done.stderr == ""


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
    assert "40/40" in shown
    assert "loss 0." in shown
    assert " · ici" in shown


def test_an_executed_notebook_keeps_one_plain_last_line():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(TRAIN)])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    assert output.output_type == "display_data"
    assert set(output.data) == {"text/plain"}
    assert output.data["text/plain"].startswith("step 40/40 · loss ")
    assert output.data["text/plain"].endswith(" s · ici")
