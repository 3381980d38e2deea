"""One script, in one process and in two, killed and started again."""

import argparse
import os
import signal
import subprocess
import sys

import pytest
import torch

from attention_book.chapters.scale import train

SCRIPT = "attention_book.chapters.scale.train"
TWO = "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"
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
runpy.run_module("{SCRIPT}", run_name="__main__")
"""


def run(folder, *how):
    """Train, and return how the process ended, and the losses that are kept."""
    kept = folder / "kept.pt"
    given = argparse.__file__, str(kept), str(STEPS)
    alone = {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, *how, *given],
        env=os.environ | alone,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert kept.exists(), done.stderr
    return done.returncode, torch.tensor(torch.load(kept)["losses"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The losses of one process, which nobody disturbs."""
    code, losses = run(tmp_path_factory.mktemp("whole"), "-m", SCRIPT)
    assert code == 0
    assert losses[-5:].mean() < losses[:5].mean() - 0.5
    return losses


def test_two_processes_have_the_losses_of_one(whole, tmp_path):
    code, losses = run(tmp_path, *TWO, "-m", SCRIPT)
    assert code == 0
    torch.testing.assert_close(losses, whole, atol=1e-5, rtol=0)


def test_one_is_killed_and_two_go_on_as_if_nothing_had_happened(whole, tmp_path):
    killed = tmp_path / "killed.py"
    killed.write_text(KILLED, "utf-8")
    code, losses = run(tmp_path, str(killed))
    assert code == -signal.SIGKILL
    assert len(losses) == 10
    torch.testing.assert_close(losses, whole[:10], atol=1e-5, rtol=0)
    code, losses = run(tmp_path, *TWO, "-m", SCRIPT)
    assert code == 0
    torch.testing.assert_close(losses, whole, atol=1e-5, rtol=0)


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


def test_the_last_steps_are_kept_and_another_text_is_refused(tmp_path):
    path, text = tmp_path / "kept.pt", torch.arange(200) % 7
    train.train(text, path, 2)
    assert len(torch.load(path)["losses"]) == 2
    with pytest.raises(ValueError, match=r"kept\.pt was trained on another text"):
        train.train(text + 1, path, 3)


def test_a_short_text_and_uneven_parts_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="64 bytes, expected more than 64"):
        train.train(torch.arange(64), tmp_path / "kept.pt", 2)
    monkeypatch.setattr(train, "world", 3)
    with pytest.raises(ValueError, match="3 processes, expected a divisor of 16"):
        train.train(torch.arange(200), tmp_path / "kept.pt", 2)
