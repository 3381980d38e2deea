"""`check_split_heads`, `check_multi_head`: attention side by side."""

from attention_book.exercises.checking import Case, Check
from attention_book.exercises.laws import hidden_gets_nothing, not_negative, rows_sum_to_one
from attention_book.exercises.mutants import Mutant
from attention_book.exercises.subjects.attention import mask, numbers
from attention_book.reference import multi_head, split_heads

SPLIT = "return np.swapaxes(X.reshape(*B, N, N_heads, D // N_heads), -2, -3)"
MERGE = "return np.swapaxes(Y, -2, -3).reshape(*B, N, N_heads * D_head)"
ATTEND = "Y, A = attention(Q, K, V, seen)"
OUT = "return merge_heads(Y) @ W_O, A"

WITHOUT_MOVING = Mutant(
    "split by reshape alone",
    ((SPLIT, "return X.reshape(*B, N_heads, N, D // N_heads)"),),
    "Your heads mix positions and features: reshape keeps the numbers in their order, so the first head gets the first "
    "positions whole. Split the width, (N, N_heads, D_head), and then move the axis of the heads.",
)
INTERLEAVED = Mutant(
    "every so-manyth column",
    ((SPLIT, "return np.moveaxis(X.reshape(*B, N, D // N_heads, N_heads), -1, -3)"),),
    "Your head k takes the columns k, k + N_heads, and so on. It should get D_head columns that stand together: "
    "split the "
    "width into (N_heads, D_head), in this order.",
)

check_split_heads = Check(
    name="split_heads",
    reference=split_heads,
    gives={"heads": "N_heads N D_head"},
    task="Write `split_heads(X, N_heads)`: cut X of shape (N, D) into heads, (N_heads, N, D_head), where head k "
    "holds the "
    "columns k * D_head to (k + 1) * D_head of every position and D = N_heads * D_head. X may have a batch axis "
    "in front.",
    cases=(
        Case("two heads", {"X": numbers(0, 2, 5, 6), "N_heads": 2}),
        Case("three heads", {"X": numbers(1, 2, 4, 6), "N_heads": 3}),
        Case("a single head", {"X": numbers(2, 2, 3, 4), "N_heads": 1}),
    ),
    mutants=(
        WITHOUT_MOVING,
        INTERLEAVED,
        Mutant(
            "axis of the heads not moved",
            ((SPLIT, "return X.reshape(*B, N, N_heads, D // N_heads)"),),
            "Your heads come after the positions, (N, N_heads, D_head). Move their axis in front, so that each "
            "head is a "
            "stack of positions of its own.",
        ),
        Mutant(
            "positions cut in place of the width",
            ((SPLIT, "return np.swapaxes(X.reshape(*B, D // N_heads, N_heads, N), -1, -3).swapaxes(-1, -2).copy()"),),
            "Your cut goes through positions, not through the width. Leave the axis N whole: (N, D) becomes (N, "
            "N_heads, "
            "D_head).",
        ),
    ),
    batch=("X",),
    forms=("single", "batched"),
)

D = 6
WEIGHTS = {name: numbers(seed, D, D) / 2 for name, seed in (("W_Q", 3), ("W_K", 4), ("W_V", 5), ("W_O", 6))}

check_multi_head = Check(
    name="multi_head",
    reference=multi_head,
    gives={"Y": "N_X D", "A": "N_heads N_X N_X"},
    task="Write `multi_head(X, W_Q, W_K, W_V, W_O, N_heads, visible)`: self-attention with several heads. X is "
    "(N_X, D), "
    "the matrices are (D, D), and head k works on columns k * D_head to (k + 1) * D_head of X @ W_Q, X @ W_K and "
    "X @ W_V. "
    "The heads' outputs stand side by side in the same order and go through W_O. `visible`, bool (N_X, N_X), True "
    "where "
    "input i may look, holds for every head. X and visible may have a batch axis in front. Return Y (N_X, D) and the "
    "weights A (N_heads, N_X, N_X).",
    cases=(
        Case(
            "two heads",
            {"X": numbers(7, 2, 4, D) / 2, **WEIGHTS, "N_heads": 2, "visible": mask(8, 2, 4, 4)},
        ),
        Case(
            "three heads",
            {"X": numbers(9, 2, 5, D) / 2, **WEIGHTS, "N_heads": 3, "visible": mask(10, 2, 5, 5)},
        ),
    ),
    mutants=(
        WITHOUT_MOVING,
        INTERLEAVED,
        Mutant(
            "keys of one head for all",
            ((ATTEND, "Y, A = attention(Q, np.repeat(K[..., :1, :, :], N_heads, axis=-3), V, seen)"),),
            "All your heads compare with the keys of the first. Head k has keys of its own: columns k * D_head to "
            "(k + 1) * D_head of X @ W_K.",
        ),
        Mutant(
            "√D of the whole width",
            ((ATTEND, "Y, A = attention(Q / np.sqrt(N_heads), K, V, seen)"),),
            "You divide by the root of the whole width D. Each head sums over its own D_head columns only: divide "
            "by √D_head.",
        ),
        Mutant(
            "merged without moving the axis back",
            ((MERGE, "return Y.reshape(*B, N, N_heads * D_head)"),),
            "Your weights are right, but the heads are put together in the wrong order: move their axis back "
            "behind the "
            "positions before you reshape.",
        ),
        Mutant(
            "W_O forgotten",
            ((OUT, "return merge_heads(Y), A"),),
            "Your output is the heads side by side. The last step is missing: times W_O, which lets the heads be "
            "mixed.",
        ),
        Mutant(
            "mask for the first head only",
            (
                (
                    ATTEND,
                    "seen = np.repeat(seen, N_heads, axis=-3).copy()\n    seen[..., 1:, :, :] = True\n    " + ATTEND,
                ),
            ),
            "Only your first head respects the mask. It holds for all: give it an axis for the heads, and let it "
            "broadcast.",
        ),
        Mutant(
            "mask not used",
            ((ATTEND, "Y, A = attention(Q, K, V)"),),
            "The mask changes nothing in your result: does it reach the softmax?",
        ),
        Mutant(
            "weights averaged over the heads",
            ((OUT, "return merge_heads(Y) @ W_O, A.mean(axis=-3)"),),
            "Your outputs are right, but you return one map, the mean of all heads. Heads that look at different "
            "places "
            "cannot be told from one that looks everywhere: return a map for each.",
            seen="nn.MultiheadAttention's default",
        ),
    ),
    laws=(
        not_negative("A"),
        hidden_gets_nothing("A"),
        rows_sum_to_one("A", over="the inputs", instead="the queries"),
    ),
    batch=("X", "visible"),
    forms=("single", "batched"),
)
