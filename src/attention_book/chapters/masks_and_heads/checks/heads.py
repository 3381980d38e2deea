"""`check_split_heads`, `check_multi_head`: attending in parts of the width."""

import numpy as np

from attention_book.exercises.arrays import mask, numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import laws_of_weights
from attention_book.exercises.mistakes import read_mistakes
from attention_book.reference import multi_head, split_heads

MISTAKES = read_mistakes(__file__)
RESHAPED, INTERLEAVED, *_ = MISTAKES["split_heads"]


def numbered(B: int, N: int, D: int) -> np.ndarray:
    """Number the items, positions and entries: 213.0 is item 2, position 1, entry 3."""
    b, n, d = np.ogrid[1 : B + 1, :N, :D]
    return 100.0 * b + 10.0 * n + d


def heads_hold_their_entries(example: Example) -> str | None:
    """Point at the first vector of a head that is not cut from its own place."""
    X, got = example.inputs["X"], np.asarray(example.got["heads"])
    D_head = got.shape[-1]
    for k, n in np.ndindex(got.shape[:2]):
        first, last = k * D_head, (k + 1) * D_head - 1
        if not np.allclose(got[k, n], X[n, first : last + 1]):
            return (
                f"head {k} at position {n} must hold entries {first} to {last} of "
                f"X[{n}]; yours holds {got[k, n].round(3).tolist()}."
            )
    return None


def heads_differ(example: Example) -> str | None:
    """Speak when all heads look the same way."""
    A = np.asarray(example.got["A"])
    if not np.allclose(A, A[:1], atol=1e-5):
        return None
    return (
        "all your heads have the same weights. Each has queries and keys of its own: "
        "its part of the width."
    )


def heads_are_joined(example: Example) -> str | None:
    """Each head mixes its own values; side by side, what they find meets W_O."""
    inputs, A = example.inputs, np.asarray(example.got["A"])
    values = np.split(inputs["X"] @ inputs["W_V"], len(A), axis=-1)
    found = np.concatenate([a @ v for a, v in zip(A, values, strict=True)], axis=-1)
    if np.allclose(example.got["Y"], found @ inputs["W_O"], rtol=1e-3, atol=1e-4):
        return None
    return (
        "Y does not follow from your weights A. Each head mixes its own part of the "
        "values; the results stand side by side, head after head, and meet W_O, which "
        "sums over the heads: no mean is taken."
    )


check_split_heads = Check(
    name="split_heads",
    reference=split_heads,
    gives={"heads": "N_heads N D_head"},
    task="Write `split_heads(X, N_heads)`: X (B, N, D) in, an array (B, N_heads, N, "
    "D_head) out, where D_head = D / N_heads and head k holds entries k * D_head to "
    "(k + 1) * D_head - 1 of every vector. N_heads divides D. (A function for one "
    "example, (N, D) in and (N_heads, N, D_head) out, is accepted too.)",
    # in the first case most mistakes have the right shape; in the others no two axes
    # are of one length
    cases=(
        Case("as many heads as positions", X=numbered(3, 2, 4), N_heads=2),
        Case("two wide heads", X=numbered(2, 3, 8), N_heads=2),
        Case("three narrow heads", X=numbered(2, 4, 6), N_heads=3),
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
    task="Write `multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)`, self-attention "
    "with N_heads heads, for a batch X (B, N_X, D_X) with masks (B, N_X, N_X) or for "
    "one example without B; visible is True where a position may look, the same for "
    "all heads. W_Q and W_K (D_X, D), W_V (D_X, D_V); head k gets the k-th of N_heads "
    "blocks of neighbouring columns of each. Each head is scaled dot-product attention "
    "on its own; what they find is put side by side, head after head, and multiplied "
    "by W_O (D_V, D_Y). Return Y (B, N_X, D_Y) and all weights A (B, N_heads, N_X, "
    "N_X), without B where X has none. Every position may look at something.",
    cases=(
        Case(
            "two heads",
            X=numbers(0, 2, 4, 5),
            W_Q=numbers(1, 5, 6, scale=0.5),
            W_K=numbers(2, 5, 6, scale=0.5),
            W_V=numbers(3, 5, 4),
            W_O=numbers(4, 4, 4),
            N_heads=2,
            visible=mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
        ),
        Case(
            "three heads, values wider than keys",
            X=numbers(5, 2, 3, 4),
            W_Q=numbers(6, 4, 6, scale=0.4),
            W_K=numbers(7, 4, 6, scale=0.4),
            W_V=numbers(8, 4, 9),
            W_O=numbers(9, 9, 5),
            N_heads=3,
            visible=mask("110 011 101 / 101 110 011"),
        ),
    ),
    mutants=(RESHAPED, INTERLEAVED, *MISTAKES["multi_head"]),
    laws=(*laws_of_weights(), heads_differ, heads_are_joined),
    batch=("X", "visible"),
    forms=("batched", "single"),
)
