"""The type checker reads our shapes, and sees a wrong call of a public function."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CALLS = """\
import numpy as np

from attention_book.reference import positions, softmax

positions.positional_encoding(5, 4)
softmax(np.zeros((3, 5)))
positions.positional_encoding("5", 4)
softmax("weights")
positions.positional_encoding(5, 4).capitalize()
"""


def test_wrong_calls_are_seen_and_right_ones_pass(tmp_path):
    (tmp_path / "calls.py").write_text(CALLS)
    program = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty"]
    done = subprocess.run(
        [*program, "--config-file", "pyproject.toml", tmp_path / "calls.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [line.split(": ", 2) for line in done.stdout.splitlines()]
    assert [place.rpartition(":")[2] for place, *_ in found] == ["7", "8", "9"], found
    assert '"str"; expected "int"' in found[0][2]
    assert '"str"; expected "ndarray' in found[1][2]
    assert '"capitalize"' in found[2][2]
