"""`check_attention`, `check_self_attention`, `check_cross_attention`: every query looks at every input."""

import numpy as np

from attention_book.exercises.checking import Case, Check
from attention_book.exercises.laws import hidden_gets_nothing, not_negative, rows_sum_to_one
from attention_book.exercises.mutants import Mutant
from attention_book.reference import attention, cross_attention, self_attention

SCALE = "/ np.sqrt(Q.shape[-1])"
HIDE = "np.where(visible, E, -np.inf)"
HIDING = f"E = {HIDE}  # before the softmax, so that the rest still sums to 1"
REFUSING = 'raise ValueError("visible is False in a whole row: a query that may look nowhere has no weights")'
SOFTMAX = "A = softmax(E)\n"
BY_HAND = "A = np.exp(E - E.max(axis=-1, keepdims=True))\n    A = A / A.sum(axis=-1, keepdims=True)\n"

WITHOUT_ROOT = Mutant(
    "no division by √D",
    ((f" {SCALE}", ""),),
    "Your scores are Q Kᵀ as they are. Divide them by the square root of the width that queries and keys share: "
    "without "
    "it they grow with the width, and the softmax puts nearly everything on one input.",
)
DIVIDED_BY_D = Mutant(
    "divided by D, not by √D",
    ((SCALE, "/ Q.shape[-1]"),),
    "You divide the scores by D. Divide by its square root: that is what the spread of a sum of D products grows with.",
)
OVER_QUERIES = Mutant(
    "softmax over the query axis",
    ((SOFTMAX, "A = np.swapaxes(softmax(np.swapaxes(E, -1, -2)), -1, -2)\n"),),
    "Your weights sum to 1 over the queries, each column. Softmax runs over the inputs, the last axis: each query "
    "hands "
    "out one whole.",
)
AFTER = Mutant(
    "mask applied after the softmax",
    ((HIDING, "pass"), (SOFTMAX, "A = softmax(E) if visible is None else softmax(E) * visible\n")),
    "You set weights to 0 after the softmax, so that the rest of the row sums to less than 1. Hide the scores instead, "
    "before the softmax: -inf where visible is False.",
)
MULTIPLIED = Mutant(
    "mask multiplied into the scores",
    ((HIDE, "E * visible"),),
    "You multiply the scores by the mask. A hidden score becomes 0, and 0 is a score like any other: it gets weight. "
    "Make it -inf. (-1e-9 in its place, where -1e9 was meant, does the same harm.)",
)
NOT_USED = Mutant(
    "mask not used",
    ((f"E = {HIDE}", HIDE),),
    "The mask changes nothing in your result. Is `visible` used, and is the masked copy kept? np.where and masked_fill "
    "give a new array: E = E.masked_fill(...), or masked_fill_.",
    seen="mead-baseline 679",
)
REVERSED = Mutant(
    "mask the wrong way round",
    ((HIDE, "np.where(visible, -np.inf, E)"),),
    "You hide what is visible and look at what is hidden. True means *may look* here, as in "
    "scaled_dot_product_attention; nn.MultiheadAttention means the opposite.",
)
UNIFORM = Mutant(
    "a query that may look nowhere looks everywhere",
    ((REFUSING, "pass"), (HIDE, "np.where(visible, E, -1e9)")),
    "Where nothing is visible, yours looks at all hidden inputs alike, and nobody notices: -1e9 everywhere is the same "
    "score everywhere. Raise a ValueError.",
    seen="d2l, annotated-transformer",
)
NAN_ROW = Mutant(
    "a query that may look nowhere gives NaN",
    ((REFUSING, "pass"), (SOFTMAX, BY_HAND)),
    "Where nothing is visible, all scores are -inf and yours returns NaN, which spreads from there through every "
    "layer. "
    "Raise a ValueError.",
    seen="LLMs-from-scratch",
)
ZERO_ROW = Mutant(
    "a query that may look nowhere gives zeros",
    ((REFUSING, "pass"), (SOFTMAX, f"{BY_HAND}    A = np.nan_to_num(A)\n")),
    "Where nothing is visible, yours returns zeros. torch's scaled_dot_product_attention does so too, but a row "
    "that sums "
    "to 0 hides the mistake of whoever made that mask. Here: raise a ValueError.",
    seen="scaled_dot_product_attention",
)
OVERFLOW = Mutant(
    "exp of large scores",
    ((SOFTMAX, "A = np.exp(E) / np.exp(E).sum(axis=-1, keepdims=True)\n"),),
    "exp of a large score overflows, and infinity over infinity is NaN. Subtract each row's largest score first.",
)
MASKS = (AFTER, MULTIPLIED, NOT_USED, REVERSED, UNIFORM, NAN_ROW, ZERO_ROW)
LAWS = (
    not_negative("A"),
    hidden_gets_nothing("A"),
    rows_sum_to_one("A", over="the inputs", instead="the queries"),
)


