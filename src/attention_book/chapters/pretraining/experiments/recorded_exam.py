"""The exam as it is recorded: the tasks and starts that a network sits, and with how
many heads to begin with.
"""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.chapters.pretraining.exam import EXAM, N_LABELLED, drawn
from attention_book.chapters.pretraining.experiments.fine_tuning import STARTS, sit
from attention_book.chapters.pretraining.experiments.without_labels import (
    N_PAIRS,
    bits_in_turn,
    counted_bits,
    told_apart,
)
from attention_book.runs import RecordedRun

HEADS_ALONG = 6  # heads to begin with, of a network that is stopped early


def whole_exam(pretrained: Any, seed: int, heads: int = 1) -> dict[str, Any]:
    """Sit every task with few labels and with many, from every start.

    Every score is a list: the topic of a noun is sat with so many `heads` to begin
    with, every other task with one. "max" is "tuned" with another read-out. "hiding"
    tells broken sentences from whole ones without labels, and "counting" does so
    without the network; see `told_apart`.
    """
    ways = {start: (start, "cls") for start in STARTS} | {"max": ("tuned", "max")}
    found: dict[str, Any] = {
        task: {
            str(N): {
                name: over_heads(pretrained, task, N, *way, seed=seed, heads=heads)
                for name, way in ways.items()
            }
            for N in N_LABELLED
        }
        for task in EXAM
    }
    both = {
        task: drawn(task, N_PAIRS, test=True, seed=seed)
        for task in ("agreement", "order")
    }
    hiding = partial(bits_in_turn, pretrained)
    for name, bits in (("hiding", hiding), ("counting", counted_bits)):
        found[name] = {task: told_apart(bits, some) for task, some in both.items()}
    return found


def short_exam(
    pretrained: Any, seed: int, read_out: str, heads: int = 1
) -> dict[str, Any]:
    """Sit every task with many labels, frozen and fine-tuned, as `whole_exam` does."""
    N = max(N_LABELLED)
    return {
        task: {
            start: over_heads(
                pretrained, task, N, start, read_out, seed=seed, heads=heads
            )
            for start in ("frozen", "tuned")
        }
        for task in EXAM
    }


def entry(
    pretrained: Any,
    N_labelled: int = max(N_LABELLED),
    *way: str,
    seeds: Sequence[int] = (0,),
    heads: int = 1,
) -> dict[str, float]:
    """Sit every task with any network, as recorded ones do: its row in their table.

    `way` is the start, "tuned" by default, and the read-out if it is not [CLS]. Each of
    `seeds` is an exam with words of its own, and every score is the mean over them. Of
    the networks "bert", each sat the exam of its own seed, with 3 heads.
    """
    return {
        each.name: np.mean(
            [
                over_heads(pretrained, task, N_labelled, *way, seed=seed, heads=heads)
                for seed in seeds
            ]
        ).item()
        for task, each in EXAM.items()
    }


def over_heads(
    pretrained: Any, task: str, N_labelled: int, *way: str, seed: int, heads: int
) -> list[float]:
    """Sit a task, the topic of a noun with several heads to begin with.

    `way` is the start, and the read-out if it is not [CLS].
    """
    return [
        sit(pretrained, task, N_labelled, *way, seed=seed, head=head)
        for head in range(heads if task == "class" else 1)
    ]


def right_along(model: Any) -> list[float]:
    """Share of the topics of nouns right with many labels, for each of six heads."""
    N, rounded = max(N_LABELLED), deepcopy(model).half().float()  # as weights are kept
    return over_heads(rounded, "class", N, seed=0, heads=HEADS_ALONG)


def right(run: RecordedRun, task: str, *way: str) -> Float[np.ndarray, " N_seeds"]:
    """What each network of a recorded run has right, the mean over its heads."""
    return run.per_seed("examined", task, *way).mean(axis=1)
