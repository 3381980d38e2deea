"""The losses of a training, thinned so that a recording stays small."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.training import History

N_POINTS = 200  # of a loss curve
N_FIRST = 5  # losses kept as they are, for the replay


@dataclass(frozen=True)
class LossCurve:
    """A seed's losses, averaged over neighbouring steps down to 200 points at most.

    `step` is the middle of the steps that a point stands for; `first` are the losses of
    the first steps as they were. `seconds` are of the machine that recorded it, which
    had other work too: no measure of speed.
    """

    step: Float[np.ndarray, "N_points"]
    loss: Float[np.ndarray, "N_points"]
    first: Float[np.ndarray, "N_first"]
    seconds: float

    @classmethod
    def of(cls, history: History) -> "LossCurve":
        """Thin what a training went through."""
        width, losses = math.ceil(len(history.loss) / N_POINTS), history.loss
        starts = range(0, len(losses), width)
        parts = [losses[start : start + width] for start in starts]
        middles = [
            start + (len(part) - 1) / 2
            for start, part in zip(starts, parts, strict=True)
        ]
        return cls(
            np.array(middles),
            np.array([round(float(part.mean()), 5) for part in parts]),
            losses[:N_FIRST],
            round(history.seconds, 1),
        )

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "LossCurve":
        """The reverse of `to_json`."""
        arrays = (np.array(kept[name]) for name in ("step", "loss", "first"))
        return cls(*arrays, kept["seconds"])

    def to_json(self) -> dict[str, Any]:
        """Plain numbers and lists of them."""
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in asdict(self).items()
        }
