"""Attention for all queries at once: `check_softmax`, `check_attention`.

Every row of a mask here shows something and hides something (but for the query that is
to be refused), and every column too where it is square: so a mask that is read the
wrong way round still gives numbers, and its mistake gets its name. One column is
padding, which nobody may look at, and that is nothing to refuse.
"""

from attention_book.exercises.arrays import drawn, mask, numbers, table
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.families.weights import attention_that_weighs, masking
from attention_book.exercises.laws import (
    laws_of_weights,
    mixes_the_values,
    not_negative,
    rows_sum_to_one,
    scaled_by_the_root,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import instead
from attention_book.reference import attention, softmax

MISTAKES = read_mistakes(__file__)

check_softmax = Check(
    name="softmax",
    reference=softmax,
    gives={"a": "N_Q N_X"},
    weights=("a",),
    task="Write `softmax(e)`: scores of shape (N_Q, N_X) in, weights of the same shape "
    "out, over the inputs (the last axis). Scores of 1000 must do no harm, and a score "
    "of -inf gets weight 0.",
    cases=(
        Case("scores of both signs", e=table("2 -1 .5 0; .1 .7 -2 1; 3 3 1 -.5")),
        Case("rows that lie far apart", e=table("1000 1001 998; -1000 -1001 -999")),
        Case("rows near -1000 only", e=table("-1000 -1001 -999; -1002 -1000 -1000.5")),
        Case("scores of -inf, which get weight 0", e=table(".5 -inf 1.5; -inf -inf 2")),
    ),
    mutants=MISTAKES["softmax"],
    laws=(
        not_negative("a"),
        rows_sum_to_one("a", over="the inputs", instead="the queries"),
    ),
)


check_attention = Check(
    name="attention",
    reference=attention,
    gives={"Y": "N_Q D_V", "A": "N_Q N_X"},
    weights=("A",),
    task="Write `attention(Q, K, V, visible)`: queries Q (N_Q, D_Q), keys, values K, "
    "V (N_X, ...), a mask (N_Q, N_X), True where a query may look. Return Y and the "
    "weights A = softmax(Q K^T / sqrt(D_Q)). ValueError if a query may see nothing.",
    cases=(
        Case(
            "masks that differ from query to query",
            drawn(1512, Q=(2, 5, 4), K=(2, 5, 4), V=(2, 5, 4)),
            visible=mask(
                "11010 10111 01101 11100 00111 / 01111 11001 10110 11011 01101"
            ),
        ),
        Case(
            "more queries than inputs, a key at right angles to all",
            Q=table("1 2 0; -1 1 0; 2 .5 0; .5 -1 0 / 2 1 0; -2 1 0; 1 -1 0; .5 1 0"),
            K=table("1 .5 0; 0 0 2; -1 1 0 / 0 0 1; 1 -.5 0; -1 .7 0"),
            V=numbers(11, 2, 3, 2),
            visible=mask("110 011 110 101 / 110 100 010 110"),  # padding in one
        ),
        # -1e4 or -1e9 in place of -inf would be the largest here, or added too little
        Case(
            "scores far below 0 and far above, some of them hidden",
            Q=table("-1e20 1 0 0; 100 0 0 0 / .1 1 1 0; 100 1 0 1"),
            K=table("20 1 0 0; 21 0 0 0; 40 -1 0 0 / 20 1 0 0; 21 0 0 0; 22 -1 0 0"),
            V=numbers(7, 2, 3, 2),
            visible=mask("011 110 / 110 011"),
        ),
        *(
            Case(
                f"a {which} query that may look at nothing",
                drawn(621, Q=(2, 3, 4), K=(2, 4, 4), V=(2, 4, 2)),
                visible=mask(f"1101 0111 1010 / {rows}"),
                refuse="a query that may look at nothing has no weights",
            )
            for which, rows in {
                "first": "0000 0110 1011",
                "middle": "0110 0000 1011",
                "last": "0110 1011 0000",
            }.items()
        ),
    ),
    mutants=(
        *scaling(instead),
        *masking(lambda weigh: instead(attention_that_weighs(weigh))),
        *MISTAKES["attention"],
    ),
    laws=(*laws_of_weights("A"), scaled_by_the_root(), mixes_the_values()),
    batch=("Q", "K", "V", "visible"),
    forms=("single", "batched"),
)
