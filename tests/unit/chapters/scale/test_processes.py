"""How the training script is started; what it does, test_train.py tells."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from attention_book.chapters.scale import processes
from attention_book.chapters.scale.processes import trained

TWO = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
SCRIPT = ["-m", "attention_book.chapters.scale.train"]


@pytest.mark.parametrize(
    ("N_processes", "how"),
    [(1, []), (2, TWO)],
)
def test_a_script_is_started_in_so_many_processes(
    monkeypatch, tmp_path, N_processes, how
):
    kept = tmp_path / "kept.pt"

    def run(command, env, **_):
        *started, text, path, steps = command
        assert started == [sys.executable, *how, *SCRIPT]
        assert (text, path, steps) == (str(processes.TEXT), str(kept), "3")
        assert (env["CUDA_VISIBLE_DEVICES"], env["OMP_NUM_THREADS"]) == ("", "1")
        torch.save({"losses": [3.0, 2.0, 1.0]}, kept)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    np.testing.assert_array_equal(trained(kept, 3, N_processes), [3, 2, 1])


def test_a_script_that_fails_says_why(tmp_path):
    (tmp_path / "kept.pt").write_bytes(b"no file of torch's")
    with pytest.raises(RuntimeError, match=r"(?s)ended with 1: .*Error"):
        trained(tmp_path / "kept.pt", 1)
