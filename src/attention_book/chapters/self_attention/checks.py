"""Checks of self-attention, where one sequence asks, is looked at and is taken from,
and of how much work that is.
"""

import numpy as np

from attention_book.chapters.self_attention import solutions
from attention_book.exercises.arrays import drawn, mask, numbers, table
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families import weights
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.laws import (
    Counted,
    laws_of_weights,
    mixes_the_values,
    scaled_by_the_root,
)
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.reference import self_attention

check_self_attention = Check(
    name="self_attention",
    reference=self_attention,
    gives={"Y": "N_X D_V", "A": "N_X N_X"},
    weights=("A",),
    task="Write `self_attention(X, W_Q, W_K, W_V, visible)`: how the inputs "
    "X (N_X, D_X) attend to each other by X W_Q, X W_K (width D_Q) and X W_V (D_V). "
    "visible[i, j]: i may look at j. Return Y (N_X, D_V) and the weights A (N_X, N_X).",
    cases=(
        Case(
            "masks that differ from input to input",
            drawn(2589, X=(2, 4, 3), W_Q=(3, 2), W_K=(3, 2), W_V=(3, 3)),
            visible=mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
        ),
        Case(
            "values as wide as keys",
            drawn(2906, scale=0.6, X=(2, 3, 6), W_Q=(6, 4), W_K=(6, 4), W_V=(6, 4)),
            visible=mask("110 011 101 / 101 110 011"),
        ),
        Case(
            "an input whose key is 0",
            X=table("1 .5; 0 1; -1 2 / 0 1; 1 -1; -1 .5"),
            W_Q=table("1 -.5; .5 1"),
            W_K=table("1 2; 0 0"),
            W_V=numbers(3, 2, 3),
            visible=mask("110 011 101 / 110 101 011"),
        ),
        Case(
            "padding that nobody may look at, and values of width 1",
            drawn(3103, X=(2, 4, 3), W_Q=(3, 2), W_K=(3, 2), W_V=(3, 1)),
            visible=mask("1110 0110 1010 1110 / 1100 1000 1100 0100"),
        ),
        Case(
            "scores beyond 1000 and -1000, seen and hidden",
            X=table("42 12; 42 9; -42 -12 / 42 2; 1 3; 1 2"),
            W_Q=np.eye(2),
            W_K=np.eye(2),
            W_V=numbers(5, 2, 3),
            visible=mask("111 110 110 / 011 011 111"),
        ),
    ),
    mutants=(
        *scaling(lambda attention: swap(attention=attention)),
        *weights.masking(
            weights.calls_attention,
            only=(
                *weights.IN_A_LAYER,
                *weights.WITH_LARGE_SCORES,
                "visible scores of 0 are hidden",
                "infinity times the mask",
            ),
        ),
        *read_mistakes(__file__)["self_attention"],
    ),
    laws=(
        *laws_of_weights(instead="those who ask"),
        scaled_by_the_root(),
        mixes_the_values("X", "W_V"),
    ),
    batch=("X", "visible"),
    forms=("single", "batched"),
)


def one_width_for_all(example: Example) -> str | None:
    """One of the three widths stands for all."""
    every = (example, *example.among)
    for width in ("D_X", "D_Q", "D_V"):
        if all(
            it.got["work"]
            == solutions.multiply_adds(it.inputs["N_X"], *[it.inputs[width]] * 3)
            for it in every
        ):
            return (
                f"You use one width for all, {width}. There are three: inputs are D_X "
                "wide, queries and keys D_Q, values D_V."
            )
    return None


def products(N_X, D_X, D_Q, D_V):
    """The five products, and what people count instead."""
    pairs, queries, values = N_X * N_X, N_X * D_X * D_Q, N_X * D_X * D_V
    queries_and_keys = {
        "You count one matrix of D_X by D_Q. There are two of them, W_Q and "
        "W_K.": queries,
        "You give W_Q or W_K D_V columns. Both have D_Q.": queries + values,
        "You multiply W_Q and W_K by one input. Each of N_X inputs makes a query and a "
        "key.": 2 * D_X * D_Q,
        "You leave out X W_Q and X W_K.": 0,
    }
    of_values = {
        "You give W_V D_Q columns. Values have a width of their own, D_V.": queries,
        "You multiply W_V by one input. Each of N_X inputs has a value.": D_X * D_V,
        "You leave out X W_V.": 0,
    }
    scores = {
        "Your dot products have D_X terms. Queries and keys are D_Q wide.": pairs * D_X,
        "You compare one query with the keys. Each of N_X inputs asks.": N_X * D_Q,
        "You count a score as one. It is a sum of D_Q products.": pairs,
        "You count Q K^T twice.": 2 * pairs * D_Q,
        "You leave out the scores, Q K^T.": 0,
    }
    mixtures = {
        "You mix vectors of width D_Q. Values are D_V wide.": pairs * D_Q,
        "You mix the values once. Each of N_X inputs gets a mixture.": N_X * D_V,
        "You count a weight times a value as one. It is D_V products.": pairs,
        "You count A V twice.": 2 * pairs * D_V,
        "You leave out the mixtures, A V.": 0,
    }
    too_much = {
        "You also count something of N_X by N_X numbers, such as the divisions by "
        "sqrt(D_Q). Only matrix products are counted here.": pairs,
        "You count X W_V twice, or a sixth product of its size, such as an output "
        "matrix. There are five.": values,
        "You count each pair of inputs twice. There are N_X * N_X pairs (i, j), with "
        "those of j and i among them.": pairs * (D_Q + D_V),
        "For the pairs you count D_Q + D_X; it is D_Q + D_V.": pairs * (D_X - D_V),
        "For the pairs you count D_V + D_V; it is D_Q + D_V.": pairs * (D_V - D_Q),
    }
    return [
        (2 * queries, queries_and_keys),
        (values, of_values),
        (pairs * D_Q, scores),
        (pairs * D_V, mixtures),
        (0, too_much),
    ]


def beyond_32_bits(example: Example) -> str | None:
    """Right but for what 32 bits cannot hold."""
    work = example.expected["work"]
    off = abs(example.got["work"] - work)
    if not off or (off % 2**32 and off > 1e-6 * work):
        return None
    return (
        "The number needs more than 32 bits (int32, float32). Count with Python's int."
    )


def counted_once(example: Example) -> str | None:
    """A multiply-add is one; told only if all else is right."""
    every = (example, *example.among)
    if any(it.got["work"] != 2 * it.expected["work"] for it in every):
        return None
    return (
        "You count each product and its addition apart. Together they are one "
        "multiply-add."
    )


check_multiply_adds = Check(
    name="multiply_adds",
    reference=solutions.multiply_adds,
    gives={"work": ""},
    task="Write `multiply_adds(N_X, D_X, D_Q, D_V)`: how many multiply-adds a self-"
    "attention layer does for N_X inputs, in its five matrix products. A product and "
    "the addition that follows it are one.",
    cases=(
        Case("widths that all differ", N_X=101, D_X=13, D_Q=7, D_V=5),
        Case("a single input", N_X=1, D_X=6, D_Q=4, D_V=9),
        Case("more widths than inputs", N_X=3, D_X=8, D_Q=2, D_V=11),
        Case("a long text", N_X=701, D_X=1009, D_Q=997, D_V=1013),
    ),
    mutants=read_mistakes(__file__)["multiply_adds"],
    laws=(
        beyond_32_bits,
        one_width_for_all,
        counted_once,
        Counted(
            "the work",
            products,
            hint="Take the five products one by one: a product of (n, k) and (k, m) "
            "is n × m sums of k terms.",
        ),
    ),
)
