"""Attention for all queries at once: `check_softmax`, `check_attention`.

Every row and every column of a mask here shows something and hides something (but for
the query that is to be refused): so a mask that is read the wrong way round still gives
numbers, and its mistake gets its name.
"""

import numpy as np

from attention_book.exercises.arrays import drawn, mask, numbers, table
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.families.weights import attention_that_weighs, masking
from attention_book.exercises.laws import (
    laws_of_weights,
    mixes_the_values,
    not_negative,
    rows_sum_to_one,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import instead
from attention_book.reference import attention, softmax

MISTAKES = read_mistakes(__file__)


def all_visible(weigh):
    """Make a twin of softmax, which has no mask."""
    return instead(lambda e: weigh(e, np.ones_like(e, dtype=bool)))


check_softmax = Check(
    name="softmax",
    reference=softmax,
    gives={"a": "N_Y N_X"},
    task="Write `softmax(e)`: scores of shape (N_Y, N_X) in, weights of the same shape "
    "out, over the inputs (the last axis). Scores of 1000 must do no harm, and a score "
    "of -inf gets weight 0.",
    cases=(
        Case("scores of both signs", e=table("2 -1 .5 0; .1 .7 -2 1; 3 3 1 -.5")),
        Case("rows that lie far apart", e=table("1000 1001 998; -1000 -1001 -999")),
        Case("scores of -inf, which get weight 0", e=table(".5 -inf 1.5; -inf -inf 2")),
    ),
    mutants=(
        *masking(
            all_visible, only=("no largest score subtracted", "not divided by the sum")
        ),
        *MISTAKES["softmax"],
    ),
    laws=(
        not_negative("a"),
        rows_sum_to_one("a", over="the inputs", instead="the queries"),
    ),
)


def weighing(weigh):
    """Make a twin of attention."""
    return instead(attention_that_weighs(weigh))


check_attention = Check(
    name="attention",
    reference=attention,
    gives={"Y": "N_Q D_V", "A": "N_Q N_X"},
    task="Write `attention(Q, K, V, visible)`: queries Q (N_Q, D_Q), keys K (N_X, "
    "D_Q), values V (N_X, D_V), and a boolean mask (N_Q, N_X), True where a query may "
    "look. Return Y (N_Q, D_V) and the weights A (N_Q, N_X) of scaled dot-product "
    "attention: softmax of Q K^T / sqrt(D_Q) over the inputs, where what is hidden "
    "gets weight 0. Raise ValueError if a query may look at nothing, leave the "
    "arguments as they are; scores of 1000 must do no harm.",
    cases=(
        Case(
            "masks that differ from query to query",
            drawn(1512, Q=(2, 3, 4), K=(2, 5, 4), V=(2, 5, 4)),
            visible=mask("11010 10111 01101 / 01111 11001 10110"),
        ),
        Case(
            "values narrower than keys",
            drawn(257, Q=(2, 2, 4), K=(2, 3, 4), V=(2, 3, 2)),
            visible=mask("101 011 / 011 110"),
        ),
        Case(
            "large scores",
            Q=table("40 0 8 0; 0 -30 0 20 / 0 10 0 0; 50 0 0 4"),
            K=table("50 40 0 8; 49 0 5 0; 1 2 3 4 / 4 6 0 2; 0 1 0 8; 40 2 0 0"),
            V=numbers(6, 2, 3, 2),
            visible=mask("110 101 / 110 011"),
        ),
        Case(
            "a key with large scores, hidden from one query",
            drawn(1700, Q=(2, 2, 3), K=(2, 4, 3), V=(2, 4, 2)),
            K=numbers(1701, 2, 4, 3) * table("1; 1; 1; -1000"),
            visible=mask("1110 0111 / 1101 1010"),
        ),
        # -100 in place of -inf would be the largest here
        Case(
            "scores far below 0, some of them hidden",
            Q=table("-100 1 0 0; 100 0 0 0 / -100 0 1 0; -100 1 0 0"),
            K=table("20 1 0 0; 21 0 0 0; 22 -1 0 0 / 20 1 0 0; 21 0 0 0; 22 -1 0 0"),
            V=numbers(7, 2, 3, 2),
            visible=mask("011 101 / 110 011"),
        ),
        Case(
            "a query that may look at nothing",
            drawn(621, Q=(2, 3, 4), K=(2, 4, 4), V=(2, 4, 2)),
            visible=mask("1101 0111 1010 / 0110 0000 1011"),
            refuse="a query that may look at nothing has no weights",
        ),
    ),
    mutants=(
        *scaling(instead),
        *masking(weighing),
        *MISTAKES["attention"],
    ),
    laws=(*laws_of_weights("A"), mixes_the_values()),
    batch=("Q", "K", "V", "visible"),
    forms=("single", "batched"),
)
