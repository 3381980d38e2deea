"""Chapter 9's checks: an average, and any other weighted sum."""

import numpy as np

from attention_book.chapters.cnn_attention import solutions
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


check_cnn_attention_average = Check(
    name="cnn_attention_average",
    reference=solutions.cnn_attention_average,
    gives={"c": "D"},
    task="Write `cnn_attention_average(X)`: "
    "vectors `X` of shape (N_X, D) in, their average of shape (D,) out.",
    cases=(
        Case("three vectors", {"X": numbers(0, 3, 4)}),
        Case("one vector", {"X": numbers(1, 1, 2)}),
    ),
    mutants=MISTAKES["cnn_attention_average"],
    laws=(lies_between,),
)

check_cnn_attention_mix = Check(
    name="cnn_attention_mix",
    reference=solutions.cnn_attention_mix,
    gives={"c": "D"},
    task="Write `cnn_attention_mix(a, X)`: "
    "weights `a` of shape (N_X,) and vectors `X` of shape (N_X, D) in, the sum of "
    "`a[i] * X[i]`, of shape (D,), out.",
    cases=(
        Case(
            "as many vectors as features",
            {"a": table("0.5 0.2 0.3"), "X": numbers(0, 3, 3)},
        ),
        Case("four vectors", {"a": table("0.1 0.2 0.3 0.4"), "X": numbers(1, 4, 2)}),
    ),
    mutants=MISTAKES["cnn_attention_mix"],
)