def numbers(seed: int, *shape: int) -> np.ndarray:
    """Draw numbers that can be read: one digit behind the point."""
    return np.random.default_rng(seed).normal(size=shape).round(1)


def mask(seed: int, B: int, N_Q: int, N_X: int) -> np.ndarray:
    """Draw a mask that hides something from every query, shows something to it, and shows every input to some query."""
    rng = np.random.default_rng(seed)
    while True:
        visible = rng.random((B, N_Q, N_X)) < 0.6
        if visible.any(-1).all() and visible.any(-2).all() and not visible.all(-1).any():
            return visible


def hidden_row(visible: np.ndarray) -> np.ndarray:
    """Hide everything from the second query of the first example."""
    hidden = visible.copy()
    hidden[0, 1] = False
    return hidden


Q, K, V = numbers(0, 2, 3, 4), numbers(1, 2, 5, 4), numbers(2, 2, 5, 2)
VISIBLE = mask(3, 2, 3, 5)
NOTHING = "a query that may look at nothing has no weights"

check_attention = Check(
    name="attention",
    reference=attention,
    gives={"Y": "N_Q D_V", "A": "N_Q N_X"},
    task="Write `attention(Q, K, V, visible)`, scaled dot-product attention, for queries (N_Q, D_Q), keys (N_X, "
    "D_Q) and "
    "values (N_X, D_V); all four may have a batch axis in front. `visible`, bool (N_Q, N_X), is True where a query may "
    "look. Return the outputs Y (N_Q, D_V) and the weights A (N_Q, N_X). Large scores must do no harm; raise "
    "ValueError "
    "if a query may look at nothing.",
    cases=(
        Case("a mask of its own for each query", {"Q": Q, "K": K, "V": V, "visible": VISIBLE}),
        Case("large scores", {"Q": 60 * Q, "K": 60 * K, "V": V, "visible": VISIBLE}),
        Case("a query that may look at nothing", {"Q": Q, "K": K, "V": V, "visible": hidden_row(VISIBLE)}, NOTHING),
    ),
    mutants=(
        WITHOUT_ROOT,
        DIVIDED_BY_D,
        Mutant(
            "√D of the values",
            ((SCALE, "/ np.sqrt(V.shape[-1])"),),
            "You divide by the root of the values' width. What counts is the width of queries and keys, D_Q: over "
            "it the "
            "products are summed.",
        ),
        Mutant(
            "√ of the number of inputs",
            ((SCALE, "/ np.sqrt(K.shape[-2])"),),
            "You divide by the root of the number of inputs: that is another axis. Take the width of queries and "
            "keys, D_Q.",
        ),
        OVER_QUERIES,
        *MASKS,
        OVERFLOW,
        Mutant(
            "keys mixed in place of values",
            (("return A @ V, A", "return A @ K, A"),),
            "Your output mixes the keys. Keys are what is compared with the query; what is handed out are the values.",
        ),
        Mutant(
            "queries overwritten",
            (
                (
                    f"E = Q @ np.swapaxes(K, -1, -2) {SCALE}",
                    "E = np.divide(Q, np.sqrt(Q.shape[-1]), out=Q) @ np.swapaxes(K, -1, -2)",
                ),
            ),
            "The result is right, but Q is divided in place: whoever calls you a second time with the same Q gets "
            "other "
            "scores. Make a new array.",
            seen="d2l, `masked_softmax`, in another form",
        ),
    ),
    laws=LAWS,
    batch=("Q", "K", "V", "visible"),
    forms=("single", "batched"),
)

X, W_Q, W_K, W_V = numbers(4, 2, 5, 4), numbers(5, 4, 3), numbers(6, 4, 3), numbers(7, 4, 2)
SQUARE = mask(8, 2, 5, 5)
MAKING = "attention(X @ W_Q, X @ W_K, X @ W_V, visible)"

