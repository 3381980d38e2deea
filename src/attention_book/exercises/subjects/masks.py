"""`check_causal_mask`, `check_padding_mask`, `check_decoder_mask`: who may look at what."""

import numpy as np

from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant
from attention_book.reference import causal_mask, decoder_mask, padding_mask

CAUSAL = "np.arange(N)[None, :] <= np.arange(N)[:, None]"
PADDING = "np.arange(N_X)[None, :] < np.asarray(lengths)[:, None]"
BOTH = "causal_mask(N)[None, :, :] & padding_mask(lengths, N)[:, None, :]"


def additive(seen: Seen) -> str | None:
    """A mask of 0 and -inf, to be added to the scores, is another kind of mask."""
    got = np.asarray(seen.got["visible"])
    if got.dtype.kind == "f" and np.isneginf(got).any():
        return (
            "visible holds -inf: that is a mask to add to the scores. Return True where looking is allowed, else False."
        )
    return None


def sees(seen: Seen) -> str | None:
    """Say of the first wrong entry what it lets happen."""
    got, want = np.asarray(seen.got["visible"]).astype(bool), np.asarray(seen.expected["visible"])
    if np.array_equal(got, want):
        return None
    at = tuple(int(i) for i in np.argwhere(got != want)[0])
    *before, j = at
    who = f"query {before[-1]}" if len(before) == 2 or ("N" in seen.inputs and want.ndim == 2) else "a query"
    may = "may look at input" if got[at] else "may not look at input"
    return f"{who} {may} {j} (visible{[*at]} is {bool(got[at])}, expected {bool(want[at])})."


LAWS = (additive, sees)

check_causal_mask = Check(
    name="causal_mask",
    reference=causal_mask,
    gives={"visible": "N N"},
    task="Write `causal_mask(N)`: bool of shape (N, N), True where query i (row) may look at input j (column). A "
    "query may "
    "look at itself and at what came before it.",
    cases=(Case("five positions", {"N": 5}), Case("a single position", {"N": 1})),
    mutants=(
        Mutant(
            "looks one ahead",
            ((CAUSAL, "np.arange(N)[None, :] <= np.arange(N)[:, None] + 1"),),
            "Query i may look at input i + 1 in yours: at the very token it is to predict. The loss falls to "
            "nothing, and at "
            "test time there is nothing to look at.",
        ),
        Mutant(
            "does not see itself",
            ((CAUSAL, CAUSAL.replace("<=", "<")),),
            "Query i may not look at itself in yours, and the first one at nothing at all. The diagonal is "
            "visible: input i "
            "has been read when i + 1 is to be predicted.",
        ),
        Mutant(
            "sees only the future",
            ((CAUSAL, CAUSAL.replace("<=", ">=")),),
            "Yours lets each query look at itself and at what comes *after* it. Row i holds the inputs up to i: "
            "the lower "
            "triangle (np.tril, not np.triu).",
        ),
        Mutant(
            "True means hidden",
            ((CAUSAL, CAUSAL.replace("<=", ">")),),
            "Yours is True where looking is forbidden. Here True means *may look*, as in scaled_dot_product_attention; "
            "nn.MultiheadAttention means the opposite.",
        ),
        Mutant(
            "everything visible",
            ((CAUSAL, "np.ones((N, N), dtype=bool)"),),
            "Yours hides nothing: every query sees the future.",
        ),
    ),
    laws=LAWS,
)

check_padding_mask = Check(
    name="padding_mask",
    reference=padding_mask,
    gives={"visible": "B N_X"},
    task="Write `padding_mask(lengths, N_X)`: bool of shape (B, N_X), True for the first lengths[b] inputs of "
    "sentence b, "
    "which are words, and False for the padding behind them. `lengths` is a list of B whole numbers.",
    cases=(
        Case("three sentences", {"lengths": [2, 5, 1], "N_X": 5}),
        Case("no padding at all", {"lengths": [3, 3], "N_X": 3}),
        Case("a batch with more room than needed", {"lengths": [4, 1], "N_X": 6}),
    ),
    mutants=(
        Mutant(
            "one word too many",
            ((PADDING, PADDING.replace("<", "<=")),),
            "Yours shows one input too many: positions count from 0, so the words are those with j < length.",
        ),
        Mutant(
            "one word too few",
            ((PADDING, PADDING + " - 1"),),
            "Yours hides the last word of each sentence: the words are the positions j < length.",
        ),
        Mutant(
            "True means padding",
            ((PADDING, PADDING.replace("<", ">=")),),
            "Yours is True for padding. Here True means *may look*; nn.MultiheadAttention's key_padding_mask means the "
            "opposite.",
        ),
        Mutant(
            "words at the end",
            ((PADDING, "np.arange(N_X)[None, ::-1] < np.asarray(lengths)[:, None]"),),
            "Yours takes the last inputs for words. The padding stands behind the words, so the first ones are "
            "visible.",
        ),
    ),
    laws=LAWS,
)

check_decoder_mask = Check(
    name="decoder_mask",
    reference=decoder_mask,
    gives={"visible": "B N N"},
    task="Write `decoder_mask(lengths, N)`: bool of shape (B, N, N). In sentence b, query i may look at input j "
    "if j is not "
    "after i, and if j is a word: j < lengths[b].",
    cases=(
        Case("three sentences", {"lengths": [2, 4, 1], "N": 4}),
        Case("no padding at all", {"lengths": [3, 3], "N": 3}),
    ),
    mutants=(
        Mutant(
            "padding hidden as queries",
            ((BOTH, "causal_mask(N)[None, :, :] & padding_mask(lengths, N)[:, :, None]"),),
            "Yours hides the rows of the padding, which are queries. Padding must not be looked *at*: hide its "
            "columns, "
            "the axis of the inputs. (And a row with nothing visible has no weights.)",
            seen="d2l-en 2423",
        ),
        Mutant(
            "or in place of and",
            ((BOTH, BOTH.replace("&", "|")),),
            "Yours lets a query look where *one* of the two masks allows it. Both must: combine them with &.",
        ),
        Mutant(
            "padding forgotten",
            ((BOTH, "np.repeat(causal_mask(N)[None, :, :], len(lengths), axis=0)"),),
            "Yours does not hide the padding: the mask is the same for every sentence of the batch.",
            seen="pytorch/tutorials 3643, pytorch-seq2seq 152",
        ),
        Mutant(
            "the future forgotten",
            ((BOTH, "np.repeat(padding_mask(lengths, N)[:, None, :], N, axis=1)"),),
            "Yours hides the padding but not the future: a query sees the words it is to predict.",
        ),
    ),
    laws=LAWS,
)
