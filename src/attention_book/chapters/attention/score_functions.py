"""ScoreFunctions: one sentence read with different score functions.

The translation may be as good while the attention points elsewhere: that is why exact
match and alignment error stand side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select
from attention_book.widgets.expect import (
    expect_links,
    expect_shape,
    expect_some,
    expect_weights,
)
from attention_book.widgets.fields import over
from attention_book.widgets.grids import heat_map
from attention_book.widgets.strips import text
from attention_book.widgets.widget import Widget

Words = Sequence[str]


@dataclass(frozen=True)
class SentenceByScore:
    """A sentence and how each score function read it.

    Parameters
    ----------
    source, target
        N_X words that are read, N_Y words that are written.
    A
        Name of the score function -> weights, (N_Y, N_X).
    gold
        Links (source word, target word) that belong together, counted from 0.
    """

    source: Words
    target: Words
    A: Mapping[str, Float[np.ndarray, "N_Y N_X"]]
    gold: Sequence[tuple[int, int]]

    def __post_init__(self) -> None:
        N_Y, N_X = len(self.target), len(self.source)
        for name, A in self.A.items():
            expect_shape(f"A[{name!r}]", A, (N_Y, N_X), "target × source")
            expect_weights(f"A[{name!r}]", A)
        expect_links(self.gold, N_X, N_Y)


def score_functions(
    sentence: SentenceByScore,
    error: Mapping[str, float],
    exact_match: Mapping[str, float],
    *,
    start_score: str,
) -> Widget:
    """Show one sentence under several score functions, with their figures below.

    Parameters
    ----------
    sentence
        Of up to about ten words, or the map grows taller than a phone's screen.
    error, exact_match
        Name of the score function -> alignment error rate over the test set, share of
        it that is translated without a mistake, 0 to 1.
    """
    expect_some(error=error)
    names = list(error)
    for what, given in {"exact_match": exact_match, "sentence": sentence.A}.items():
        if list(given) != names:
            raise ValueError(
                f"{what} has the functions {list(given)} but error has {names}"
            )
    _expect_rates("error", error)
    _expect_rates("exact_match", exact_match)
    figures = [
        f"{name}: {exact_match[name]:.1%} of the test set without a mistake, alignment "
        f"error {error[name]:.3f}."
        for name in names
    ]
    return Widget(
        title="Five models read one sentence",
        question="Which model looks elsewhere?",
        controls=[select("model", names, default=start_score)],
        panels=[
            heat_map(
                sentence.target,
                sentence.source,
                over("model", [sentence.A[name] for name in names]),
                label="weights",
                axes=("target", "source"),
                gold=sentence.gold,
                gold_label="gold",
                limits=(0, 1),
                half=True,
            ),
            text(over("model", figures), half=True),
        ],
        link="scores",
    )


def _expect_rates(name: str, rates: Mapping[str, float]) -> None:
    for which, rate in rates.items():
        if not 0 <= rate <= 1:
            raise ValueError(f"{name}[{which!r}] is {rate}: a rate lies in [0, 1]")
