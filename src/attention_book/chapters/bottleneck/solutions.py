"""Chapter 1, *The bottleneck*: worked solutions."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Int
from torch import Tensor

from attention_book.shapes import START, STOP


def gru_parameters(D_X: int, D_H: int) -> int:
    """Count what a GRU learns: three blocks of two matrices and two biases each."""
    block = D_H * D_X + D_H * D_H + 2 * D_H
    return 3 * block


def teacher_forced(target: Sequence[int]) -> tuple[list[int], list[int]]:
    """Turn one translation, word ids, into what the decoder reads and must say."""
    # What is read is one step behind: at step t the decoder has seen y_1 ... y_{t-1}.
    read = [START, *target]
    say = [*target, STOP]
    return read, say


def first_error(hypothesis: Sequence[str], reference: Sequence[str]) -> int | None:
    """Find the position of the first wrong word, from 0; None if all is right.

    A translation that stops early is wrong where the next word should have been; one
    that goes on is wrong at the first word too many.
    """
    for position, (said, right) in enumerate(zip(hypothesis, reference, strict=False)):
        if said != right:
            return position
    if len(hypothesis) == len(reference):
        return None
    return min(len(hypothesis), len(reference))


def how_far_failures_get(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Of the translations that fail, say how far they get, in words and as a share."""
    both = zip(hypotheses, references, strict=True)
    errors = [(first_error(said, right), len(right)) for said, right in both]
    failures = [(error, N_Y) for error, N_Y in errors if error is not None]
    if not failures:
        raise ValueError("hypotheses are all right: there is no failure to measure")
    return {
        "wrong": len(failures),
        "words right before": float(np.mean([error for error, _ in failures])),
        "share of the sentence": float(np.mean([e / N_Y for e, N_Y in failures])),
    }


def risk_by_part(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    N_parts: int = 3,
) -> list[float]:
    """Share of words that are wrong, of those before which all is right, by part."""
    reached, wrong = [0] * N_parts, [0] * N_parts
    for said, right in zip(hypotheses, references, strict=True):
        error = first_error(said, right)
        last = len(right) - 1 if error is None else min(error, len(right) - 1)
        # What comes after the first error is not at risk any more.
        for position in range(last + 1):
            part = N_parts * position // len(right)
            reached[part] += 1
            wrong[part] += position == error
    return [w / r if r else float("nan") for w, r in zip(wrong, reached, strict=True)]


def reached_by_part(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    N_parts: int = 3,
) -> list[int]:
    """Count the translations that reach each part without a mistake before it."""
    reached = [0] * N_parts
    for said, right in zip(hypotheses, references, strict=True):
        error = first_error(said, right)
        for part in range(N_parts):
            # an error in the part itself comes after its beginning
            reached[part] += error is None or N_parts * error >= part * len(right)
    return reached


def write(
    model: Any,
    source: Int[Tensor, "B N_X"],
    visible: Bool[Tensor, "B N_X"],
    N_most: int = 40,
) -> Int[Tensor, "B N_most"]:
    """Write N_most words for each source; what stands after a [STOP] means nothing."""
    memory = model.encode(source, visible)
    state = model.initial_state(memory)
    # What the decoder read first in training, too.
    token = torch.full((len(source),), START)
    written = []
    for _ in range(N_most):
        logits, state, _ = model.step(token, memory, state)
        token = logits.argmax(dim=-1)
        written.append(token)
    return torch.stack(written, dim=1)


@torch.no_grad()
def write_and_reread(
    program: Callable[..., Tensor],
    model: Any,
    source: Int[Tensor, "B N_X"],
    visible: Bool[Tensor, "B N_X"],
) -> tuple[Int[Tensor, "B N_most"], Int[Tensor, "B N_most"]]:
    """Write, and run the model on what was written in the way that was trained.

    Returned are what the program wrote, and the likeliest word at each step when all
    steps are run at once: the same, up to [STOP], if the program writes greedily.
    """
    written = program(model, source, visible)
    start = torch.full((len(written), 1), START)
    # shifted by one: at each step the words before it are given
    read = torch.cat([start, written[:, :-1]], dim=1)
    return written, model(source, visible, read).argmax(dim=-1)
