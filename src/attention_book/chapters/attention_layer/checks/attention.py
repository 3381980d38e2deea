"""`check_attention`, `check_self_attention`, `check_cross_attention`: who looks, at
what, and what is taken from it.

Every row and every column of a mask here shows something and hides something (but for
the query that is to be refused, and a sequence of one input): so a mask that is read
the wrong way round still gives numbers, and its mistake gets its name.
"""

import numpy as np

from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import (
    hidden_gets_nothing,
    not_negative,
    rows_sum_to_one,
)
from attention_book.exercises.mutants import Mutant
from attention_book.reference import attention, cross_attention, self_attention

SCORES = "E = Q @ np.swapaxes(K, -1, -2) / np.sqrt(D_Q)"
HIDE = "E = np.where(visible, E, -np.inf)"
WEIGH = "A = softmax(E)\n"
MIX = "return A @ V, A"
SELF_Q, SELF_K, SELF_V = "Q = X @ W_Q\n", "K = X @ W_K\n", "V = X @ W_V\n"
UNCHECKED = (
    "_check_shapes(Q, K, V, visible)\n    D_Q",
    "D_Q",
)  # a reader's own code hardly looks at shapes
CROSS = "attention(S @ W_Q, X @ W_K, X @ W_V, visible)"
SOFTMAX_UNGUARDED = "positive = np.exp(E - E.max(axis=-1, keepdims=True))\n    A = positive / positive.sum(axis=-1, keepdims=True)\n"
ROW_OF_NOTHING = "no weights can sum to 1 over nothing. Look for a query without a single True, and raise a ValueError."


