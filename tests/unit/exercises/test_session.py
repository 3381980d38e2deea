"""A check leaves the session of a reader as it was, and judges right code in any."""

import os
import random
import sys

import numpy as np
import pytest
import torch

from attention_book.chapters.attention.checks import (
    check_attention_step,
    check_masked_softmax,
)
from attention_book.chapters.attention.solutions import masked_softmax


def look(s, h, visible):
    if not visible.any():
        raise ValueError("nothing to look at")
    a_t = (h @ s).masked_fill(~visible, -torch.inf).softmax(dim=0)
    return torch.zeros(len(s)) + a_t @ h, torch.eye(len(a_t)) @ a_t


@pytest.fixture
def in_float64():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.usefixtures("in_float64")
def test_right_code_is_accepted_where_the_default_dtype_is_float64():
    verdict = check_attention_step(look)
    assert verdict, repr(verdict)
    assert torch.get_default_dtype() == torch.float64


def settings():
    return {
        "torch's dtype": torch.get_default_dtype(),
        "torch's exactness": torch.get_float32_matmul_precision(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "open": sys.stdout.closed,
        "NumPy's print options": str(np.get_printoptions()),
        "torch's print options": str(torch._tensor_str.PRINT_OPTS),
        "Python's draws": random.getstate(),
        "NumPy's draws": np.random.get_state()[1].tolist(),  # noqa: NPY002
        "torch's draws": torch.get_rng_state().tolist(),
        "folder": os.getcwd(),
        "where modules are": [*sys.path],
        "environment": dict(os.environ),
        "how deep calls may go": sys.getrecursionlimit(),
        "where prints go": (sys.stdout, sys.stderr),
    }


def meddler(e, visible):
    os.chdir("/")
    sys.path.insert(0, "elsewhere")
    os.environ["ELSEWHERE"] = "1"
    sys.setrecursionlimit(2000)
    torch.set_default_dtype(torch.float64)
    torch.set_float32_matmul_precision("medium")
    torch.use_deterministic_algorithms(True)
    sys.stdout.close()
    torch.set_printoptions(precision=1, sci_mode=True)
    np.set_printoptions(precision=1, threshold=3)
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    torch.manual_seed(0)
    return masked_softmax(e, visible)


def test_what_a_function_sets_and_draws_is_put_back():
    before = settings()
    assert check_masked_softmax(meddler)
    assert settings() == before


def test_what_is_printed_is_shown(capsys):
    def talkative(e, visible):
        sys.stdout.write("row by row")
        return masked_softmax(e, visible)

    assert check_masked_softmax(talkative)
    out = capsys.readouterr().out
    assert "row by row" in out
    assert "more characters" not in out


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_is_printed_without_end_is_cut_with_a_sentence(stream, capsys):
    def chatterbox(e, visible):
        for _ in range(40_000):
            getattr(sys, stream).write("row by row\n")
        return masked_softmax(e, visible)

    check_masked_softmax(chatterbox)
    captured = capsys.readouterr()
    assert len(captured.out) + len(captured.err) < 4_200
    assert "more characters that your function printed." in captured.out
