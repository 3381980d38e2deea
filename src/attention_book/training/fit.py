"""The training loop, one for every model of the book.

Adam (Kingma and Ba, 2015) with gradients clipped to a length, and a learning rate that
falls to zero on a straight line. Unless a `Budget` is given, the number of steps is
fixed, not the time: the same seed gives the same losses, bit for bit, on the same
machine. What else shall happen between two steps is a callback's.
"""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.devices import device_of, moved
from attention_book.shapes import PAD, check_count, check_number, check_type
from attention_book.training.callbacks import Budget, Callback, Training
from attention_book.training.progress import Progress
from attention_book.training.seeds import seeded

Schedule = Callable[[int, int], float]
UNKNOWN = sys.maxsize  # N_steps for a schedule, until a Budget has an estimate


@dataclass(frozen=True)
class History:
    """What happened during training.

    `loss` has that of each step's batch before the step. `stopped` says why training
    ended: "steps" where all were made, else what a callback said, such as "early" or
    "time".
    """

    loss: Float[np.ndarray, "N_steps"]
    seconds: float
    steps: int
    seed: int
    stopped: str


def warmup(learning_rate: float, steps: int = 0) -> Schedule:
    """Make a learning rate that rises for so many steps, and falls to 0 at the end.

    It falls all the while, too. `fit` asks for `rate(step, N_steps)`.
    """
    check_number("learning_rate", learning_rate, above=0)
    check_count("warmup steps", steps, 0)

    def rate(step: int, N_steps: int) -> float:
        if step == 0:  # later a budget of seconds may have shortened what is to come
            check_count("warmup steps", steps, 0, N_steps)
        rising = min(1.0, (step + 1) / steps) if steps else 1.0
        return learning_rate * (rising * (1.0 - step / N_steps))

    return rate


def token_cross_entropy(model: nn.Module, batch: Any) -> Float[Tensor, ""]:
    """Mean surprise at the right next word, in nats a word; padding does not count.

    `model(source, source_visible, target_in)` gives logits (B, N_Y, N_words); a batch
    has these three and `target_out`.
    """
    logits = model(batch.source, batch.source_visible, batch.target_in)
    return F.cross_entropy(
        logits.flatten(0, 1), batch.target_out.flatten(), ignore_index=PAD
    )


def smoothed_cross_entropy(
    epsilon: float,
) -> Callable[[nn.Module, Any], Float[Tensor, ""]]:
    """Make a loss that asks for the right next word with 1 - epsilon only: label
    smoothing [szegedy2016rethinking].

    The rest is asked of all words of the vocabulary alike, the right one included, as
    in `reference.smoothed_loss`; padding does not count.

    With an epsilon of 0 this is `token_cross_entropy`; Vaswani et al. have 0.1.
    """
    if not (isinstance(epsilon, int | float) and 0 <= epsilon <= 1):
        raise ValueError(f"epsilon is {epsilon!r}, expected a number from 0 to 1")

    def loss(model: nn.Module, batch: Any) -> Tensor:
        logits = model(batch.source, batch.source_visible, batch.target_in)
        return F.cross_entropy(
            logits.flatten(0, 1),
            batch.target_out.flatten(),
            ignore_index=PAD,
            label_smoothing=epsilon,
        )

    return loss


def fit(
    model: nn.Module,
    batches: Iterable[Any],
    *,
    steps: int | None = None,
    seed: int,
    learning_rate: float | Schedule = 3e-3,
    loss: Callable[[nn.Module, Any], Tensor] = token_cross_entropy,
    clip: float = 1.0,
    callbacks: Sequence[Callback] = (Progress(),),
) -> History:
    """Train a model in place, where it is, and leave it in the mode it was in.

    Build the model inside `with seeded(seed):`, so that its first weights are
    repeatable too; the seed given here is for what is random inside it, such as
    dropout. There must be a batch for every step; each is copied to where the model is.
    Without `steps` there are as many as a `Budget` among the callbacks allows.
    `learning_rate` falls to 0 on a straight line, or is a `rate(step, N_steps)`, such
    as `warmup(3e-3, steps=100)`; without `steps`, N_steps is `sys.maxsize` at step 0,
    and then the budget's estimate. Gradients longer than `clip` are shortened to it.
    `callbacks` are asked before each step and at the end: `Progress(say)`,
    `Validation(batches)`, `Budget(seconds)`, `Snapshots(take, every=10)`, or one of
    your own.

    FloatingPointError when a loss is NaN or infinite: the model keeps the weights it
    had, or with `Validation` the best.
    """
    check_number("clip", clip, above=0)
    check_type("callbacks", callbacks, Sequence)
    for callback in callbacks:
        check_type("each of callbacks", callback, Callback)
    if steps is not None:
        check_count("steps", steps)
    elif not any(isinstance(callback, Budget) for callback in callbacks):
        raise ValueError(
            "steps is None, expected a count, or a Budget(seconds) among callbacks"
        )
    rate = learning_rate if callable(learning_rate) else warmup(learning_rate)
    first = rate(0, steps or UNKNOWN)
    optimizer = torch.optim.Adam(model.parameters(), first, betas=(0.9, 0.98))
    training, batches = Training(model, loss, steps), iter(batches)
    began = time.perf_counter()
    with seeded(seed), ExitStack() as stack:  # after an interrupt or an error, too
        stack.callback(model.train, model.training)
        for callback in callbacks:
            callback.begin(training)
            stack.callback(callback.end, training)
        for step in count():
            training.step = step
            why = [callback.before(training) for callback in callbacks]
            training.stopped = "steps" if step == steps else next(filter(None, why), "")
            if training.stopped:
                break
            optimizer.param_groups[0]["lr"] = rate(step, training.steps or UNKNOWN)
            model.train()
            batch = _next(batches, step, training.steps)
            value = loss(model, moved(batch, device_of(model)))
            _check_finite(value.item(), step)
            optimizer.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            training.losses.append(value.item())
    losses, seconds = np.array(training.losses), time.perf_counter() - began
    return History(losses, seconds, step, seed, training.stopped)


def _next(batches: Iterator[Any], step: int, steps: int | None) -> Any:
    try:
        return next(batches)
    except StopIteration:
        raise ValueError(
            f"batches ran out at step {step} of {steps or '…'}: give as many batches "
            "as steps, or batches without end"
        ) from None


def _check_finite(loss: float, step: int) -> None:
    if not math.isfinite(loss):
        raise FloatingPointError(
            f"the loss became {loss} at step {step}: try a smaller learning_rate, a "
            "smaller clip or a warm-up"
        )
