"""`check_positional_encoding`, `check_add_positions`: telling a set where its members stand."""

from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.subjects.attention import numbers
from attention_book.reference import add_positions, positional_encoding

SPEED = "speed = BASE ** (-np.arange(0, D, 2) / D)"
ANGLE = "angle = np.arange(N)[:, None] * speed"
COLUMNS = "P[:, 0::2], P[:, 1::2] = np.sin(angle), np.cos(angle)"
ADD = "return X + P[: X.shape[-2]]"


def between_one(seen: Seen) -> str | None:
    """Sines and cosines lie between -1 and 1."""
    most = float(abs(seen.got["P"]).max())
    return f"P holds {most:.2f}. Sines and cosines lie between -1 and 1." if most > 1 + 1e-6 else None


def first_row(seen: Seen) -> str | None:
    """At position 0 every hand points up."""
    row, wanted = seen.got["P"][0], seen.expected["P"][0]
    if abs(row - wanted).max() < 1e-5:
        return None
    return f"row 0 is {row.round(2).tolist()}. Positions count from 0, where sin is 0 and cos is 1: {wanted.tolist()}."


def same_in_every_slot(seen: Seen) -> str | None:
    """What was added to an input is its row of the table."""
    X, P = seen.inputs["X"], seen.inputs["P"]
    added = seen.got["X_P"] - X
    for n, row in enumerate(added):
        if abs(row - P[n]).max() > 1e-4:
            return f"to input {n} you add {row.round(2).tolist()}; row {n} of the table is {P[n].tolist()}."
    return None


check_positional_encoding = Check(
    name="positional_encoding",
    reference=positional_encoding,
    gives={"P": "N D"},
    task="Write `positional_encoding(N, D)`: the table of shape (N, D), D even, with P[n, 2i] = sin(n / "
    "10000^(2i/D)) and "
    "P[n, 2i+1] = cos(n / 10000^(2i/D)), for positions n = 0 ... N-1: sine and cosine in columns that alternate.",
    cases=(Case("five positions, six columns", {"N": 5, "D": 6}), Case("many positions", {"N": 40, "D": 8})),
    mutants=(
        Mutant(
            "sines first, then cosines",
            ((COLUMNS, "P[:, : D // 2], P[:, D // 2 :] = np.sin(angle), np.cos(angle)"),),
            "You put all sines in the first half and all cosines in the second. That is a convention too, and a "
            "model can "
            "learn with either, but it is another table: here they alternate, P[:, 0::2] and P[:, 1::2].",
        ),
        Mutant(
            "cosine in the even columns",
            ((COLUMNS, "P[:, 0::2], P[:, 1::2] = np.cos(angle), np.sin(angle)"),),
            "Sine and cosine are exchanged: the even columns hold the sine.",
        ),
        Mutant(
            "i in place of 2i",
            ((SPEED, "speed = BASE ** (-np.arange(D // 2) / D)"),),
            "Your exponent is i/D, so the slowest hand still turns fast. It is 2i/D, where 2i is the even column: "
            "0, 2, 4 ...",
        ),
        Mutant(
            "an exponent for each column",
            (
                (
                    COLUMNS,
                    "angle = np.arange(N)[:, None] * BASE ** (-np.arange(D) / D)\n"
                    "    P[:, 0::2], P[:, 1::2] = np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])",
                ),
            ),
            "Your cosines turn at another speed than the sines beside them. A pair of columns shares its "
            "exponent: 2i/D for "
            "both 2i and 2i + 1.",
            seen="common; harmless to a model, but not the formula",
        ),
        Mutant(
            "base 1000",
            ((SPEED, SPEED.replace("BASE", "1000")),),
            "The base of your exponents is 1000; it is 10000.",
        ),
        Mutant(
            "positions from 1",
            ((ANGLE, ANGLE.replace("np.arange(N)", "np.arange(1, N + 1)")),),
            "Your first position is 1. They count from 0, so that row 0 is 0, 1, 0, 1 ...",
        ),
        Mutant(
            "faster and faster",
            ((SPEED, SPEED.replace("-np", "np")),),
            "You multiply by 10000^(2i/D) where you should divide: your hands turn faster along the columns, so "
            "fast that "
            "neighbouring positions have nothing in common.",
        ),
    ),
    laws=(between_one, first_row),
)

TABLE = numbers(0, 7, 4)

check_add_positions = Check(
    name="add_positions",
    reference=add_positions,
    gives={"X_P": "N D"},
    task="Write `add_positions(X, P)` for a batch X of shape (B, N, D) and a table P of shape (N_most, D), N <= "
    "N_most: add "
    "row n of P to input n of every sequence. Return a new array.",
    cases=(
        Case("two sequences of five", {"X": numbers(1, 2, 5, 4), "P": TABLE}),
        Case("three sequences of one", {"X": numbers(2, 3, 1, 4), "P": TABLE}),
        Case("as many sequences as positions", {"X": numbers(3, 7, 7, 4), "P": TABLE}),
    ),
    mutants=(
        Mutant(
            "position added along the batch axis",
            ((ADD, "return X + P[: X.shape[0], None]"),),
            "You add row b of the table to all inputs of sequence b: a position for each slot in the batch. Then "
            "order is "
            "still not seen, and the output depends on the neighbours. Row n belongs to input n, the axis before "
            "the width.",
            seen="a positional encoding sliced by the wrong axis; common where code expects the sequence first",
        ),
        Mutant(
            "the first position for everyone",
            ((ADD, "return X + P[0]"),),
            "You add row 0 to every input, so all stand at the same place. Input n gets row n.",
        ),
        Mutant(
            "positions counted from the end",
            ((ADD, "return X + P[: X.shape[-2]][::-1]"),),
            "Your positions run backwards: the first input gets the last row.",
        ),
        Mutant(
            "positions from 1",
            ((ADD, "return X + np.roll(P, -1, axis=0)[: X.shape[-2]]"),),
            "Input 0 gets row 1 of the table in yours. Positions count from 0.",
        ),
        Mutant(
            "inputs overwritten",
            ((ADD, "X += P[: X.shape[-2]]\n    return X"),),
            "X += ... writes into the caller's array: called a second time, it adds the positions twice. Return X "
            "+ ...",
        ),
        Mutant(
            "appended in place of added",
            ((ADD, "return np.concatenate([X, np.broadcast_to(P[: X.shape[-2]], X.shape)], axis=-1)"),),
            "You append the position to the input, which doubles the width. It is a way to do it, but here it is "
            "added.",
        ),
        Mutant(
            "scaled and not added",
            ((ADD, "return X * P[: X.shape[-2]]"),),
            "You multiply by the position. Add it.",
        ),
    ),
    laws=(same_in_every_slot,),
    batch=("X",),
    forms=("batched",),
)
