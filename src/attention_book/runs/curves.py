"""The losses of a training, thinned so that a recording stays small."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.training import History

N_POINTS = 200  # of a loss curve
N_FIRST = 5  # losses kept as they are, for the replay


@dataclass(frozen=True)
class LossCurve:
    """A seed's losses, averaged over neighbouring steps down to 200 points at most.

    `step` is the middle of the steps that a point stands for, see `middles`; `first`
    are the losses of the first steps as they were. `seconds` are of the machine that
    recorded it, which had other work too: no measure of speed.
    """

    step: Float[np.ndarray, "N_points"]
    loss: Float[np.ndarray, "N_points"]
    first: Float[np.ndarray, "N_first"]
    seconds: float

    @classmethod
    def of(cls, history: History) -> "LossCurve":
        """Thin what a training went through."""
        losses = history.loss
        step, width = middles(len(losses), N_POINTS)
        parts = np.split(losses, range(width, len(losses), width))
        return cls(
            step,
            np.array([round(float(part.mean()), 5) for part in parts]),
            losses[:N_FIRST],
            round(history.seconds, 1),
        )

    @classmethod
    def from_json(cls, kept: dict[str, Any], steps: int) -> "LossCurve":
        """The reverse of `to_json`, for a training of so many `steps`."""
        loss, first = np.array(kept["loss"]), np.array(kept["first"])
        step, _ = middles(steps, loss.size)
        if step.shape != loss.shape:
            raise ValueError(
                f"loss has {loss.size} points, expected {step.size} for {steps} steps"
            )
        return cls(step, loss, first, kept["seconds"])

    def to_json(self) -> dict[str, Any]:
        """Plain numbers and lists of them, without the steps, which a recipe tells."""
        return {
            "loss": self.loss.tolist(),
            "first": self.first.tolist(),
            "seconds": self.seconds,
        }


def middles(steps: int, N_points: int) -> tuple[Float[np.ndarray, "N_points"], int]:
    """The middles of neighbouring steps, joined to `N_points` at most, and how many.

    The number of points that come out gives the same middles again.
    """
    width = math.ceil(steps / max(N_points, 1))
    starts = np.arange(0, steps, width)
    return starts + (np.minimum(width, steps - starts) - 1) / 2, width
