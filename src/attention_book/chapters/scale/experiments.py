"""The loss of a network that is not trained yet, foretold by a power law
[kaplan2020scaling], here with a floor [henighan2020scaling]:

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
from attention_book.chapters.scale import napkin, recipes
from attention_book.chapters.scale.napkin import Sizes
from attention_book.chapters.scale.recipes import AMOUNTS, FITTED, NEXT
from attention_book.chapters.scale.words import N_WORDS
from attention_book.shapes import (
    check_choice,
    check_count,
    check_finite,
    check_number,
    check_shapes,
)

WRITTEN_DOWN = Path(__file__).with_name("foretold.json")
ALPHAS = np.geomspace(0.02, 2, 400)  # exponents that are tried
DRAWS = 2000
BETWEEN = 2.5, 97.5  # percent of the draws

Figures = Float[np.ndarray, "..."] | float


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
    """L(N) = L_inf + scale N^-alpha, where scale is N_0^alpha; or one for each draw."""

    L_inf: Figures
    scale: Figures
    alpha: Figures

    def __call__(self, N: Figures) -> Figures:
        """Give the loss of a network with N weights."""
        return self.L_inf + self.scale * N**-self.alpha

    @property
    def is_found(self) -> bool:
        """Whether the exponent lies inside the range that was tried, not at its end;
        of several laws, whether all do.
        """
        return bool(np.all((ALPHAS[0] < self.alpha) & (self.alpha < ALPHAS[-1])))


def fit(
    N: Float[np.ndarray, "N_sizes"], L: Float[np.ndarray, "*draws N_sizes"]
) -> PowerLaw:
    """Fit the law by least squares, with neither floor nor scale below 0.

    For each exponent that is tried, the line through the points (N^-alpha, L) has
    these two; the exponent whose line is nearest is taken.
    """
    check_shapes(N=(N, "N_sizes"), L=(L, "*draws N_sizes"))
    check_finite("N", N)
    check_finite("L", L)
    if len(np.unique(N)) < 3 or (N <= 0).any():
        raise ValueError(f"N is {N}, expected three different sizes or more, above 0")
    x, L = N ** -ALPHAS[:, None], L[..., None, :]
    x_mean, L_mean = x.mean(axis=1), L.mean(axis=-1)
    away = x - x_mean[:, None]
    scale = ((away * L).sum(axis=-1) / (away**2).sum(axis=1)).clip(0)
    L_inf = L_mean - scale * x_mean
    through_0 = (x * L).sum(axis=-1) / (x**2).sum(axis=1)
    L_inf, scale = L_inf.clip(0), np.where(L_inf < 0, through_0, scale)
    error = ((L_inf[..., None] + scale[..., None] * x - L) ** 2).sum(axis=-1)
    best = error.argmin(axis=-1, keepdims=True)
    floor, height = (
        np.take_along_axis(each, best, axis=-1)[..., 0] for each in (L_inf, scale)
    )
    return PowerLaw(floor, height, ALPHAS[best[..., 0]])


def drawn_again(
    L: Float[np.ndarray, "N_seeds N_sizes"], draws: int = DRAWS
) -> Float[np.ndarray, "draws N_sizes"]:
    """Draw the seeds of each size again, with repetition, and give their means."""
    check_shapes(L=(L, "N_seeds N_sizes"))
    check_count("draws", draws)
    which = np.random.default_rng(0).integers(len(L), size=(draws, *L.shape))
    return np.take_along_axis(L[None], which, axis=1).mean(axis=1)


def foretell(
    N: Float[np.ndarray, "N_sizes"],
    L: Float[np.ndarray, "N_seeds N_sizes"],
    N_next: float,
) -> Forecast:
    """Fit the law, and say what comes next; the intervals are of seeds drawn again."""
    check_number("N_next", N_next, above=0)
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


def weights(D: int) -> int:
    """Count the weights of a width: two blocks and the last norm, without tables."""
    return napkin.weights(Sizes(D, N_blocks=2, N_words=0, others=2 * D))


def losses(
    amount: str, widths: Sequence[int], text: str = "held out", *, early: bool = False
) -> Float[np.ndarray, "N_seeds N_sizes"]:
    """Look up the losses at the end of training, on "train" or what is "held out"; and
    of networks that were trained for fewer steps, if `early`.
    """
    each = (runs.load(recipes.name(amount, D, early=early)) for D in widths)
    return np.stack([run.per_seed("examined", text) for run in each], axis=1)


def foretold(amount: str) -> Forecast:
    """Foretell the next size from those that it is fitted to."""
    check_choice("amount", amount, AMOUNTS)
    N = np.array([*map(weights, FITTED)], float)
    return foretell(N, losses(amount, FITTED), weights(NEXT))


def write_down() -> None:
    """Write all forecasts down, before the next size is trained.

    FileExistsError if they are: what was foretold is not changed afterwards.
    """
    found = {amount: foretold(amount) for amount in AMOUNTS}
    with WRITTEN_DOWN.open("x", encoding="utf-8") as file:
        file.write(json.dumps(found, indent=1) + "\n")


@cache
def written_down() -> Mapping[str, Forecast]:
    """Read what was foretold of each amount."""
    kept = json.loads(WRITTEN_DOWN.read_text("utf-8"))
    return {
        amount: {name: Estimate(*figures) for name, figures in forecast.items()}
        for amount, forecast in kept.items()
    }


@dataclass(frozen=True)
class Outcome:
    """What was foretold of one amount of words, and what came of it.

    The last size is the one that was foretold. `losses` are of the text that is held
    out.
    """

    weights: Float[np.ndarray, "N_sizes"]
    losses: Float[np.ndarray, "N_seeds N_sizes"]
    law: PowerLaw
    forecast: Forecast

    @property
    def measured(self) -> float:
        """The mean loss of the size that was foretold."""
        return float(self.losses[:, -1].mean())

    @property
    def inside(self) -> bool:
        """Whether that is where it was foretold."""
        return self.forecast["loss"].holds(self.measured)


@cache
def outcome(amount: str) -> Outcome:
    """Put forecast and recordings of an amount together."""
    check_choice("amount", amount, AMOUNTS)
    widths = (*FITTED, NEXT)
    N, L = np.array([*map(weights, widths)], float), losses(amount, widths)
    law = fit(N[:-1], L[:, :-1].mean(axis=0))
    return Outcome(N, L, law, written_down()[amount])


def words_a_weight() -> dict[int, float]:
    """Tell how many words each width reads for each of its weights, those of words and
    positions among them; Hoffmann et al. [hoffmann2022training] found about 20 best.
    """
    tables = N_WORDS + recipes.N_POSITIONS
    return {D: recipes.WORDS_READ / (weights(D) + tables * D) for D in (*FITTED, NEXT)}