check_self_attention = Check(
    name="self_attention",
    reference=self_attention,
    gives={"Y": "N_X D_V", "A": "N_X N_X"},
    task="Write `self_attention(X, W_Q, W_K, W_V, visible)`: queries, keys and values are X @ W_Q, X @ W_K, X @ "
    "W_V for X "
    "(N_X, D_X), matrices (D_X, D_Q), (D_X, D_Q), (D_X, D_V); X and visible may have a batch axis in front. "
    "`visible`, bool "
    "(N_X, N_X), is True where input i may look at input j. Return Y (N_X, D_V) and the weights A (N_X, N_X).",
    cases=(
        Case("a mask of its own for each input", {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "visible": SQUARE}),
        Case(
            "a triangular mask",
            {
                "X": X[:, ::-1].copy(),
                "W_Q": W_K,
                "W_K": W_Q,
                "W_V": W_V,
                "visible": np.tile(np.tri(5, dtype=bool), (2, 1, 1)),
            },
        ),
    ),
    mutants=(
        WITHOUT_ROOT,
        Mutant(
            "√D of the inputs",
            ((MAKING, "attention(X @ W_Q * np.sqrt(W_Q.shape[1] / X.shape[-1]), X @ W_K, X @ W_V, visible)"),),
            "You divide by the root of the inputs' width D_X. Take the width of queries and keys, D_Q: that is "
            "what W_Q and "
            "W_K make.",
        ),
        OVER_QUERIES,
        AFTER,
        MULTIPLIED,
        NOT_USED,
        Mutant(
            "keys made by W_Q",
            ((MAKING, "attention(X @ W_Q, X @ W_Q, X @ W_V, visible)"),),
            "Your keys are the queries. Then i scores j as j scores i, and asking is the same as being asked: keys are "
            "X @ W_K.",
        ),
        Mutant(
            "queries and keys exchanged",
            ((MAKING, "attention(X @ W_K, X @ W_Q, X @ W_V, visible)"),),
            "Your scores are turned round: row i should hold what input i asks of all j, (X @ W_Q)[i] · (X @ W_K)[j].",
        ),
        Mutant(
            "inputs mixed in place of values",
            ((MAKING, "attention(X @ W_Q, X @ W_K, X, visible)"),),
            "Your output mixes the inputs X themselves. The values are X @ W_V.",
        ),
        Mutant(
            "values made by W_K",
            ((MAKING, "attention(X @ W_Q, X @ W_K, X @ W_K, visible)"),),
            "Your output mixes the keys. The values are X @ W_V.",
        ),
        Mutant(
            "output with the weights turned round",
            (("return A @ V, A", "return np.swapaxes(A, -1, -2) @ V, A"),),
            "Your weights are right, but the output mixes with their transpose: row i of Y is A[i] @ V.",
        ),
    ),
    laws=LAWS,
    batch=("X", "visible"),
    forms=("single", "batched"),
)

S, INPUTS = numbers(9, 2, 4, 3), numbers(10, 2, 4, 3)
CROSS = {"W_Q": numbers(11, 3, 5), "W_K": numbers(12, 3, 5), "W_V": numbers(13, 3, 2), "visible": mask(14, 2, 4, 4)}
CROSSING = "attention(S @ W_Q, X @ W_K, X @ W_V, visible)"

check_cross_attention = Check(
    name="cross_attention",
    reference=cross_attention,
    gives={"Y": "N_Y D_V", "A": "N_Y N_X"},
    task="Write `cross_attention(S, X, W_Q, W_K, W_V, visible)`: the decoder's vectors S (N_Y, D_S) look at the "
    "encoder's X "
    "(N_X, D_X). Queries come from S, keys and values from X; the matrices are (D_S, D_Q), (D_X, D_Q), (D_X, "
    "D_V); S, X and "
    "visible may have a batch axis in front. `visible`, bool (N_Y, N_X), is True where step t may look at input "
    "i. Return Y "
    "(N_Y, D_V) and the weights A (N_Y, N_X).",
    cases=(
        Case("as many steps as inputs, so that a mix-up runs", {"S": S, "X": INPUTS, **CROSS}),
        Case("the two exchanged", {"S": INPUTS, "X": S, **CROSS}),
    ),
    mutants=(
        Mutant(
            "keys and values from the decoder",
            ((CROSSING, "attention(S @ W_Q, S @ W_K, S @ W_V, visible)"),),
            "The encoder is not used: your keys and values come from S, so the decoder looks at itself. Make both "
            "from X.",
        ),
        Mutant(
            "queries from the encoder",
            ((CROSSING, "attention(X @ W_Q, S @ W_K, S @ W_V, visible)"),),
            "Yours lets the encoder look at the decoder. The decoder asks: queries from S, keys and values from X.",
        ),
        Mutant(
            "values from the decoder",
            ((CROSSING, "attention(S @ W_Q, X @ W_K, S @ W_V, visible)"),),
            "Your weights are right, but the values come from S. What is mixed is what was looked at: X @ W_V.",
        ),
        Mutant(
            "keys from the decoder",
            ((CROSSING, "attention(S @ W_Q, S @ W_K, X @ W_V, visible)"),),
            "Your keys come from S, so the scores compare the decoder with itself. Keys are X @ W_K.",
        ),
        WITHOUT_ROOT,
        OVER_QUERIES,
        AFTER,
        NOT_USED,
    ),
    laws=LAWS,
    batch=("S", "X", "visible"),
    forms=("single", "batched"),
)
