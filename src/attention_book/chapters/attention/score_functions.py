"""ScoreFunctions: the same sentence read with different score functions, and how often
each is right.

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
from attention_book.widgets.predict import Prediction
from attention_book.widgets.strips import bars, text
from attention_book.widgets.widget import Widget

Words = Sequence[str]
BOTH = ("sentence", "score")


@dataclass(frozen=True)
class SentenceByScore:
    """A sentence and how each score function read it.

    Parameters
    ----------
    source, target
        N_X words that are read, N_Y words that are written.
    A
        Name of the score function -> weights, (N_Y, N_X).
    error
        Name of the score function -> alignment error rate of this sentence, 0 to 1.
    gold
        Links (source word, target word) that belong together, counted from 0.

    Raises
    ------
    ValueError
        Functions that differ between `A` and `error`, or a shape, a rate or a link that
        cannot be.
    """

    source: Words
    target: Words
    A: Mapping[str, Float[np.ndarray, "N_Y N_X"]]
    error: Mapping[str, float]
    gold: Sequence[tuple[int, int]]

    def __post_init__(self) -> None:
        N_Y, N_X = len(self.target), len(self.source)
        if list(self.A) != list(self.error):
            raise ValueError(
                f"A has the functions {list(self.A)} but error has {list(self.error)}"
            )
        for name, A in self.A.items():
            expect_shape(f"A[{name!r}]", A, (N_Y, N_X), "target × source")
            expect_weights(f"A[{name!r}]", A)
        _expect_rates("error", self.error)
        expect_links(self.gold, N_X, N_Y)


def score_functions(
    sentences: Mapping[str, SentenceByScore],
    error: Mapping[str, float],
    exact_match: Mapping[str, float],
    *,
    start_sentence: str,
    start_score: str,
    link: str = "scores",
    predict: Prediction | None = None,
) -> Widget:
    """Show one sentence under several score functions, with their figures beside it.

    Parameters
    ----------
    sentences
        Name in the menu -> sentence.
    error
        Name of the score function -> alignment error rate over the test set, 0 to 1.
    exact_match
        Name of the score function -> share of the test set translated without a
        mistake, 0 to 1.
    start_sentence, start_score
        The state it opens in.
    predict
        What is asked before it is shown.

    Raises
    ------
    ValueError
        No sentence, functions that differ between the arguments, a rate outside [0, 1],
        or a start that is not there.
    """
    expect_some(sentences=sentences, error=error)
    names = list(error)
    for what, given in {
        "exact_match": exact_match,
        **{repr(name): s.A for name, s in sentences.items()},
    }.items():
        if list(given) != names:
            raise ValueError(
                f"{what} has the functions {list(given)} but error has {names}"
            )
    _expect_rates("error", error)
    _expect_rates("exact_match", exact_match)
    each = list(sentences.values())

    def compared(values: object, label: str):
        return bars(names, values, label=label, axis="score", limits=(0, 1), half=True)

    return Widget(
        title="Three ways to score, one sentence",
        question="Two models that translate equally well: do they look at the same "
        "words?",
        controls=[
            select("sentence", list(sentences), default=start_sentence),
            select("score", names, default=start_score),
        ],
        panels=[
            heat_map(
                over("sentence", [s.target for s in each]),
                over("sentence", [s.source for s in each]),
                over(*BOTH, [[s.A[name] for name in names] for s in each]),
                label="weights",
                axes=("target", "source"),
                gold=over("sentence", [s.gold for s in each]),
                gold_label="true alignment",
                limits=(0, 1),
            ),
            compared(
                over("sentence", [_values(s.error, names) for s in each]),
                "alignment error, this sentence",
            ),
            compared(_values(error, names), "alignment error, test set"),
            compared(_values(exact_match, names), "exact match, test set"),
            text(
                over(
                    *BOTH,
                    lambda s, n: _verdict(
                        n, sentences[s].error[n], error[n], exact_match[n]
                    ),
                ),
                half=True,
            ),
        ],
        follow={"score": "score"},
        link=link,
        predict=predict,
    )


def _values(rates: Mapping[str, float], names: Sequence[str]) -> list[float]:
    return [float(rates[name]) for name in names]


def _verdict(name: str, here: float, error: float, exact: float) -> str:
    return (
        f"{name}: {exact:.1%} of the test set without a mistake. Its strongest links "
        f"miss the true ones at a rate of {error:.2f} there, and of {here:.2f} on this "
        "sentence."
    )


def _expect_rates(name: str, rates: Mapping[str, float]) -> None:
    for which, rate in rates.items():
        if not 0 <= rate <= 1:
            raise ValueError(f"{name}[{which!r}] is {rate}: a rate lies in [0, 1]")
