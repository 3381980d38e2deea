"""`check_positional_encoding`, `check_add_positions`: telling an input where it stands."""

import numpy as np

from attention_book.chapters.attention_layer.checks.attention import numbers
from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant
from attention_book.reference import add_positions, positional_encoding

COUNT = "t = np.arange(N)[:, None]"
COLUMNS = "two_i = np.arange(0, D, 2)[None, :]"
ANGLE = "angle = t / 10000 ** (two_i / D)"
SINES, COSINES = "P[:, 0::2] = np.sin(angle)", "P[:, 1::2] = np.cos(angle)"
ADD = "return X + P[:N]"


def lies_between(seen: Seen) -> str | None:
    """Sines and cosines lie between -1 and 1."""
    far = float(np.abs(seen.got["P"]).max())
    return (
        f"P holds {far:.3f}. A sine or cosine lies between -1 and 1."
        if far > 1 + 1e-6
        else None
    )


def begins_at_zero(seen: Seen) -> str | None:
    """Position 0 has angle 0 everywhere: sin 0 = 0, cos 0 = 1."""
    first = np.asarray(seen.got["P"], dtype=float)[0]
    if np.allclose(first, seen.expected["P"][0], atol=1e-6):
        return None
    return (
        f"row 0 of P is {first.round(3).tolist()}. Position 0 has angle 0 in every "
        "pair: sin 0 = 0 in the even columns, cos 0 = 1 in the odd ones."
    )


def pairs_are_clock_hands(seen: Seen) -> str | None:
    """The sine and the cosine of a pair belong to one angle, so that their squares sum to 1."""
    P = np.asarray(seen.got["P"], dtype=float)
    lengths = P[:, 0::2] ** 2 + P[:, 1::2] ** 2
    if np.allclose(lengths, 1, atol=1e-4):
        return None
    t, i = (
        int(n) for n in np.unravel_index(np.abs(lengths - 1).argmax(), lengths.shape)
    )
    return (
        f"columns {2 * i} and {2 * i + 1} are no pair at position {t}: their squares "
        f"sum to {lengths[t, i]:.3f}, not to 1. They are sine and cosine of the same "
        "angle."
    )


