"""Chapter 2, *Attention*: worked solutions."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float
from torch import Tensor

from attention_book.data import Pair
from attention_book.runs import SentenceAttention


def masked_softmax(
    e: Float[np.ndarray, "*axes N_X"], visible: Bool[np.ndarray, "*axes N_X"]
) -> Float[np.ndarray, "*axes N_X"]:
    """Turn scores into weights over the inputs, the last axis; 0 for what is hidden."""
    if not visible.any(axis=-1).all():
        raise ValueError("visible is False in a whole row: there is nothing to look at")
    # before the softmax: afterwards the weights would no longer sum to 1
    e = np.where(visible, e, -np.inf)
    largest = e.max(axis=-1, keepdims=True)
    positive = np.exp(e - largest)  # the largest score becomes 0, so nothing overflows
    return positive / positive.sum(axis=-1, keepdims=True)


def attention_step(
    s: Float[np.ndarray, "D_S"],
    h: Float[np.ndarray, "N_X D_S"],
    visible: Bool[np.ndarray, "N_X"],
) -> tuple[Float[np.ndarray, "D_S"], Float[np.ndarray, "N_X"]]:
    """Take one attention step with dot scores; what is not visible gets no weight."""
    e_t = h @ s
    a_t = masked_softmax(e_t, visible)
    return a_t @ h, a_t


def error_rate(
    A: Float[np.ndarray, "N_Y N_X"], gold: Collection[tuple[int, int]], length: int
) -> float:
    """Link each word to its strongest input: 1 minus the F measure against `gold`."""
    strongest = A.argmax(axis=1)  # over the inputs: one for each row
    # [STOP] comes after the words: no link
    links = {(int(i), j) for j, i in enumerate(strongest) if i < length}
    if not links and not gold:
        raise ValueError("neither A nor gold links any words: nothing to measure")
    return 1 - 2 * len(links & set(gold)) / (len(links) + len(gold))


def wrong_links(sentence: SentenceAttention) -> list[tuple[str, str]]:
    """Name the words whose strongest input is no gold one, each with that input."""
    strongest = sentence.A[:-1].argmax(
        axis=1
    )  # without the row in which [STOP] is written
    return [
        (sentence.target[j], sentence.source[i])
        for j, i in enumerate(strongest)
        if (i, j) not in sentence.alignment
    ]


def sure_and_right(
    A: Float[np.ndarray, "N_Y N_X"], gold: Collection[tuple[int, int]]
) -> tuple[Float[np.ndarray, "N_linked"], Bool[np.ndarray, "N_linked"]]:
    """Give each gold-linked word's largest weight, and whether it lies on a link."""
    linked = sorted({j for _, j in gold})
    right = [(int(A[j].argmax()), j) in gold for j in linked]
    return A[linked].max(axis=1), np.array(right)


def right_by_sureness(
    sure: Float[np.ndarray, "N_looks"],
    right: Bool[np.ndarray, "N_looks"],
    edges: Sequence[float] = (0, 0.7, 0.9, 0.99, 1),
) -> dict[str, dict[str, float]]:
    """Sort looks by their largest weight; of each sort, give the share that is right.

    A look at an edge belongs to the sort above it. A sort without looks is left out.
    """
    sort = np.digitize(sure, edges[1:-1])
    shares = {}
    for k, (low, high) in enumerate(pairwise(edges)):
        picked = right[sort == k]
        if picked.size:
            share = float(picked.mean())
            shares[f"{low:.2f}-{high:.2f}"] = {"words": picked.size, "right": share}
    return shares


def wrong_by_word(
    read: Sequence[Float[np.ndarray, "N_Y N_X"]],
    pairs: Sequence[Pair],
    N_words: int = 5,
) -> dict[str, dict[str, int]]:
    """Find the words looked up wrong most, and count the looks one word too far.

    Too far is a look at the input right of a word's last gold one. A word without a
    gold link is not counted. Rows of weights after the words are not looked at.
    """
    seen, wrong, too_far = Counter(), Counter(), Counter()
    for A, pair in zip(read, pairs, strict=True):
        for j in sorted({j for _, j in pair.alignment}):
            word, strongest = pair.target[j], int(A[j].argmax())
            gold = [i for i, linked in pair.alignment if linked == j]
            seen[word] += 1
            wrong[word] += strongest not in gold
            too_far[word] += strongest == max(gold) + 1
    return {
        word: {"wrong": count, "of": seen[word], "one word too far": too_far[word]}
        for word, count in wrong.most_common(N_words)
    }


def work_per_word(N_X: int, D_S: int, D_H: int, D_A: int) -> dict[str, int]:
    """Count multiplications that score N_X inputs for one word, all else prepared."""
    return {
        "dot": N_X * D_H,  # s · h_i
        "bilinear": N_X * D_S,  # s · (W h_i), and W h_i is known
        "mlp": D_S * D_A + N_X * D_A,  # W s once, then v · tanh(...) for every input
    }


def attend_all(
    s: Float[Tensor, "N_Y D_S"], h: Float[Tensor, "N_X D_S"]
) -> tuple[Float[Tensor, "N_Y D_S"], Float[Tensor, "N_Y N_X"]]:
    """Take all attention steps of a sentence at once: contexts and weights for each.

    The scores are dot products.
    """
    # (N_Y, N_X): a row for each state, so that the last axis counts the inputs
    E = s @ h.mT
    A = E.softmax(dim=-1)
    return A @ h, A