def numbers(seed: int, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Draw numbers with one digit after the point, so that they can be read."""
    return np.random.default_rng(seed).normal(scale=scale, size=shape).round(1)


def mask(text: str) -> np.ndarray:
    """Read a mask for each item of a batch: "101 011 / 110 011" has two items of two rows."""
    return np.array(
        [
            [[digit == "1" for digit in row] for row in item.split()]
            for item in text.split("/")
        ]
    )


def mixes_the_values(V: str = "V", W_V: str | None = None):
    """Make the law that Y is A times the values: each row of Y lies between values, mixed by the same row of A."""

    def law(example: Example) -> str | None:
        values = example.inputs[V] if W_V is None else example.inputs[V] @ example.inputs[W_V]
        if np.allclose(example.got["Y"], example.got["A"] @ values, rtol=1e-3, atol=1e-4):
            return None
        named = V if W_V is None else f"({V} {W_V})"
        return f"Y is not A {named}: each row of Y is the sum of the values, weighted by that row of A."

    return law


def not_the_wrong_way_round(example: Example) -> str | None:
    """Speak when all the weight lies where nothing may be seen."""
    A = np.asarray(example.got["A"])
    if np.where(example.inputs["visible"], np.abs(A), 0).max() > 1e-6:
        return None
    return "all weight of A lies on what is hidden. `visible` is True where a query may look: turn your condition round."


LAWS = (
    not_the_wrong_way_round,
    not_negative("A"),
    rows_sum_to_one("A", over="the inputs", instead="the queries"),
    hidden_gets_nothing("A"),
)

check_attention = Check(
    name="attention",
    reference=attention,
    gives={"Y": "N_Q D_V", "A": "N_Q N_X"},
    task="Write `attention(Q, K, V, visible)`: queries Q (N_Q, D_Q), keys K (N_X, D_Q), values V (N_X, D_V), and a "
    "boolean mask (N_Q, N_X), True where a query may look. Return Y (N_Q, D_V) and "
    "the weights A (N_Q, N_X) of scaled dot-product attention: softmax of Q K^T / "
    "sqrt(D_Q) over the inputs, where what is hidden gets weight 0. Raise ValueError "
    "if a query may look at nothing, leave the arguments as they are; scores of 1000 "
    "must do no harm.",
    cases=(
        Case(
            "masks that differ from query to query",
            {
                "Q": numbers(1512, 2, 3, 4),
                "K": numbers(1513, 2, 5, 4),
                "V": numbers(1514, 2, 5, 4),
                "visible": mask("11010 10111 01101 / 01111 11001 10110"),
            },
        ),
        Case(
            "values narrower than keys",
            {
                "Q": numbers(257, 2, 2, 4),
                "K": numbers(258, 2, 3, 4),
                "V": numbers(259, 2, 3, 2),
                "visible": mask("101 011 / 011 110"),
            },
        ),
        Case(
            "large scores",
            {
                "Q": np.array(
                    [
                        [[40.0, 0, 8, 0], [0, -30, 0, 20]],
                        [[0.0, 10, 0, 0], [50, 0, 0, 4]],
                    ]
                ),
                "K": np.array(
                    [
                        [[50.0, 40, 0, 8], [49, 0, 5, 0], [1, 2, 3, 4]],
                        [[4.0, 6, 0, 2], [0, 1, 0, 8], [40, 2, 0, 0]],
                    ]
                ),
                "V": numbers(6, 2, 3, 2),
                "visible": mask("110 101 / 110 011"),
            },
        ),
        Case(
            "a key with large scores, hidden from one query",
            {
                "Q": numbers(1700, 2, 2, 3),
                "K": numbers(1701, 2, 4, 3) * [[1], [1], [1], [-1000]],
                "V": numbers(1702, 2, 4, 2),
                "visible": mask("1110 0111 / 1101 1010"),
            },
        ),
        Case(
            "scores far below 0, some of them hidden",  # -100 in place of -inf would be the largest here
            {
                "Q": np.array(
                    [
                        [[-100.0, 1, 0, 0], [100, 0, 0, 0]],
                        [[-100.0, 0, 1, 0], [-100, 1, 0, 0]],
                    ]
                ),
                "K": np.array([[[20.0, 1, 0, 0], [21, 0, 0, 0], [22, -1, 0, 0]]] * 2),
                "V": numbers(7, 2, 3, 2),
                "visible": mask("011 101 / 110 011"),
            },
        ),
        Case(
            "a query that may look at nothing",
            {
                "Q": numbers(621, 2, 3, 4),
                "K": numbers(622, 2, 4, 4),
                "V": numbers(623, 2, 4, 2),
                "visible": mask("1101 0111 1010 / 0110 0000 1011"),
            },
            refuse="a query that may look at nothing has no weights",
        ),
    ),
    mutants=(
        Mutant(
            "sqrt(D_Q) missing",
            ((SCORES, SCORES.removesuffix(" / np.sqrt(D_Q)")),),
            "Your scores are not scaled, so the softmax is too sure of itself. Divide "
            "them by sqrt(D_Q) before it.",
        ),
        Mutant(
            "divided by the root of another width",
            (("D_Q = Q.shape[-1]", "D_Q = V.shape[-1]"),),
            "You divide by the root of the width of the values. What grows with the "
            "width is the dot product of a query and a key: it is their width, D_Q, "
            "that counts.",
        ),
        Mutant(
            "softmax over the query axis",
            ((WEIGH, "A = np.swapaxes(softmax(np.swapaxes(E, -1, -2)), -1, -2)\n"),),
            "Your weights sum to 1 over the queries, each column. Softmax runs over "
            "the inputs, the last axis of the scores: axis=-1, or dim=-1.",
        ),
        Mutant(
            "mask after the softmax",
            ((HIDE, "pass"), (WEIGH, "A = softmax(E) * visible\n")),
            "You set weights to 0 after the softmax, so what is left no longer sums "
            "to 1. Hide the scores instead: -inf where visible is False, and then the "
            "softmax.",
        ),
        Mutant(
            "hidden scores are 0",
            ((HIDE, "E = E * visible"),),
            "You set hidden scores to 0 (multiplied by the mask, or filled with a "
            "tiny number). 0 is a score like any other, and exp(0) = 1. A hidden "
            "score is -inf.",
        ),
        Mutant(
            "mask not used",
            ((HIDE, "np.where(visible, E, -np.inf)"),),
            "Your result does not depend on the mask. Is the masked array thrown "
            "away? `masked_fill` and `where` give a new array and leave the old one "
            "as it is: E = E.masked_fill(...).",
            seen="mead-baseline 679",
        ),
        Mutant(
            "mask the wrong way round",
            ((HIDE, "E = np.where(visible, -np.inf, E)"),),
            "Your queries look exactly where they may not. Here True means: may look. "
            "(In torch, `masked_fill` fills where its mask is True, and so does the "
            "mask of nn.MultiheadAttention: they want ~visible.)",
            seen="nn.MultiheadAttention beside scaled_dot_product_attention",
        ),
        Mutant(
            "a query that may look at nothing looks everywhere",
            ((HIDE, "E = np.where(visible, E, -1e9)"),),
            "A query that may look at nothing gets equal weights for everything that "
            "is hidden, and nobody notices: -1e9 for all is as good as 0 for all. Fill "
            "with -inf and " + ROW_OF_NOTHING,
            seen="d2l, annotated-transformer",
        ),
        Mutant(
            "a query that may look at nothing gets NaN",
            ((WEIGH, SOFTMAX_UNGUARDED),),
            "A query that may look at nothing gets NaN, which spreads from there to "
            "everything: " + ROW_OF_NOTHING,
            seen="LLMs-from-scratch",
        ),
        Mutant(
            "a query that may look at nothing gets zeros",
            ((WEIGH, SOFTMAX_UNGUARDED + "    A = np.nan_to_num(A)\n"),),
            "A query that may look at nothing gets zeros. That is a convention "
            "(torch's own attention does so), but not the one asked for, and it hides "
            "the mistake in the mask: " + ROW_OF_NOTHING,
            seen="torch's scaled_dot_product_attention",
        ),
        Mutant(
            "keys mixed instead of values",
            ((MIX, "return A @ K, A"),),
            "Your weights are right, but they mix the keys. Keys are for being found; "
            "what is taken is the values: A V.",
        ),
        Mutant(
            "Q overwritten",
            ((SCORES, "Q /= np.sqrt(D_Q)\n    E = Q @ np.swapaxes(K, -1, -2)"),),
            "The result is right, but you scale the caller's Q in place: whoever uses "
            "Q again finds other numbers. Instead of Q /= ..., divide the scores, or "
            "write Q = Q / ...",
            seen="d2l, `masked_softmax`, in another form",
        ),
    ),
    laws=(*LAWS, mixes_the_values()),
    batch=("Q", "K", "V", "visible"),
    forms=("single", "batched"),
)

check_self_attention = Check(
    name="self_attention",
    reference=self_attention,
    gives={"Y": "N_X D_V", "A": "N_X N_X"},
    task="Write `self_attention(X, W_Q, W_K, W_V, visible)`: inputs X (N_X, D_X); queries X W_Q and keys X W_K of "
    "width D_Q, values X W_V of width D_V; a boolean mask (N_X, N_X), True where "
    "input i may look at input j. Return Y (N_X, D_V) and the weights A (N_X, N_X) of "
    "scaled dot-product attention. Every input may look at something.",
    cases=(
        Case(
            "masks that differ from input to input",
            {
                "X": numbers(2589, 2, 4, 3),
                "W_Q": numbers(2590, 3, 2),
                "W_K": numbers(2591, 3, 2),
                "W_V": numbers(2592, 3, 3),
                "visible": mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
            },
        ),
        Case(
            "values as wide as keys",
            {
                "X": numbers(2906, 2, 3, 6),
                "W_Q": numbers(2907, 6, 4, scale=0.5),
                "W_K": numbers(2908, 6, 4, scale=0.5),
                "W_V": numbers(2909, 6, 4),
                "visible": mask("110 011 101 / 101 110 011"),
            },
        ),
    ),
    mutants=(
        Mutant(
            "keys made by W_Q",
            ((SELF_K, "K = X @ W_Q\n"),),
            "Your keys are made by W_Q, like the queries: the score of i for j is "
            "then that of j for i. Keys are X W_K.",
        ),
        Mutant(
            "W_Q and W_K exchanged",
            ((SELF_Q, "Q = X @ W_K\n"), (SELF_K, "K = X @ W_Q\n")),
            "Your scores are transposed: who asks and who is asked have changed "
            "places. Queries, the rows of the scores, are X W_Q; keys, the columns, "
            "are X W_K.",
        ),
        Mutant(
            "values are X itself",
            ((SELF_V, "V = X\n"),),
            "You mix the inputs themselves. What is mixed is the values, X W_V.",
        ),
        Mutant(
            "values made by W_K",
            ((SELF_V, "V = X @ W_K\n"),),
            "You mix X W_K, the keys. Values have a matrix of their own: X W_V.",
        ),
        Mutant(
            "queries and keys not projected",
            ((SELF_Q, "Q = X\n"), (SELF_K, "K = X\n")),
            "Your scores compare the inputs themselves, X X^T. Compare the queries X "
            "W_Q with the keys X W_K.",
        ),
        Mutant(
            "sqrt(D_Q) missing",
            ((SCORES, SCORES.removesuffix(" / np.sqrt(D_Q)")),),
            "Your scores are not scaled, so the softmax is too sure of itself. Divide "
            "them by sqrt(D_Q) before it.",
        ),
        Mutant(
            "divided by the root of D_X",
            ((SELF_Q, "Q = X @ W_Q * np.sqrt(W_Q.shape[1] / X.shape[-1])\n"),),
            "You divide by sqrt(D_X), the root of the width of the inputs. The dot "
            "product has D_Q terms, one for each entry of a query: divide by "
            "sqrt(D_Q), the number of columns of W_Q.",
        ),
        Mutant(
            "mask not used",
            (("return attention(Q, K, V, visible)", "return attention(Q, K, V)"),),
            "Your result does not depend on the mask. Hand it on, or set the hidden "
            "scores to -inf before the softmax.",
            seen="mead-baseline 679",
        ),
        Mutant(
            "softmax over the query axis",
            ((WEIGH, "A = np.swapaxes(softmax(np.swapaxes(E, -1, -2)), -1, -2)\n"),),
            "Your weights sum to 1 over those who ask, each column. Softmax runs over "
            "the inputs looked at, the last axis of the scores.",
        ),
    ),
    laws=(*LAWS, mixes_the_values("X", "W_V")),
    batch=("X", "visible"),
    forms=("single", "batched"),
)

check_cross_attention = Check(
    name="cross_attention",
    reference=cross_attention,
    gives={"Y": "N_Y D_V", "A": "N_Y N_X"},
    task="Write `cross_attention(S, X, W_Q, W_K, W_V, visible)`: the decoder's states S (N_Y, D_S) look at the "
    "encoder's X (N_X, D_X). W_Q, W_K and W_V make queries and keys of width D_Q, "
    "values of width D_V: work out which of them is multiplied with S and which with "
    "X. visible (N_Y, N_X) is True where step t may look at input i. Return Y (N_Y, "
    "D_V) and the weights A (N_Y, N_X) of scaled dot-product attention. Every step "
    "may look at something.",
    # as many steps as inputs, and both of one width: whoever takes one for the other
    # gets numbers, and is told so
    cases=(
        Case(
            "as many steps as inputs",
            {
                "S": numbers(1641, 2, 4, 3),
                "X": numbers(1642, 2, 4, 3),
                "W_Q": numbers(1643, 3, 2),
                "W_K": numbers(1644, 3, 2),
                "W_V": numbers(1645, 3, 3),
                "visible": mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
            },
        ),
        Case(
            "values as wide as keys",
            {
                "S": numbers(1521, 2, 3, 6),
                "X": numbers(1522, 2, 3, 6),
                "W_Q": numbers(1523, 6, 4, scale=0.5),
                "W_K": numbers(1524, 6, 4, scale=0.5),
                "W_V": numbers(1525, 6, 4),
                "visible": mask("110 011 101 / 101 110 011"),
            },
        ),
        Case(
            "a single input",
            {
                "S": numbers(30, 2, 3, 2),
                "X": numbers(31, 2, 1, 2),
                "W_Q": numbers(32, 2, 3),
                "W_K": numbers(33, 2, 3),
                "W_V": numbers(34, 2, 4),
                "visible": mask("1 1 1 / 1 1 1"),
            },
        ),
    ),
    mutants=(
        Mutant(
            "keys and values from the decoder",
            ((CROSS, "attention(S @ W_Q, S @ W_K, S @ W_V, visible)"), UNCHECKED),
            "Your decoder looks at itself: keys and values are made from S, and X is "
            "never used. That is self-attention. Keys and values are the encoder's: X "
            "W_K, X W_V.",
        ),
        Mutant(
            "queries from the encoder",
            ((CROSS, "attention(X @ W_Q, X @ W_K, X @ W_V, visible)"), UNCHECKED),
            "Your encoder looks at itself: the queries are made from X, and S is "
            "never used. Who asks is the decoder: queries are S W_Q.",
        ),
        Mutant(
            "decoder and encoder exchanged",
            ((CROSS, "attention(X @ W_Q, S @ W_K, S @ W_V, visible)"), UNCHECKED),
            "Your encoder looks at the decoder. It is the other way round: queries "
            "from S, keys and values from X.",
        ),
        Mutant(
            "values from the decoder",
            (
                (
                    CROSS,
                    "attention(S @ W_Q, X @ W_K, (S if S.shape == X.shape else X) @ "
                    "W_V, visible)",
                ),
            ),
            "You find the right inputs of the encoder, and then mix vectors of the "
            "decoder. Values come from where the keys come from: X W_V.",
        ),
        Mutant(
            "keys made by W_Q",
            ((CROSS, "attention(S @ W_Q, X @ W_Q, X @ W_V, visible)"),),
            "Your keys are made by W_Q. It belongs to the decoder's side; the keys "
            "are X W_K.",
        ),
        Mutant(
            "values are X itself",
            ((CROSS, "attention(S @ W_Q, X @ W_K, X, visible)"),),
            "You mix the encoder's vectors themselves. What is mixed is the values, X "
            "W_V.",
        ),
        Mutant(
            "mask not used",
            ((CROSS, "attention(S @ W_Q, X @ W_K, X @ W_V)"),),
            "Your result does not depend on the mask. Hand it on, or set the hidden "
            "scores to -inf before the softmax.",
            seen="mead-baseline 679",
        ),
        Mutant(
            "sqrt(D_Q) missing",
            ((SCORES, SCORES.removesuffix(" / np.sqrt(D_Q)")),),
            "Your scores are not scaled, so the softmax is too sure of itself. Divide "
            "them by sqrt(D_Q) before it.",
        ),
    ),
    laws=(*LAWS, mixes_the_values("X", "W_V")),
    batch=("S", "X", "visible"),
    forms=("single", "batched"),
)
