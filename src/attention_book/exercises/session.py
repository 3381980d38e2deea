"""A check leaves the reader's session as it was, whatever the function does to it."""

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

import numpy as np
import torch

MOST_PRINTED = 4000  # characters


class Bounded:
    """A stream that passes on what there is room for, and counts the rest."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.room, self.cut = stream, MOST_PRINTED, 0

    def write(self, text: str) -> int:
        shown, self.room = text[: self.room], max(0, self.room - len(text))
        self.cut += len(text) - len(shown)
        if shown:
            self.stream.write(shown)
        return len(text)

    def close(self) -> None:
        """Leave the stream open for what comes after."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def left_as_it_was() -> Iterator[None]:
    """Bound what is printed, compute in float32, and put back what was set or drawn.

    Put back are torch's default dtype, how exact and how deterministic it is, the
    random states of Python, NumPy and torch, how NumPy and torch print, the working
    directory, where modules are looked for, the environment, and how deep calls may go.
    """
    dtype, folder = torch.get_default_dtype(), os.getcwd()
    exact = torch.get_float32_matmul_precision()
    fixed = torch.are_deterministic_algorithms_enabled()
    only_warns = torch.is_deterministic_algorithms_warn_only_enabled()
    path, environment = [*sys.path], dict(os.environ)
    deepest = sys.getrecursionlimit()
    drawn = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    prints = np.get_printoptions(), dict(vars(torch._tensor_str.PRINT_OPTS))
    out, err = Bounded(sys.stdout), Bounded(sys.stderr)
    torch.set_default_dtype(torch.float32)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            yield
    finally:
        torch.set_default_dtype(dtype)
        torch.set_float32_matmul_precision(exact)
        torch.use_deterministic_algorithms(fixed, warn_only=only_warns)
        os.chdir(folder)
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
        sys.setrecursionlimit(deepest)
        random.setstate(drawn[0])
        np.random.set_state(drawn[1])  # noqa: NPY002
        torch.set_rng_state(drawn[2])
        np.set_printoptions(**prints[0])
        torch.set_printoptions(**prints[1])
        if cut := out.cut + err.cut:
            sys.stdout.write(
                f"\n... and {cut:,} more characters that your function printed.\n"
            )
