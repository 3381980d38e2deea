"""The training loop, one for every model of the book.

Adam (Kingma and Ba, 2015) with gradients clipped to a length, and a learning rate that
warms up (if asked) and then falls to zero on a straight line. The number of steps is
fixed, not the time: the same seed gives the same losses, bit for bit, on the same
machine. Two things may end it sooner, if asked: a loss on held-out batches that falls
no more (early stopping), and the clock.
"""

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from attention_book.devices import device_of, moved
from attention_book.shapes import PAD, check_count, check_filled, check_number
from attention_book.training.progress import Progress
from attention_book.training.seeds import seeded

VALIDATE_EVERY = 50


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
    validation : dict
        The loss on the validation batches, by step.
    stopped : {"steps", "early", "time"}
        Why it ended: all steps were made, the validation loss fell no more, or the time
        was spent.
    """

    loss: Float[np.ndarray, "N_steps"]
    seconds: float
    steps: int
    seed: int
    snapshots: dict[int, Any] = field(default_factory=dict)
    validation: dict[int, float] = field(default_factory=dict)
    stopped: str = "steps"


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


def smoothed_cross_entropy(
    epsilon: float,
) -> Callable[[nn.Module, Any], Float[Tensor, ""]]:
    """Make a loss that asks for the right next word with 1 - epsilon only: label
    smoothing [szegedy2016rethinking].

    The rest is asked of all words of the vocabulary alike, the right one included, as
    in `reference.smoothed_loss`; padding does not count.

    Parameters
    ----------
    epsilon : float
        From 0, which is `token_cross_entropy`, to 1. Vaswani et al. have 0.1.

    Returns
    -------
    callable
        For `fit`: `loss(model, batch)`, as `token_cross_entropy`.

    Raises
    ------
    ValueError
        If epsilon is no share.
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
    validation: Sequence[Any] | None = None,
    validate_every: int | None = None,
    patience: int | None = None,
    seconds: float | None = None,
    progress: bool = True,
) -> History:
    """Train a model in place, where it is, for a fixed number of steps, or until it
    gets no better or the time is spent.

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
    validation : list of batches, optional
        Held out: `loss` of them is measured in evaluation mode, each counted by its
        `N_target_tokens`. The weights with the lowest are those that the model keeps.
    validate_every : int, optional
        After how many steps, 50 unless told otherwise; before the first and at the end,
        too.
    patience : int, optional
        End when so many measurements in a row have brought no new lowest loss.
    seconds : float, optional
        End before the first step that would begin later. The learning rate heads for
        `steps` all the same, so give about as many as there is time for.
    progress : bool
        Show how far it is.

    Returns
    -------
    History

    Raises
    ------
    TypeError
        If `validation` is no list, such as batches without end.
    ValueError
        For a setting that makes no sense, or when the batches run out.
    FloatingPointError
        When a loss is NaN or infinite; the message names the step. The model keeps the
        weights it had, or with `validation` the best.
    """
    end = steps if stop_after is None else stop_after
    check_count("steps", steps)
    check_count("stop_after", end, 1, steps)
    check_count("warmup_steps", warmup_steps, 0, steps)
    check_number("learning_rate", learning_rate, above=0)
    check_number("clip", clip, above=0)
    if seconds is not None:
        check_number("seconds", seconds, above=0)
    wanted = _snapshot_steps(snapshot_every, snapshot_at, snapshot, end)
    _check_validation(validation, validate_every, patience)
    every = validate_every or VALIDATE_EVERY
    held_out = None if validation is None else _HeldOut(validation)
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
                late = time.perf_counter() - began >= (seconds or math.inf)
                stopped = "steps" if step == end else "time" if late else ""
                if held_out and (stopped or step % every == 0):
                    held_out.measure(model, loss, step)
                    if not stopped and held_out.in_vain >= (patience or math.inf):
                        stopped = "early"
                if stopped:
                    break
                for group in optimizer.param_groups:
                    group["lr"] = learning_rate * _schedule(step, steps, warmup_steps)
                batch = moved(_next(supply, step, end), device_of(model))
                losses[step] = _learn(model, batch, loss, optimizer, clip, step)
                if bar:
                    bar.advance(losses[step])
    finally:  # also after an interrupt or an error: the model can be used as it is
        if held_out and held_out.best:
            model.load_state_dict(held_out.best)
        model.train(was_training)
        if bar:
            bar.close()
    taken, measured = time.perf_counter() - began, held_out.losses if held_out else {}
    return History(losses[:step], taken, step, seed, snapshots, measured, stopped)


class _HeldOut:
    """The loss on held-out batches, by step, and the weights where it was lowest."""

    def __init__(self, batches: Sequence[Any]):
        self.batches = batches
        self.losses: dict[int, float] = {}
        self.best: dict[str, Tensor] = {}

    def measure(
        self, model: nn.Module, loss: Callable[[nn.Module, Any], Tensor], step: int
    ) -> None:
        """Add the loss at a step."""
        model.eval()
        with torch.no_grad():
            each = [
                loss(model, moved(batch, device_of(model))).item()
                for batch in self.batches
            ]
        sizes = [batch.N_target_tokens for batch in self.batches]
        value = float(np.average(each, weights=sizes))
        if not math.isfinite(value):
            raise FloatingPointError(
                f"the validation loss became {value} at step {step}"
            )
        if value < min(self.losses.values(), default=math.inf):
            self.best = {n: tensor.clone() for n, tensor in model.state_dict().items()}
        self.losses[step] = value

    @property
    def in_vain(self) -> int:
        """How many measurements there were since the lowest."""
        losses = [*self.losses.values()]
        return len(losses) - 1 - losses.index(min(losses))


def _check_validation(batches: object, every: int | None, patience: int | None) -> None:
    for name, count in (("validate_every", every), ("patience", patience)):
        if count is not None:
            check_count(name, count)
    if batches is None and (every or patience):
        raise ValueError(
            "validate_every and patience need validation, the batches to measure"
        )
    if batches is not None and not isinstance(batches, Sequence):
        raise TypeError(
            f"validation is a {type(batches).__name__}, expected a list of batches, "
            "such as list(data.batches(..., epochs=1))"
        )
    if batches is not None:
        check_filled("validation", batches, "batch")


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
