"""The loss of a network that is not trained yet, foretold by a power law
[kaplan2020scaling]:

    L(N) = L_inf + (N_0 / N)^alpha        N: weights, without those of the words

The law is fitted to five sizes. What it says of the sixth was written down in
`foretold.json` before that one was trained, and stays as it is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from attention_book import runs
from attention_book.chapters.scale import recipes
from attention_book.chapters.scale.recipes import AMOUNTS, FITTED, NEXT

WRITTEN_DOWN = Path(__file__).with_name("foretold.json")
ALPHAS = np.geomspace(0.02, 2, 400)  # exponents that are tried
DRAWS = 2000
BETWEEN = 2.5, 97.5  # percent of the draws


class Estimate(NamedTuple):
    """A figure, and the interval that holds 95 % of the draws."""

    value: float
    low: float
    high: float

    def holds(self, measured: float) -> bool:
        """Tell whether a figure lies inside."""
        return self.low <= measured <= self.high


Forecast = Mapping[str, Estimate]  # "loss" of the next size, "L_inf" and "alpha"


@dataclass(frozen=True)
class PowerLaw:
    """L(N) = L_inf + scale N^-alpha, where scale is N_0^alpha; or many such laws."""

    L_inf: Float[np.ndarray, "*draws"]
    scale: Float[np.ndarray, "*draws"]
    alpha: Float[np.ndarray, "*draws"]

    def __call__(self, N: Float[np.ndarray, "*draws"] | float) -> np.ndarray:
        """Give the loss of a network with N weights."""
        return self.L_inf + self.scale * N**-self.alpha


def fit(
    N: Float[np.ndarray, "N_sizes"], L: Float[np.ndarray, "*draws N_sizes"]
) -> PowerLaw:
    """Fit the law by least squares: for each exponent the other two have a formula.

    Neither is below 0.
    """
    x, L = N ** -ALPHAS[:, None], L[..., None, :]
    x_mean, L_mean = x.mean(axis=1, keepdims=True), L.mean(axis=-1, keepdims=True)
    scale = _over_squares((L * (x - x_mean)), x - x_mean).clip(0)
    L_inf = L_mean - scale * x_mean
    scale = np.where(L_inf < 0, _over_squares(L * x, x), scale)
    L_inf = L_inf.clip(0)
    error = ((L_inf + scale * x - L) ** 2).sum(axis=-1)
    best = error.argmin(axis=-1)[..., None]
    L_inf, scale = (
        np.take_along_axis(each[..., 0], best, axis=-1)[..., 0]
        for each in (L_inf, scale)
    )
    return PowerLaw(L_inf, scale, ALPHAS[best[..., 0]])


def _over_squares(product: np.ndarray, x: np.ndarray) -> np.ndarray:
    return product.sum(axis=-1, keepdims=True) / (x**2).sum(axis=-1, keepdims=True)


def drawn_again(
    L: Float[np.ndarray, "N_seeds N_sizes"], draws: int = DRAWS
) -> Float[np.ndarray, "draws N_sizes"]:
    """Draw the seeds of each size again, with repetition, and give their means."""
    which = np.random.default_rng(0).integers(len(L), size=(draws, *L.shape))
    return np.take_along_axis(L[None], which, axis=1).mean(axis=1)


def weights(D: int) -> int:
    """Count the weights of a width that need not be recorded."""
    task = recipes.task("all", D)
    return task.measure(task.model())["weights"]


def losses(
    amount: str, widths: Sequence[int], text: str = "held out"
) -> Float[np.ndarray, "N_seeds N_sizes"]:
    """Look up what was recorded at the end of training."""
    each = (runs.load(recipes.name(amount, D)) for D in widths)
    return np.stack([run.per_seed("examined", text) for run in each], axis=1)


def foretell(
    N: Float[np.ndarray, "N_sizes"],
    L: Float[np.ndarray, "N_seeds N_sizes"],
    N_next: int,
) -> Forecast:
    """Fit the law, and say what comes next; the intervals are of seeds drawn again."""
    law, laws = fit(N, L.mean(axis=0)), fit(N, drawn_again(L))
    figures = {
        "loss": (law(N_next), laws(N_next)),
        "L_inf": (law.L_inf, laws.L_inf),
        "alpha": (law.alpha, laws.alpha),
    }
    return {
        name: Estimate(float(value), *map(float, np.percentile(draws, BETWEEN)))
        for name, (value, draws) in figures.items()
    }


def foretold(amount: str) -> Forecast:
    """Foretell the next size from those that are recorded."""
    N = np.array([*map(weights, FITTED)], float)
    return foretell(N, losses(amount, FITTED), weights(NEXT))


def write_down() -> None:
    """Write the forecasts down; this was done once, before the next size was trained."""
    found = {amount: foretold(amount) for amount in AMOUNTS}
    WRITTEN_DOWN.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


@cache
def written_down() -> Mapping[str, Forecast]:
    """Read what was foretold of each amount."""
    kept = json.loads(WRITTEN_DOWN.read_text("utf-8"))
    return {
        amount: {name: Estimate(*figures) for name, figures in forecast.items()}
        for amount, forecast in kept.items()
    }
