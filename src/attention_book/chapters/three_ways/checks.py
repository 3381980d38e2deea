"""Chapter 8's checks: an average, and any other weighted sum."""

import numpy as np

from attention_book.chapters.three_ways import solutions
from attention_book.exercises.arrays import numbers, table
from attention_book.exercises.cases import Example
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)


def lies_between(example: Example) -> str | None:
    """An average of vectors lies between their smallest and largest entries."""
    X, c = example.inputs["X"], np.asarray(example.got["c"])
    if (c >= X.min(axis=0) - 1e-6).all() and (c <= X.max(axis=0) + 1e-6).all():
        return None
    return "c lies outside the vectors that it is an average of: are the weights 1/N_X?"


check_three_ways_average = Check(
    name="three_ways_average",
    reference=solutions.three_ways_average,
    gives={"c": "D"},
    task="Write `three_ways_average(X)`: "
    "vectors `X` of shape (N_X, D) in, their average of shape (D,) out.",
    cases=(
        Case("three vectors", {"X": numbers(0, 3, 4)}),
        Case("one vector", {"X": numbers(1, 1, 2)}),
    ),
    mutants=MISTAKES["three_ways_average"],
    laws=(lies_between,),
)

check_three_ways_mix = Check(
    name="three_ways_mix",
    reference=solutions.three_ways_mix,
    gives={"c": "D"},
    task="Write `three_ways_mix(a, X)`: "
    "weights `a` of shape (N_X,) and vectors `X` of shape (N_X, D) in, the sum of "
    "`a[i] * X[i]`, of shape (D,), out.",
    cases=(
        Case(
            "as many vectors as features",
            {"a": table("0.5 0.2 0.3"), "X": numbers(0, 3, 3)},
        ),
        Case("four vectors", {"a": table("0.1 0.2 0.3 0.4"), "X": numbers(1, 4, 2)}),
    ),
    mutants=MISTAKES["three_ways_mix"],
)
