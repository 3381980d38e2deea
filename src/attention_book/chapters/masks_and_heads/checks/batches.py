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


def _batch(name, seed, lengths, N_X, times_s=1, times_h=1) -> Case:
    """States of width 4; those of a sentence, or of a place, some times larger."""
    s, h = numbers(seed, len(lengths), 4), numbers(seed + 1, len(lengths), N_X, 4)
    s, h = s * np.c_[times_s], h * np.c_[times_h]
    return Case(name, s=s, h=h, lengths=lengths)


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
        _batch("three sentences", 0, [3, 5, 1], N_X=5),
        _batch("no padding at all", 2, [3, 3], N_X=3),
        _batch("padding of zeros", 4, [2, 1], N_X=4, times_h=[1, 1, 0, 0]),
        _batch("one sentence with large scores", 8, [3, 2], N_X=3, times_s=[1, 400]),
        _batch("large padding", 6, [2, 2], N_X=4, times_h=[1, 1, 1e10, -3e10]),
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
