"""`check_split_heads`, `check_multi_head`: cutting the width, attending in parts, putting the parts together."""

import numpy as np

from attention_book.chapters.attention_layer.checks.attention import LAWS, mask, numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mutants import Mutant
from attention_book.reference import multi_head, split_heads

CUT = "parts = X.reshape(*axes, N, N_heads, D // N_heads)"
MOVE = "return np.swapaxes(parts, -3, -2)"
MOVE_BACK = (
    "parts = np.swapaxes(X, -3, -2)\n    *axes, N, N_heads, D_head = parts.shape"
)
JOIN = "return parts.reshape(*axes, N, N_heads * D_head)"
KEYS = "K = split_heads(X @ W_K, N_heads)"
ONE_MASK = "visible = visible[..., None, :, :]  # one mask for all heads"
ATTEND = "found, A = attention(Q, K, V, visible)"
FINISH = "return merge_heads(found) @ W_O, A"

RESHAPED = (MOVE, "return X.reshape(*axes, N_heads, N, D // N_heads)")
INTERLEAVED = (
    MOVE,
    "return np.moveaxis(X.reshape(*axes, N, D // N_heads, N_heads), -1, -3)",
)
NOT_MOVED_BACK = (MOVE_BACK, "parts = X\n    *axes, N_heads, N, D_head = parts.shape")
INTERLEAVED_BACK = (
    JOIN,
    "return np.swapaxes(parts, -1, -2).reshape(*axes, N, N_heads * D_head)",
)


def counted(B: int, N: int, D: int) -> np.ndarray:
    """Number the items, positions and entries: 213.0 is item 2, position 1, entry 3."""
    b, n, d = np.ogrid[1 : B + 1, :N, :D]
    return 100.0 * b + 10.0 * n + d


def heads_hold_their_entries(example: Example) -> str | None:
    """Point at the first vector of a head that is not cut from its own place."""
    X, got = example.inputs["X"], np.asarray(example.got["heads"])
    _, _, D_head = got.shape
    for k, n in np.ndindex(got.shape[:2]):
        if not np.allclose(got[k, n], X[n, k * D_head : (k + 1) * D_head]):
            return (
                f"head {k} at position {n} must hold entries {k * D_head} to "
                f"{(k + 1) * D_head - 1} of X[{n}]; yours holds "
                f"{got[k, n].round(3).tolist()}."
            )
    return None


def heads_differ(example: Example) -> str | None:
    """Speak when all heads look the same way."""
    A = np.asarray(example.got["A"])
    if len(A) == 1 or not np.allclose(A, A[:1], atol=1e-5):
        return None
    return "all your heads have the same weights. Each has queries and keys of its own: its part of the width."


def heads_are_joined(example: Example) -> str | None:
    """Check that Y follows from the weights: each head's own values, side by side, times W_O."""
    inputs, A = example.inputs, np.asarray(example.got["A"])
    values = np.split(inputs["X"] @ inputs["W_V"], len(A), axis=-1)
    found = np.concatenate(
        [A_k @ V_k for A_k, V_k in zip(A, values, strict=True)], axis=-1
    )
    if np.allclose(example.got["Y"], found @ inputs["W_O"], rtol=1e-3, atol=1e-4):
        return None
    return (
        "Y does not follow from your weights A. Each head mixes its own part of the "
        "values; the results stand side by side, head after head, and meet W_O."
    )


check_split_heads = Check(
    name="split_heads",
    reference=split_heads,
    gives={"heads": "N_heads N D_head"},
    task="Write `split_heads(X, N_heads)`: X (B, N, D) in, an array (B, N_heads, N, D_head) out, where D_head = D / "
    "N_heads and head k holds entries k * D_head to (k + 1) * D_head - 1 of every "
    "vector. N_heads divides D. (A function for one example, (N, D) in and (N_heads, "
    "N, D_head) out, is accepted too.)",
    # in the first case most mistakes have the right shape; in the others no two axes
    # are of one length
    cases=(
        Case("as many heads as positions", {"X": counted(3, 2, 4), "N_heads": 2}),
        Case("two wide heads", {"X": counted(2, 3, 8), "N_heads": 2}),
        Case("three narrow heads", {"X": counted(2, 4, 6), "N_heads": 3}),
    ),
    mutants=(
        Mutant(
            "reshaped without moving the axis",
            (RESHAPED,),
            "The shape is right, the numbers are not: a reshape straight to (N_heads, "
            "N, D_head) gives a head some positions instead of part of every "
            "position. First cut, (N, N_heads, D_head), then swap these two axes.",
        ),
        Mutant(
            "heads not moved to the front",
            ((MOVE, "return parts"),),
            "You cut the width, but the heads stand behind the positions: (N, "
            "N_heads, D_head). Swap these two axes; otherwise attention would compare "
            "heads with heads.",
        ),
        Mutant(
            "interleaved",
            (INTERLEAVED,),
            "Your head k takes every N_heads-th entry, beginning with k. Here a head "
            "is made of neighbours: reshape to (N, N_heads, D_head), not to (N, "
            "D_head, N_heads).",
        ),
        Mutant(
            "positions last",
            ((MOVE, "return np.moveaxis(parts, -3, -1)"),),
            "Your heads have the positions in their last axis: (N_heads, D_head, N). "
            "The vector of a position stays in one piece, last: (N_heads, N, D_head). "
            "(Transposing everything first does this.)",
        ),
        Mutant(
            "N_heads taken for D_head",
            ((CUT, "parts = X.reshape(*axes, N, D // N_heads, N_heads)"),),
            "You make D / N_heads heads of width N_heads. It is the other way round: "
            "N_heads heads of width D / N_heads.",
        ),
        Mutant(
            "every head gets the whole width",
            ((MOVE, "return np.repeat(X[..., None, :, :], N_heads, axis=-3)"),),
            "Each of your heads is a copy of all of X. A head gets its own part of "
            "the width, D / N_heads entries.",
        ),
    ),
    laws=(heads_hold_their_entries,),
    batch=("X",),
    forms=("batched", "single"),
)

