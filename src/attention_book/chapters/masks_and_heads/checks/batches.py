"""`check_contexts`: attention in a batch whose sentences have different lengths."""

import numpy as np

from attention_book.exercises.arrays import numbers
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.families.weights import masking
from attention_book.exercises.laws import rows_sum_to_one
from attention_book.exercises.mistakes import read_mistakes
from attention_book.exercises.mutants import instead
from attention_book.reference import contexts, padding_mask


def contexts_that_weigh(weigh):
    """Make the contexts of a wrong `weigh(e, visible)`."""

    def contexts(s, h, lengths):
        e = np.einsum("bd,bnd->bn", s, h)
        a = weigh(e, padding_mask(np.asarray(lengths), h.shape[1]))
        return np.einsum("bn,bnd->bd", a, h), a

    return instead(contexts)


def words_and_only_words(example: Example) -> str | None:
    """What stands behind a sentence's length gets no weight, and all words get some."""
    pairs = zip(example.got["a"], example.expected["a"], strict=True)
    for b, ((row, right), length) in enumerate(
        zip(pairs, example.inputs["lengths"], strict=True)
    ):
        said = f"sentence {b} has {length} words, numbers 0 to {length - 1}, and a[{b}]"
        if np.abs(row[length:]).max(initial=0) > 1e-6:
            return f"{said} gives weight to what stands behind them."
        if missed := np.flatnonzero((right > 1e-3) & (row < 1e-6)).tolist():
            return f"{said} gives no weight to number {missed[0]}."
    return None


check_contexts = Check(
    name="contexts",
    reference=contexts,
    gives={"c": "B D_S", "a": "B N_X"},
    task="Write `contexts(s, h, lengths)`: one attention step in each sentence of a "
    "batch. s has shape (B, D_S), h (B, N_X, D_S), and of sentence b only the first "
    "lengths[b] rows are words, the others are padding. Dot scores, softmax over the "
    "words; return the contexts (B, D_S) and the weights (B, N_X), 0 on padding. A "
    "sentence must get the same context whatever finite numbers its padding holds. "
    "Every sentence has a word.",
    cases=(
        Case(
            "three sentences",
            s=numbers(0, 3, 4),
            h=numbers(1, 3, 5, 4),
            lengths=[3, 5, 1],
        ),
        Case(
            "no padding at all",
            s=numbers(2, 2, 4),
            h=numbers(3, 2, 3, 4),
            lengths=[3, 3],
        ),
        Case(
            "padding of zeros",
            s=numbers(4, 2, 4),
            h=numbers(5, 2, 4, 4) * [[[1], [1], [0], [0]]],
            lengths=[2, 1],
        ),
        Case(
            "one sentence with large scores",
            s=numbers(8, 2, 4) * [[1], [400]],
            h=numbers(9, 2, 3, 4),
            lengths=[3, 2],
        ),
        Case(
            "padding of large numbers",
            s=numbers(6, 2, 4),
            h=numbers(7, 2, 4, 4) * [[1], [1], [1e10], [-3e10]],
            lengths=[2, 2],
        ),
    ),
    mutants=(
        *read_mistakes(__file__)["contexts"],
        *masking(
            contexts_that_weigh, only=("mask after the softmax", "hidden scores are 0")
        ),
    ),
    laws=(
        words_and_only_words,
        rows_sum_to_one("a", over="the words", instead="the sentences"),
    ),
)
