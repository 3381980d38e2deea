"""`check_positional_encoding`, `check_add_positions`: telling an input its place."""

import numpy as np

from attention_book.exercises.arrays import numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import add_positions, positional_encoding

MISTAKES = read_mistakes(__file__)


def sines_and_cosines(example: Example) -> str | None:
    """Show the first wrong entry with the angle it should come from."""
    got, want = example.got["P"], example.expected["P"]
    wrong = np.argwhere(~np.isclose(got, want, atol=1e-5))
    if not wrong.size:
        return None
    t, column = wrong[0]
    wave, two_i = ("cos", column - 1) if column % 2 else ("sin", column)
    return (
        f"P[{t}, {column}] is {got[t, column]:.4g}, expected {wave}({t} / "
        f"10000^({two_i} / {example.inputs['D']})) = {want[t, column]:.4g}. Positions "
        "count from 0; even columns hold sines, odd ones cosines of the same angle."
    )


check_positional_encoding = Check(
    name="positional_encoding",
    reference=positional_encoding,
    gives={"P": "N D"},
    task="Write `positional_encoding(N, D)`: an array P (N, D), D even, with P[t, 2i] "
    "= sin(t / 10000^(2i / D)) and P[t, 2i + 1] = cos(t / 10000^(2i / D)) for the "
    "positions t = 0, 1, ...",
    cases=(
        Case("five positions", N=5, D=6),
        Case("one pair", N=4, D=2),
        Case("more columns than positions", N=7, D=10),
        Case("a single position", N=1, D=4),
    ),
    mutants=MISTAKES["positional_encoding"],
    laws=(sines_and_cosines,),
)


def each_gets_its_own(example: Example) -> str | None:
    """Look at what was added, position by position, and whose it is."""
    X, P = example.inputs.values()
    for t, row in enumerate(example.got["Y"] - X):
        if not np.allclose(row, P[t], atol=1e-5):
            whose = [k for k, p in enumerate(P) if np.allclose(row, p, atol=1e-5)]
            added = f"P[{whose[0]}]" if whose else row.round(3)
            return (
                f"to the input at position {t} you add {added}, not P[{t}]. "
                "Every item of the batch is to be X[t] + P[t], t from 0."
            )
    return None


check_add_positions = Check(
    name="add_positions",
    reference=add_positions,
    gives={"Y": "N D"},
    task="Write `add_positions(X, P)`: a new array, the batch X (B, N, D) with P[t] "
    "added to every input at position t, t from 0. P (N_max, D) has N_max >= N rows.",
    cases=(
        Case("two short sequences", X=numbers(0, 2, 3, 4), P=numbers(1, 7, 4)),
        Case("as many sequences as inputs", X=numbers(4, 3, 3, 2), P=numbers(5, 9, 2)),
    ),
    mutants=MISTAKES["add_positions"],
    laws=(each_gets_its_own,),
    batch=("X",),
    forms=("batched",),
)
