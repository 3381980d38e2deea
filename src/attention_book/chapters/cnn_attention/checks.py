"""Chapter 9's checks: self-attention between the cells of a grid, and how many numbers
it takes.
"""

import numpy as np

from attention_book.chapters.cnn_attention import solutions
from attention_book.exercises.arrays import drawn
from attention_book.exercises.cases import Example
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.laws import (
    Counted,
    not_negative,
    rows_sum_to_one,
    scaled_by_the_root,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.exercises.results import same


def learned(N_rows, N_columns, D, D_Q, D_V):
    """Four matrices and a gate, and what people count instead."""
    N_X, matrices = N_rows * N_columns, 2 * D * D_Q + 2 * D * D_V
    compared = {
        "You count one matrix for queries and keys. Each has its own.": D * D_Q,
        "W_Q and W_K have D rows, one for each number of a cell, and D_Q columns.": 2
        * D_Q
        * D_Q,
    }
    mixed = {
        "You count one of W_V and W_O. There are both.": D * D_V,
        "W_V leads to D_V numbers, not to D_Q.": D * D_Q + D * D_V,
        "W_V and W_O lead from the width of a cell to that of a value, and back: D "
        "times D_V numbers each.": D * D + D * D_V,
    }
    gates = {
        "The gate is learned, too: one more number.": 0,
        "There is one gate for all channels: one number, not D.": D,
    }
    nothing = {
        "You count biases. There are none here.": 2 * D_Q + D_V + D,
        "You count A. It is computed anew for each picture, not learned.": N_X**2,
        "You count learned positions. There are none here.": N_X * D,
        "You count the matrices once for each cell. All cells share them, as in a "
        "convolution.": matrices * (N_X - 1),
    }
    return [(2 * D * D_Q, compared), (2 * D * D_V, mixed), (1, gates), (0, nothing)]


def weights(N_rows, N_columns, D, D_Q, D_V):
    """All of A, and what people count instead."""
    N_X = N_rows * N_columns
    others = {
        "You count the weights of one cell. Each cell has a row.": N_X,
        "That would be attention along rows and along columns apart. Here each cell "
        "looks at all cells of the grid.": N_rows**2 + N_columns**2,
        "You leave out the cell itself. It may look at itself, too.": N_X * (N_X - 1),
        "Brackets are missing: ** goes before *, so it is (N_rows * N_columns) ** "
        "2.": N_rows * N_columns**2,
        "You count A once for each channel. One weight is for a whole vector.": D
        * N_X**2,
    }
    return [(N_X**2, others)]


def not_exchanged(example: Example) -> str | None:
    """The two numbers come in the order asked for."""
    if all(
        same([*it.got.values()][::-1], [*it.expected.values()]) for it in example.among
    ):
        return "you return them in another order: expected learned, weights."
    return None


def only_the_gate_is_between(example: Example) -> str | None:
    """Say whether what is off is what was found, or what was made of it."""
    got, due, grid = example.got, example.expected, example.inputs["grid"]
    if np.allclose(got["out"], due["out"], rtol=1e-3, atol=1e-4):
        return "out is right, A is not: row i holds the weights of cell i, row by row."
    if np.allclose(got["A"], due["A"], rtol=1e-3, atol=1e-4):
        off = np.abs(got["out"] - due["out"])
        d, row, column = place = np.unravel_index(off.argmax(), off.shape)
        came, right = ((it["out"] - grid)[place] for it in (got, due))
        return (
            f"A is right, out is not, most of all at row {row}, column {column}, in "
            f"channel {d}: there out - grid is {came:.3g}, expected {right:.3g}. It is "
            "gate * found, and found holds (A V) W_O, each row at its own cell."
        )
    i = np.argmax(~np.isclose(got["A"], due["A"], rtol=1e-3, atol=1e-4).all(axis=1))
    row, column = divmod(int(i), grid.shape[-1])
    return (
        f"A is off, first in row {i}, that of the cell at row {row}, column {column}. "
        "It is the softmax of X W_Q (X W_K)^T / sqrt(D_Q), with one cell in each row "
        "of X."
    )


check_count_numbers = Check(
    name="count_numbers",
    reference=solutions.count_numbers,
    gives={"learned": "", "weights": ""},
    task="Write `count_numbers(N_rows, N_columns, D, D_Q, D_V)`: how many numbers the "
    "module learns (four matrices and a gate), and how many weights A holds for one "
    "picture. Return both.",
    cases=(
        Case("all different", N_rows=3, N_columns=5, D=11, D_Q=7, D_V=4),
        Case("a row of cells", N_rows=1, N_columns=6, D=8, D_Q=2, D_V=13),
        Case("values wider than cells", N_rows=4, N_columns=4, D=5, D_Q=3, D_V=9),
    ),
    laws=(
        not_exchanged,
        Counted(
            "the number of learned numbers",
            learned,
            part="learned",
            hint="Take W_Q, W_K, W_V and W_O one by one, rows times columns, and the "
            "gate.",
        ),
        Counted(
            "the number of weights",
            weights,
            part="weights",
            hint="A has a row for each cell that asks and a column for each cell that "
            "is looked at.",
        ),
    ),
)

check_grid_self_attention = Check(
    name="grid_self_attention",
    reference=solutions.grid_self_attention,
    gives={"out": "D N_rows N_columns", "A": "N_X N_X"},
    weights=("A",),
    task="Write `grid_self_attention(grid, W_Q, W_K, W_V, W_O, gate)`: grid (B, D, "
    "N_rows, N_columns), or one without B. Cells, counted row by row, attend to each "
    "other by X W_Q, X W_K, X W_V; what each finds meets W_O (D_V, D). Return grid + "
    "gate * found, of the grid's shape, and A (B, N_X, N_X).",
    cases=(
        Case(
            "more columns than rows",
            drawn(
                0,
                scale=0.7,
                grid=(2, 5, 2, 3),
                W_Q=(5, 4),
                W_K=(5, 4),
                W_V=(5, 2),
                W_O=(2, 5),
            ),
            gate=0.6,
        ),
        Case(
            "as many numbers in a cell as there are cells",
            drawn(
                9,
                scale=0.6,
                grid=(2, 6, 3, 2),
                W_Q=(6, 3),
                W_K=(6, 3),
                W_V=(6, 4),
                W_O=(4, 6),
            ),
            gate=-1.5,
        ),
    ),
    mutants=(
        *scaling(lambda attention: swap(attention=attention)),
        *read_mistakes(__file__)["grid_self_attention"],
    ),
    laws=(
        not_negative("A"),
        rows_sum_to_one("A", over="the cells", instead="the cells that ask"),
        scaled_by_the_root(),
        only_the_gate_is_between,
    ),
    batch=("grid",),
    forms=("batched", "single"),
)
