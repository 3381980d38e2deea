"""What may happen between two steps of training: look, measure, or end it."""

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attention_book.devices import device_of, moved
from attention_book.shapes import check_count, check_filled, check_number


@dataclass
class Training:
    """Where training is; `stopped` is empty while it goes on, and after an error."""

    model: nn.Module
    loss: Callable[[nn.Module, Any], Tensor]
    steps: int | None  # to be made; None until a Budget has an estimate
    step: int = 0  # made
    losses: list[float] = field(default_factory=list)
    stopped: str = ""


class Callback:
    """Asked by `fit` along the way; does nothing, so that another writes what differs.

    A callback may serve one `fit` after another.
    """

    def begin(self, training: Training) -> None:
        """Start afresh; complain about what does not fit this training."""

    def before(self, training: Training) -> str | None:
        """Act before each step, and after the last; give a word to end training."""

    def end(self, training: Training) -> None:
        """Act at the end, an error or an interrupt included."""


class Snapshots(Callback):
    """Keep what `take(model)` gives, in evaluation mode and without gradients.

    `taken` has it by step: every so many steps, and at those in `at`; 0 is before the
    first.
    """

    def __init__(
        self,
        take: Callable[[nn.Module], Any],
        *,
        every: int | None = None,
        at: Collection[int] | None = None,
    ):
        if every is not None:
            check_count("every", every)
        elif at is None:
            raise ValueError("Snapshots needs every or at: after which steps to take")
        self.take, self.every, self.at = take, every, at or ()
        self.taken: dict[int, Any] = {}

    def begin(self, training: Training) -> None:
        """Forget what was taken."""
        for step in self.at:
            check_count("each of at", step, 0, training.steps)
        self.taken = {}

    def before(self, training: Training) -> None:
        """Take what is due."""
        step = training.step
        if step in self.at or (self.every and step and step % self.every == 0):
            training.model.eval()
            with torch.no_grad():
                self.taken[step] = self.take(training.model)


class Validation(Callback):
    """Measure on held-out pairs, and leave the weights that were best.

    Best is where the loss on `held_out` batches was lowest; each counts by its
    `N_target_tokens`. Or `held_out` is a function of the model, such as its BLEU: the
    weights with the highest score are left. A loss often rises while translations still
    improve. Measured every so many steps, before the first and at the end; `losses`, or
    `scores`, are by step. Of equal ones the last counts, since a score can stay 0 for a
    while. Training ends when `patience` measurements in a row were worse.
    """

    def __init__(
        self,
        held_out: Sequence[Any] | Callable[[nn.Module], float],
        *,
        every: int = 50,
        patience: int | None = None,
    ):
        check_count("every", every)
        if patience is not None:
            check_count("patience", patience)
        if not callable(held_out):
            if not isinstance(held_out, Sequence):
                raise TypeError(
                    f"held_out is a {type(held_out).__name__}, expected a list of "
                    "batches, such as list(data.batches(..., epochs=1)), or a function"
                )
            check_filled("held_out", held_out, "batch")
            for i, batch in enumerate(held_out):
                if not hasattr(batch, "N_target_tokens"):
                    raise TypeError(
                        f"held_out[{i}] is a {type(batch).__name__}, expected a batch: "
                        "list(data.batches(pairs, ..., epochs=1)) makes some of pairs"
                    )
        self.held_out, self.every, self.patience = held_out, every, patience
        self.losses: dict[int, float] = {}
        self.best: dict[str, Tensor] = {}

    @property
    def scores(self) -> dict[int, float]:
        """What the function gave, by step."""
        return {step: -loss for step, loss in self.losses.items()}

    def begin(self, training: Training) -> None:
        """Forget what was measured."""
        self.losses = {}

    def before(self, training: Training) -> str | None:
        """Measure if it is due; say "early" when patience is over."""
        if training.step % self.every:
            return None
        self._measure(training)
        losses = [*self.losses.values()]
        in_a_row = losses[::-1].index(min(losses))
        return "early" if in_a_row >= (self.patience or math.inf) else None

    def end(self, training: Training) -> None:
        """Measure the last weights, unless interrupted, and give the model the best."""
        try:
            if training.stopped and training.step not in self.losses:
                self._measure(training)
        finally:
            if self.losses:
                training.model.load_state_dict(self.best)

    def _measure(self, training: Training) -> None:
        model = training.model.eval()
        with torch.no_grad():
            value = self._loss(model, training.loss)
        if not math.isfinite(value):
            score = callable(self.held_out)
            what = f"score became {-value}" if score else f"loss became {value}"
            raise FloatingPointError(f"the validation {what} at step {training.step}")
        if value <= min(self.losses.values(), default=math.inf):
            self.best = {n: tensor.clone() for n, tensor in model.state_dict().items()}
        self.losses[training.step] = value

    def _loss(
        self, model: nn.Module, loss: Callable[[nn.Module, Any], Tensor]
    ) -> float:
        """The mean loss of all batches, or less the higher the score."""
        if callable(self.held_out):
            return -float(self.held_out(model))
        device = device_of(model)
        each = [loss(model, moved(batch, device)).item() for batch in self.held_out]
        sizes = [batch.N_target_tokens for batch in self.held_out]
        return float(np.average(each, weights=sizes))


class Budget(Callback):
    """Make as many steps as so many seconds allow, at most `steps` of `fit` if given.

    The seconds are those of a clock on the wall. The learning rate falls to 0 when they
    end: how many steps there will be is estimated anew before each, from those made.
    """

    def __init__(self, seconds: float):
        check_number("seconds", seconds, above=0)
        self.seconds, self.began = seconds, math.nan
        self.most: int | None = None

    def begin(self, training: Training) -> None:
        """Start the clock."""
        self.began, self.most = time.perf_counter(), training.steps

    def before(self, training: Training) -> str | None:
        """Say "time" when it is spent."""
        passed = time.perf_counter() - self.began
        if passed >= self.seconds:
            return "time"
        if passed and training.step:
            coming = math.ceil(training.step * self.seconds / passed)
            training.steps = min(self.most or coming, coming)
        return None


class StopAfter(Callback):
    """End after the first steps, while the learning rate heads for all of them."""

    def __init__(self, steps: int):
        check_count("StopAfter", steps)
        self.steps = steps

    def begin(self, training: Training) -> None:
        """Complain about more steps than there will be."""
        check_count("StopAfter", self.steps, 1, training.steps)

    def before(self, training: Training) -> str | None:
        """Say "steps" when they are made."""
        return "steps" if training.step == self.steps else None
