"""`check_softmax`: scores in, weights out."""

import numpy as np

from attention_book.exercises.checking import Case, Check
from attention_book.exercises.laws import not_negative, rows_sum_to_one
from attention_book.exercises.mutants import Mutant
from attention_book.reference import softmax

TOTAL = "positive.sum(axis=-1, keepdims=True)"

check_softmax = Check(
    name="softmax",
    reference=softmax,
    gives={"a": "N_Y N_X"},
    task="Write `softmax(e)`: scores of shape (N_Y, N_X) in, weights of the same shape out, over the inputs (the last "
    "axis). Scores of 1000 must do no harm, and a score of -inf gets weight 0.",
    cases=(
        Case(
            "scores of both signs",
            {
                "e": np.array(
                    [
                        [2.0, -1.0, 0.5, 0.0],
                        [0.1, 0.7, -2.0, 1.0],
                        [3.0, 3.0, 1.0, -0.5],
                    ]
                )
            },
        ),
        Case(
            "rows that lie far apart",
            {"e": np.array([[1000.0, 1001.0, 998.0], [-1000.0, -1001.0, -999.0]])},
        ),
        Case(
            "scores of -inf, which get weight 0",
            {"e": np.array([[0.5, -np.inf, 1.5], [-np.inf, -np.inf, 2.0]])},
        ),
    ),
    mutants=(
        Mutant(
            "softmax over the query axis",
            ((TOTAL, "positive.sum(axis=0, keepdims=True)"),),
            "Your weights sum to 1 over the queries, each column. Softmax runs over "
            "the inputs, the last axis: each query hands out one whole.",
        ),
        Mutant(
            "one softmax over everything",
            ((TOTAL, "positive.sum()"),),
            "All your weights together sum to 1. Each row needs a sum of its own: "
            "over the last axis only, and keep that axis so that the division knows "
            "which row is which.",
        ),
        Mutant(
            "no largest score subtracted",
            (("np.exp(e - largest)", "np.exp(e)"),),
            "exp of a score near 1000 overflows, and infinity over infinity is NaN. "
            "Subtract each row's largest score first: it changes nothing else.",
        ),
        Mutant(
            "largest score of the whole array subtracted",
            (("np.exp(e - largest)", "np.exp(e - e.max())"),),
            "You subtract the largest of all scores. A row that lies far below it "
            "becomes 0 / 0: subtract each row's own.",
        ),
        Mutant(
            "not divided by the sum",
            ((f"positive / {TOTAL}", "positive"),),
            "Your numbers are positive but do not sum to 1: divide each row by its "
            "sum.",
        ),
        Mutant(
            "divided without exp",
            (("np.exp(e - largest)", "e"),),
            "You divide the scores themselves by their sum, so a weight can be "
            "negative. exp makes them positive first.",
        ),
        Mutant(
            "scores overwritten",
            (
                ("positive = np.exp(e - largest)", "np.exp(e - largest, out=e)"),
                (
                    f"positive / {TOTAL}",
                    "np.divide(e, e.sum(axis=-1, keepdims=True), out=e)",
                ),
            ),
            "The weights are right, but they are written over the scores e: whoever "
            "uses e again finds weights there. Work on a new array.",
            seen="d2l, `masked_softmax`",
        ),
    ),
    laws=(
        not_negative("a"),
        rows_sum_to_one("a", over="the inputs", instead="the queries"),
    ),
)
