"""Chapter «number»'s checks: an average, and any other weighted sum."""

import numpy as np

from attention_book.chapters.skeleton import solutions
from attention_book.exercises.arrays import numbers, table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)


def lies_between(example: Example) -> str | None:
    """An average of vectors lies between their smallest and largest entries."""
    X, c = example.inputs["X"], example.got["c"]
    if (c >= X.min(axis=0) - 1e-6).all() and (c <= X.max(axis=0) + 1e-6).all():
        return None
    return "c lies outside the vectors that it is an average of: are the weights 1/N_X?"


check_skeleton_average = Check(
    name="skeleton_average",
    reference=solutions.skeleton_average,
    gives={"c": "D"},
    task="Write `skeleton_average(X)`: "
    "vectors `X` of shape (N_X, D) in, their average of shape (D,) out.",
    cases=(
        Case("three vectors", X=numbers(0, 3, 4)),
        Case("one vector", X=numbers(1, 1, 2)),
    ),
    mutants=MISTAKES["skeleton_average"],
    laws=(lies_between,),
)

def adds_up_in_every_feature(example: Example) -> str | None:
    """Name the first feature that is off."""
    off = ~np.isclose(example.got["c"], example.expected["c"])
    if not off.any():
        return None
    d = off.argmax()
    return f"c[{d}] is not the sum of a[i] * X[i, {d}] over the inputs."


check_skeleton_mix = Check(
    name="skeleton_mix",
    reference=solutions.skeleton_mix,
    gives={"c": "D"},
    task="Write `skeleton_mix(a, X)`: "
    "weights `a` of shape (N_X,) and vectors `X` of shape (N_X, D) in, the sum of "
    "`a[i] * X[i]`, of shape (D,), out.",
    cases=(
        Case("as many as features", a=table("0.5 0.2 0.3"), X=numbers(0, 3, 3)),
        Case("four vectors", a=table("0.1 0.2 0.3 0.4"), X=numbers(1, 4, 2)),
    ),
    mutants=MISTAKES["skeleton_mix"],
    laws=(adds_up_in_every_feature,),
)