check_multi_head = Check(
    name="multi_head",
    reference=multi_head,
    gives={"Y": "N_X D_Y", "A": "N_heads N_X N_X"},
    task="Write `multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)`, self-attention with N_heads heads, for a batch "
    "X (B, N_X, D_X) with masks (B, N_X, N_X) or for one example without B; visible "
    "is True where a position may look, the same for all heads. W_Q and W_K (D_X, D), "
    "W_V (D_X, D_V); head k gets the k-th of N_heads blocks of neighbouring columns "
    "of each. Each head is scaled dot-product attention on its own; what they find is "
    "put side by side, head after head, and multiplied by W_O (D_V, D_Y). Return Y "
    "(B, N_X, D_Y) and all weights A (B, N_heads, N_X, N_X), without B where X has "
    "none. Every position may look at something.",
    cases=(
        Case(
            "two heads",
            {
                "X": numbers(0, 2, 4, 5),
                "W_Q": numbers(1, 5, 6, scale=0.5),
                "W_K": numbers(2, 5, 6, scale=0.5),
                "W_V": numbers(3, 5, 4),
                "W_O": numbers(4, 4, 4),
                "N_heads": 2,
                "visible": mask("1101 0111 1010 1110 / 0111 1101 1011 0110"),
            },
        ),
        Case(
            "three heads, values wider than keys",
            {
                "X": numbers(5, 2, 3, 4),
                "W_Q": numbers(6, 4, 6, scale=0.4),
                "W_K": numbers(7, 4, 6, scale=0.4),
                "W_V": numbers(8, 4, 9),
                "W_O": numbers(9, 9, 5),
                "N_heads": 3,
                "visible": mask("110 011 101 / 101 110 011"),
            },
        ),
    ),
    mutants=(
        Mutant(
            "reshaped without moving the axis",
            (RESHAPED,),
            "Your heads are made of positions, not of parts of the width: a reshape "
            "straight to (N_heads, N_X, D_head) mixes the two. First cut, (N_X, "
            "N_heads, D_head), then swap these two axes.",
        ),
        Mutant(
            "merged without moving the axis back",
            (NOT_MOVED_BACK,),
            "The heads look at the right things, but are put together wrongly: a "
            "reshape of (N_heads, N_X, D_head) mixes positions. First swap back to "
            "(N_X, N_heads, D_head), then join the last two axes.",
        ),
        Mutant(
            "reshaped both ways without moving an axis",
            (RESHAPED, NOT_MOVED_BACK),
            "You cut and join with reshape alone. The shapes are right, but a head "
            "sees pieces of some positions. Swap the axes of positions and heads "
            "after cutting, and again before joining.",
        ),
        Mutant(
            "divided by sqrt(D), not by sqrt(D_head)",
            ((ATTEND, ATTEND.replace("(Q,", "(Q / np.sqrt(N_heads),")),),
            "You divide the scores by the root of the whole width. A head's dot "
            "product has only D_head terms: divide by sqrt(D_head), D_head = D / "
            "N_heads.",
        ),
        Mutant(
            "W_O forgotten",
            ((FINISH, "return merge_heads(found), A"),),
            "The heads stand side by side, and there you stop. Multiply by W_O, which "
            "lets their findings meet.",
        ),
        Mutant(
            "mask for the first head only",
            (
                (
                    ONE_MASK,
                    "visible = visible[..., None, :, :] | (np.arange(N_heads) > 0)[:, "
                    "None, None]",
                ),
            ),
            "Only your first head obeys the mask. Give the mask an axis of length 1 "
            "for the heads: visible[..., None, :, :].",
        ),
        Mutant(
            "mask not used",
            ((ONE_MASK, "visible = None"),),
            "Your result does not depend on the mask. Hand it to the attention of "
            "every head.",
            seen="mead-baseline 679",
        ),
        Mutant(
            "keys of the first head for all",
            ((KEYS, f"{KEYS}[..., :1, :, :].repeat(N_heads, axis=-3)"),),
            "All your heads use the keys of the first. Each head has its own block of "
            "X W_K.",
        ),
        Mutant(
            "heads interleaved",
            (INTERLEAVED,),
            "Your head k takes every N_heads-th column, beginning with k, but you "
            "join the heads block after block. Cut into neighbours as well: reshape "
            "to (N_X, N_heads, D_head), not to (N_X, D_head, N_heads).",
        ),
        Mutant(
            "heads interleaved, both ways",
            (INTERLEAVED, INTERLEAVED_BACK),
            "Your head k is made of every N_heads-th column, beginning with k. That "
            "fits together, but weights learned for blocks mean something else: a "
            "head is a block of neighbours, (N_X, N_heads, D_head).",
        ),
        Mutant(
            "weights averaged over the heads",
            ((FINISH, "return merge_heads(found) @ W_O, A.mean(axis=-3)"),),
            "You return one average of the heads' weights. Return those of each head, "
            "(N_heads, N_X, N_X). (torch's nn.MultiheadAttention averages unless told "
            "average_attn_weights=False.)",
        ),
        Mutant(
            "heads averaged",
            ((FINISH, "return merge_heads(found) @ W_O / N_heads, A"),),
            "You take the mean over the heads, so that Y is too small by the factor "
            "N_heads. Heads are put side by side and multiplied by W_O, which is a "
            "sum over the heads.",
        ),
    ),
    laws=(*LAWS, heads_differ, heads_are_joined),
    batch=("X", "visible"),
    forms=("batched", "single"),
)