def frequencies(seen: Seen) -> str | None:
    """Name the first pair that turns at the wrong speed, read from position 1."""
    P, wanted = np.asarray(seen.got["P"], dtype=float), seen.expected["P"]
    if len(P) < 2:
        return None
    for i in range(P.shape[1] // 2):
        got, want = (
            float(np.arctan2(M[1, 2 * i], M[1, 2 * i + 1])) for M in (P, wanted)
        )
        if not np.isclose(got, want, rtol=1e-3, atol=1e-6):
            return (
                f"from one position to the next, columns {2 * i} and {2 * i + 1} turn "
                f"by an angle of {got:.4g}; expected 1 / 10000^({2 * i} / "
                f"{P.shape[1]}) = {want:.4g}."
            )
    return None


def added_to_the_first(seen: Seen) -> str | None:
    """Look at what was added, position by position."""
    added = np.asarray(seen.got["Y"], dtype=float) - seen.inputs["X"]
    for t, row in enumerate(added):
        if not np.allclose(row, seen.inputs["P"][t], atol=1e-5):
            return f"to the input at position {t} you add {row.round(3).tolist()}, not P[{t}]."
    return None


check_positional_encoding = Check(
    name="positional_encoding",
    reference=positional_encoding,
    gives={"P": "N D"},
    task="Write `positional_encoding(N, D)`: an array P (N, D), D even, with P[t, 2i] = sin(t / 10000^(2i / D)) and "
    "P[t, 2i + 1] = cos(t / 10000^(2i / D)), so that sine and cosine of one frequency "
    "stand side by side. Positions t are counted from 0.",
    cases=(
        Case("five positions", {"N": 5, "D": 6}),
        Case("a wider one", {"N": 3, "D": 8}),
        Case("one pair", {"N": 4, "D": 2}),
    ),
    mutants=(
        Mutant(
            "sines and cosines in halves",
            (
                (SINES, "P[:, : D // 2] = np.sin(angle)"),
                (COSINES, "P[:, D // 2 :] = np.cos(angle)"),
            ),
            "All sines stand first, then all cosines. That is a convention too, and "
            "works as well, but not the one asked for: here they take turns, sines in "
            "the even columns (0::2), cosines in the odd ones (1::2).",
        ),
        Mutant(
            "cosine first",
            (
                (SINES, SINES.replace("sin", "cos")),
                (COSINES, COSINES.replace("cos", "sin")),
            ),
            "Your even columns hold cosines and your odd ones sines. It is the other "
            "way round.",
        ),
        Mutant(
            "exponent i instead of 2i",
            ((ANGLE, "angle = t / 10000 ** (two_i / 2 / D)"),),
            "Your exponent is i / D, where i numbers the pairs (or your base is 100, "
            "which is the same), so the pairs do not slow down enough. It is 2i / D: "
            "the number of the even column over D.",
        ),
        Mutant(
            "exponent 4i instead of 2i",
            ((ANGLE, "angle = t / 10000 ** (2 * two_i / D)"),),
            "Your exponent is doubled twice: arange(0, D, 2) already gives 2i. Divide "
            "it by D and leave it so.",
        ),
        Mutant(
            "every column a frequency of its own",
            ((COSINES, "P[:, 1::2] = np.cos(t / 10000 ** ((two_i + 1) / D))"),),
            "Your cosines use the number of their own column, 2i + 1, and so turn "
            "more slowly than the sines beside them. Both of a pair have the exponent "
            "2i / D.",
        ),
        Mutant(
            "base 1000",
            ((ANGLE, ANGLE.replace("10000", "1000")),),
            "Your base is 1000, a zero short. It is 10000.",
        ),
        Mutant(
            "counted from 1",
            ((COUNT, f"{COUNT} + 1"),),
            "Your first position is 1. Positions are counted from 0: the first row is "
            "0, 1, 0, 1, ...",
        ),
        Mutant(
            "multiplied instead of divided",
            ((ANGLE, ANGLE.replace("t /", "t *")),),
            "Your pairs turn faster and faster: you multiply by 10000^(2i / D). "
            "Divide by it, or give the exponent a minus.",
        ),
        Mutant(
            "sines everywhere",
            ((COSINES, COSINES.replace("cos", "sin")),),
            "Your odd columns hold sines too, so each pair says the same thing twice. "
            "The odd ones are cosines.",
        ),
    ),
    laws=(lies_between, begins_at_zero, pairs_are_clock_hands, frequencies),
)

check_add_positions = Check(
    name="add_positions",
    reference=add_positions,
    gives={"Y": "N D"},
    task="Write `add_positions(X, P)`: X (B, N, D) is a batch of sequences, P (N_max, D) has a vector for each "
    "position, and N_max >= N. Return a new array (B, N, D): every item of the batch "
    "gets P[t] added to its input at position t. Leave X as it is.",
    cases=(
        Case("two short sequences", {"X": numbers(0, 2, 3, 4), "P": numbers(1, 7, 4)}),
        Case(
            "three longer sequences", {"X": numbers(2, 3, 4, 2), "P": numbers(3, 12, 2)}
        ),
        Case(
            "as many sequences as positions",
            {"X": numbers(4, 3, 3, 2), "P": numbers(5, 9, 2)},
        ),
    ),
    mutants=(
        Mutant(
            "added along the batch axis",
            ((ADD, "return X + P[: len(X)][:, None, :]"),),
            "Each item of the batch gets one position vector for all its inputs: you "
            "count along the batch, axis 0. Positions are counted along axis 1: X + "
            "P[:N] with N = X.shape[1].",
            seen="a positional encoding sliced by the wrong axis; common where code expects the sequence first",
        ),
        Mutant(
            "X overwritten",
            ((ADD, "X += P[:N]\n    return X"),),
            "The result is right, but += writes it over the caller's X: called twice, "
            "it adds the positions twice. Return X + ..., a new array.",
        ),
        Mutant(
            "put beside instead of added",
            (
                (
                    ADD,
                    "return np.concatenate([X, np.broadcast_to(P[:N], X.shape)], "
                    "axis=-1)",
                ),
            ),
            "You put the position beside the input, so that the width doubles. It is "
            "added: the width stays D.",
        ),
        Mutant(
            "one position for all",
            ((ADD, "return X + P[0]"),),
            "Every input gets the vector of position 0, so their order still cannot "
            "be told. Input t gets P[t].",
        ),
        Mutant(
            "counted on through the batch",
            ((ADD, "return X + P[: X[..., 0].size].reshape(X.shape)"),),
            "The second item goes on counting where the first one ended. Every item "
            "begins at position 0.",
        ),
        Mutant(
            "the last positions",
            ((ADD, "return X + P[-N:]"),),
            "You take the last N rows of P. A sequence begins at position 0: the "
            "first N rows, P[:N].",
        ),
        Mutant(
            "counted from 1",
            ((ADD, "return X + P[1 : N + 1]"),),
            "Your first input gets P[1]. Positions are counted from 0: P[:N].",
        ),
        Mutant(
            "first item only",
            ((ADD, "Y = X.copy()\n    Y[0] += P[:N]\n    return Y"),),
            "Only the first item of the batch gets positions. All of them do: X + "
            "P[:N] repeats P for every item.",
        ),
        Mutant(
            "multiplied by sqrt(D) first",
            ((ADD, "return X * np.sqrt(X.shape[-1]) + P[:N]"),),
            "You multiply X by sqrt(D) before you add. The first transformer does "
            "this where it looks words up; it is not part of adding positions: X + "
            "P[:N].",
        ),
        Mutant(
            "multiplied instead of added",
            ((ADD, "return X * P[:N]"),),
            "You multiply by the position. It is added: X + P[:N].",
        ),
    ),
    laws=(added_to_the_first,),
    batch=("X",),
    forms=("batched",),
)
