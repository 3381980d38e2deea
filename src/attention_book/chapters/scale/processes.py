"""Run the training script as a reader would, in one process or in several."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float

from attention_book.chapters.scale import train
from attention_book.shapes import check_counts

TEXT = Path(argparse.__file__)  # a text that is on every reader's machine
PROCESSOR = {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}  # one core, no GPU
TORCHRUN = ("torch.distributed.run", "--standalone", "--nproc-per-node")


def trained(kept: Path, steps: int, processes: int = 1) -> Float[np.ndarray, " steps"]:
    """Train for so many steps in all, or go on to them, and give all losses.

    `kept` is the script's file. Both ways use the processor.
    """
    check_counts(steps=steps, processes=processes)
    if train.B % processes:
        raise ValueError(f"processes is {processes}, expected a divisor of {train.B}")
    started = ["-m", *TORCHRUN, str(processes)] if processes > 1 else []
    given = ["-m", train.__name__, str(TEXT), str(kept), str(steps)]
    done = subprocess.run(
        [sys.executable, *started, *given],
        env=os.environ | PROCESSOR,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(
            f"the script ended with {done.returncode}: {done.stderr[-2000:]}"
        )
    return np.array(torch.load(kept)["losses"])
