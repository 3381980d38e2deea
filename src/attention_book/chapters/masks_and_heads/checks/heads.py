"""`check_split_heads`, `check_multi_head`: attending in parts of the width."""

from functools import partial

import numpy as np

from attention_book.exercises.arrays import drawn, mask, numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families import weights
from attention_book.exercises.families.scaling import scaling
from attention_book.exercises.laws import laws_of_weights, scaled_by_the_root
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import swap
from attention_book.reference import multi_head, split_heads

MISTAKES = read_mistakes(__file__)
small = partial(drawn, scale=0.7)


def heads_hold_their_entries(example: Example) -> str | None:
    """Point at the first vector of a head that is not cut from its own place."""
    got, due = example.got["heads"], example.expected["heads"]
    for k, n in np.argwhere(~np.isclose(got, due).all(axis=-1)).tolist():
        first, last = k * due.shape[-1], (k + 1) * due.shape[-1] - 1
        return (
            f"head {k} at position {n} must hold entries {first} to {last} of X[{n}]; "
            f"yours holds {got[k, n].astype(float).round(3).tolist()}."
        )
    return None


def heads_are_apart_and_joined(example: Example) -> str | None:
    """Point at the first head whose weights are not its own, or else at Y."""
    for k, pair in enumerate(zip(example.got["A"], example.expected["A"], strict=True)):
        if not np.allclose(*pair, atol=1e-4):
            if k:
                return (
                    f"A[0] is right, A[{k}] is not: does each head take its own block "
                    "of W_Q and W_K?"
                )
            return (
                "A[0] is off. Head 0 compares its block of neighbouring columns "
                "of X W_Q with its block of X W_K, position by position (a reshape "
                "without swapping axes mixes them), divided by sqrt(D_head)."
            )
    if np.allclose(example.got["Y"], example.expected["Y"], rtol=1e-3, atol=1e-4):
        return None
    return (
        "A is right, Y is not. Each head mixes its own part of the values by its A "
        "(under the same mask, if Y is computed apart); the results stand side by "
        "side, head 0 first, and are multiplied by W_O. Nothing comes after that."
    )


check_split_heads = Check(
    name="split_heads",
    reference=split_heads,
    gives={"heads": "N_heads N D_head"},
    task="Write `split_heads(X, N_heads)`: X (B, N, D) in, (B, N_heads, N, D_head) "
    "out, or both without B. Head k holds entries k * D_head to (k + 1) * D_head - 1 "
    "of every vector, D_head = D / N_heads.",
    cases=(
        Case("three heads", X=np.arange(48.0).reshape(2, 4, 6), N_heads=3),
        Case("two heads", X=numbers(0, 3, 5, 8), N_heads=2),
    ),
    mutants=MISTAKES["split_heads"],
    laws=(heads_hold_their_entries,),
    batch=("X",),
    forms=("batched", "single"),
)

check_multi_head = Check(
    name="multi_head",
    reference=multi_head,
    gives={"Y": "N_X D_Y", "A": "N_heads N_X N_X"},
    weights=("A",),
    task="Write `multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)`: head k attends "
    "with the k-th block of columns of W_Q, W_K, W_V (D_X, ...), all under one mask "
    "(N_X, N_X); W_O meets what they find. Return Y and all weights, as for one head.",
    cases=(
        Case(
            "three heads",
            small(0, X=(2, 4, 5), W_Q=(5, 6), W_K=(5, 6), W_V=(5, 9), W_O=(9, 9)),
            N_heads=3,
            visible=mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
        ),
        Case(
            "two heads",
            small(5, X=(3, 3, 6), W_Q=(6, 8), W_K=(6, 8), W_V=(6, 6), W_O=(6, 5)),
            N_heads=2,
            visible=mask("110 011 111 / 101 110 011 / 010 110 100"),  # padding in one
        ),
    ),
    mutants=(
        *(m for m in MISTAKES["split_heads"] if m.name != "heads behind the positions"),
        *MISTAKES["multi_head"],
        *scaling(lambda attention: swap(attention=attention), width="D_head"),
        *weights.masking(weights.calls_attention, only=weights.IN_A_LAYER),
    ),
    laws=(
        *laws_of_weights(),
        scaled_by_the_root(width="D_head"),
        heads_are_apart_and_joined,
    ),
    batch=("X", "visible"),
    forms=("batched", "single"),
)
