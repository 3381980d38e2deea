"""The training loop, one for every model of the book.

Adam (Kingma and Ba, 2015) with gradients clipped to a length, and a learning rate that
warms up (if asked) and then falls to zero on a straight line. The number of steps is
fixed, not the time: the same seed gives the same losses, bit for bit, on the same
machine.
"""

import math
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.devices import device_of, moved
from attention_book.shapes import PAD, check_count, check_number
from attention_book.training.progress import Progress
from attention_book.training.seeds import seeded


@dataclass(frozen=True)
class History:
    """What happened during training.

    Attributes
    ----------
    loss : (N_steps,)
        The loss of each step's batch before the step, in nats per token for
        `token_cross_entropy`.
    seconds : float
        Wall-clock time.
    steps : int
        How many were made.
    seed : int
        As given to `fit`.
    snapshots : dict
        What `snapshot` returned, by step.
    """

    loss: Float[np.ndarray, "N_steps"]
    seconds: float
    steps: int
    seed: int
    snapshots: dict[int, Any] = field(default_factory=dict)


def token_cross_entropy(model: nn.Module, batch: Any) -> Float[Tensor, ""]:
    """Mean surprise at the right next word, in nats a word; padding does not count.

    Parameters
    ----------
    model : module
        Called as `model(source, source_visible, target_in)`, gives logits (B, N_Y,
        N_words).
    batch : object
        Has `source`, `source_visible`, `target_in` and `target_out`.
    """
    logits = model(batch.source, batch.source_visible, batch.target_in)
    return F.cross_entropy(
        logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD
    )


def fit(
    model: nn.Module,
    batches: Iterable[Any],
    *,
    loss: Callable[[nn.Module, Any], Tensor] = token_cross_entropy,
    steps: int,
    stop_after: int | None = None,
    learning_rate: float = 3e-3,
    warmup_steps: int = 0,
    clip: float = 1.0,
    seed: int,
    snapshot_every: int | None = None,
    snapshot_at: Collection[int] = (),
    snapshot: Callable[[nn.Module, int], Any] | None = None,
    progress: bool = True,
) -> History:
    """Train a model in place, where it is, for a fixed number of steps.

    Parameters
    ----------
    model : module
        Changed in place. Build it inside `with seeded(seed):` so that its first weights
        are repeatable too.
    batches : iterable
        One batch per step; endless or at least `steps` long. Each is copied to where
        the model is.
    loss : callable
        `loss(model, batch)` gives a scalar tensor.
    steps : int
        How many batches to learn from.
    stop_after : int, optional
        End early after this many steps, as if interrupted there: the learning rate
        still heads for `steps`.
    learning_rate : float
        The largest one; it falls to 0 on a straight line.
    warmup_steps : int
        Steps during which the rate also rises from 0.
    clip : float
        Longest gradient allowed; longer ones are shortened to it.
    seed : int
        For whatever is random inside the model, such as dropout.
    snapshot_every, snapshot_at : int, collection of int
        After which steps to call `snapshot`: every so many, and these; 0 means before
        the first step.
    snapshot : callable
        `snapshot(model, step)`, in evaluation mode and without gradients; results are
        kept by step.
    progress : bool
        Show how far it is.

    Returns
    -------
    History

    Raises
    ------
    ValueError
        For a setting that makes no sense, or when the batches run out.
    FloatingPointError
        When the loss is NaN or infinite; the message names the step. The model keeps
        the weights it had.
    """
    end = steps if stop_after is None else stop_after
    check_count("steps", steps)
    check_count("stop_after", end, 1, steps)
    check_count("warmup_steps", warmup_steps, 0, steps)
    check_number("learning_rate", learning_rate, above=0)
    check_number("clip", clip, above=0)
    wanted = _snapshot_steps(snapshot_every, snapshot_at, snapshot, end)
    betas = (0.9, 0.98)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate, betas=betas)
    losses, snapshots, supply = np.zeros(end), {}, iter(batches)
    bar = Progress(end) if progress else None
    was_training, began = model.training, time.perf_counter()
    try:
        with seeded(seed):
            for step in range(end + 1):
                if step in wanted:
                    snapshots[step] = _take(snapshot, model, step)
                if step == end:
                    break
                for group in optimizer.param_groups:
                    group["lr"] = learning_rate * _schedule(step, steps, warmup_steps)
                batch = moved(_next(supply, step, end), device_of(model))
                losses[step] = _learn(model, batch, loss, optimizer, clip, step)
                if bar:
                    bar.advance(losses[step])
    finally:  # also after an interrupt or an error: the model can be used as it is
        model.train(was_training)
        if bar:
            bar.close()
    return History(losses, time.perf_counter() - began, end, seed, snapshots)


def _schedule(step: int, steps: int, warmup_steps: int) -> float:
    rising = min(1.0, (step + 1) / warmup_steps) if warmup_steps else 1.0
    return rising * (1.0 - step / steps)


def _learn(model, batch, loss, optimizer, clip, step) -> float:
    model.train()
    value = loss(model, batch)
    if not math.isfinite(value.item()):
        raise FloatingPointError(
            f"the loss became {value.item()} at step {step}: try a smaller "
            "learning_rate, a smaller clip or a warm-up"
        )
    optimizer.zero_grad()
    value.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return value.item()


def _next(supply, step: int, steps: int):
    try:
        return next(supply)
    except StopIteration:
        raise ValueError(
            f"batches ran out at step {step} of {steps}: give as many batches as steps"
        ) from None


def _take(snapshot, model, step):
    model.eval()
    with torch.no_grad():
        return snapshot(model, step)


def _snapshot_steps(
    every: int | None, at: Collection[int], snapshot: object, end: int
) -> set[int]:
    if every is not None:
        check_count("snapshot_every", every)
    for step in at:
        check_count("each of snapshot_at", step, 0, end)
    if (snapshot is None) == bool(every or at):
        raise ValueError(
            "give snapshot together with snapshot_every or snapshot_at: what to keep, "
            "and when"
        )
    return {*at, *(range(every, end + 1, every) if every else ())}
