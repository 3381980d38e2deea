"""`check_positional_encoding`, `check_add_positions`: telling an input its place."""

import numpy as np

from attention_book.exercises.arrays import numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import add_positions, positional_encoding

MISTAKES = read_mistakes(__file__)


def begins_at_zero(example: Example) -> str | None:
    """Position 0 has angle 0 everywhere: sin 0 = 0, cos 0 = 1."""
    first = np.asarray(example.got["P"], dtype=float)[0]
    if np.allclose(first, example.expected["P"][0], atol=1e-6):
        return None
    return (
        f"row 0 of P is {first.round(3).tolist()}. Position 0 has angle 0 in every "
        "pair: sin 0 = 0 in the even columns, cos 0 = 1 in the odd ones."
    )


def pairs_are_clock_hands(example: Example) -> str | None:
    """Sine and cosine of a pair belong to one angle: their squares sum to 1."""
    P = np.asarray(example.got["P"], dtype=float)
    lengths = P[:, 0::2] ** 2 + P[:, 1::2] ** 2
    if np.allclose(lengths, 1, atol=1e-4):
        return None
    t, i = np.unravel_index(np.abs(lengths - 1).argmax(), lengths.shape)
    return (
        f"columns {2 * i} and {2 * i + 1} are no pair at position {t}: their squares "
        f"sum to {lengths[t, i]:.3f}, not to 1. They are sine and cosine of the same "
        "angle."
    )


def frequencies(example: Example) -> str | None:
    """Name the first pair that turns at the wrong speed, read from position 1."""
    P, wanted = np.asarray(example.got["P"], dtype=float), example.expected["P"]
    got, want = (np.arctan2(M[1, 0::2], M[1, 1::2]) for M in (P, wanted))
    wrong = ~np.isclose(got, want, rtol=1e-3, atol=1e-6)
    if not wrong.any():
        return None
    i = int(wrong.argmax())
    return (
        f"from one position to the next, columns {2 * i} and {2 * i + 1} turn by an "
        f"angle of {got[i]:.4g}; expected 1 / 10000^({2 * i} / {P.shape[1]}) = "
        f"{want[i]:.4g}."
    )


check_positional_encoding = Check(
    name="positional_encoding",
    reference=positional_encoding,
    gives={"P": "N D"},
    task="Write `positional_encoding(N, D)`: an array P (N, D), D even, with P[t, 2i] "
    "= sin(t / 10000^(2i / D)) and P[t, 2i + 1] = cos(t / 10000^(2i / D)), so that "
    "sine and cosine of one frequency stand side by side. Positions t are counted from "
    "0.",
    cases=(
        Case("five positions", N=5, D=6),
        Case("a wider one", N=3, D=8),
        Case("one pair", N=4, D=2),
    ),
    mutants=MISTAKES["positional_encoding"],
    laws=(begins_at_zero, pairs_are_clock_hands, frequencies),
)


def each_gets_its_own(example: Example) -> str | None:
    """Look at what was added, position by position, and whose it is."""
    added = np.asarray(example.got["Y"], dtype=float) - example.inputs["X"]
    P = example.inputs["P"]
    for t, row in enumerate(added):
        if not np.allclose(row, P[t], atol=1e-5):
            same = [k for k in range(len(P)) if np.allclose(row, P[k], atol=1e-5)]
            what = f"P[{same[0]}]" if same else row.round(3).tolist()
            what = what if row.any() else "nothing"
            return (
                f"to the input at position {t} you add {what}, not P[{t}]. In every "
                "item of the batch, X[t] + P[t] is due, with t counted from 0."
            )
    return None


check_add_positions = Check(
    name="add_positions",
    reference=add_positions,
    gives={"Y": "N D"},
    task="Write `add_positions(X, P)`: X (B, N, D) is a batch of sequences, P (N_max, "
    "D) has a vector for each position, and N_max >= N. Return a new array (B, N, D): "
    "every item of the batch gets P[t] added to its input at position t. Leave X as it "
    "is.",
    cases=(
        Case("two short sequences", X=numbers(0, 2, 3, 4), P=numbers(1, 7, 4)),
        Case("three longer sequences", X=numbers(2, 3, 4, 2), P=numbers(3, 12, 2)),
        Case("as many sequences as inputs", X=numbers(4, 3, 3, 2), P=numbers(5, 9, 2)),
    ),
    mutants=MISTAKES["add_positions"],
    laws=(each_gets_its_own,),
    batch=("X",),
    forms=("batched",),
)
