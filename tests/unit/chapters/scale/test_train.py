"""One script, in one process and in two, killed and started again."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import torch

from attention_book.chapters.scale import train
from attention_book.chapters.scale.processes import PROCESSOR, TEXT, trained

STEPS = 30
# The process ends as soon as the second file is written, before it is in place.
KILLED = f"""
import os, runpy, signal

replace, placed = os.replace, []


def dies(source, target):
    if target.name == "kept.pt" and placed:
        os.kill(os.getpid(), signal.SIGKILL)
    placed.append(replace(source, target))


os.replace = dies
runpy.run_module("{train.__name__}", run_name="__main__")
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The losses of one process, which nobody disturbs."""
    losses = trained(tmp_path_factory.mktemp("whole") / "kept.pt", STEPS)
    assert losses[-5:].mean() < losses[:5].mean() - 0.5
    return losses


def test_two_processes_have_the_losses_of_one(whole, tmp_path):
    losses = trained(tmp_path / "kept.pt", STEPS, processes=2)
    np.testing.assert_allclose(losses, whole, atol=1e-5, rtol=0)


def test_one_is_killed_and_two_go_on_as_if_nothing_had_happened(whole, tmp_path):
    kept, killed = tmp_path / "kept.pt", tmp_path / "killed.py"
    killed.write_text(KILLED, "utf-8")
    command = [sys.executable, killed, TEXT, kept, str(STEPS)]
    done = subprocess.run(command, env=os.environ | PROCESSOR, check=False)
    assert done.returncode == -signal.SIGKILL
    losses = torch.load(kept)["losses"]
    np.testing.assert_allclose(losses, whole[:10], atol=1e-5, rtol=0)
    losses = trained(kept, STEPS, processes=2)
    np.testing.assert_allclose(losses, whole, atol=1e-5, rtol=0)


def test_each_process_reads_its_own_part_of_a_batch(monkeypatch, tmp_path):
    read, text = [], torch.arange(10_000) // 64 % 256

    def spied(model):
        return lambda ids: read.append({*map(tuple, ids.tolist())}) or model(ids)

    monkeypatch.setattr(train, "DistributedDataParallel", spied)
    monkeypatch.setattr(train, "mean", float)
    monkeypatch.setattr(train, "world", 2)
    for rank in (0, 1):
        monkeypatch.setattr(train, "rank", rank)
        train.train(text, tmp_path / f"{rank}.pt", 1)
    first, second = read
    assert len(first) == len(second) == train.B // 2
    assert first.isdisjoint(second)


def test_the_last_steps_are_kept_and_another_text_or_fewer_steps_are_refused(tmp_path):
    path, text = tmp_path / "kept.pt", torch.arange(200) % 7
    train.train(text, path, 2)
    assert len(torch.load(path)["losses"]) == 2
    with pytest.raises(ValueError, match=r"kept\.pt was trained on another text"):
        train.train(text + 1, path, 3)
    with pytest.raises(ValueError, match="steps is 1, expected at least the 2 of"):
        train.train(text, path, 1)
    with pytest.raises(ValueError, match="steps is 0, expected at least 1"):
        train.train(text, path, 0)


def test_a_short_text_and_uneven_parts_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="64 bytes, expected more than 64"):
        train.train(torch.arange(64), tmp_path / "kept.pt", 2)
    monkeypatch.setattr(train, "world", 3)
    with pytest.raises(ValueError, match="3 processes, expected a divisor of 16"):
        train.train(torch.arange(200), tmp_path / "kept.pt", 2)
