"""Alignment: does a model look at the words that its own word stands for?

    AER = 1 - 2 |A ∩ G| / (|A| + |G|)

The alignment error rate [och2003systematic], 0 for the same links and 1 for none in
common; all our gold links are sure, so this is 1 minus the F measure. A link is (i, j),
source word i and target word j, as in `data.Pair`; attention has a row for each target
word. One link for each target word cannot match a gold word that has two: compare with
`alignment_floor`, and not with 0.
"""

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Any

import numpy as np
from jaxtyping import Float

from attention_book.metrics.attention import (
    Links,
    check_inside,
    check_weights,
    mass_on_gold,
)
from attention_book.shapes import check_count

ENOUGH = 0.25  # of a word's weight makes a link, where many are allowed


def strongest_link(
    A: Float[np.ndarray, "N_Y N_X"], *, length: int | None = None
) -> frozenset[tuple[int, int]]:
    """Link each target word to the input that gets most of its weight.

    Leave out the row of the target's [STOP]. A word that looks hardest at an input
    after the `length` source words (the source's [STOP], padding) gets no link. Of
    equal weights the first counts.
    """
    length = _count_words(A, length)
    return frozenset((int(i), j) for j, i in enumerate(A.argmax(axis=1)) if i < length)


def links_above(
    A: Float[np.ndarray, "N_Y N_X"], threshold: float, *, length: int | None = None
) -> frozenset[tuple[int, int]]:
    """Link each target word to every input with more than `threshold` of its weight."""
    length = _count_words(A, length)
    if not 0 <= threshold < 1:
        raise ValueError(
            f"threshold is {threshold}, expected 0 to below 1: it is compared with "
            "weights"
        )
    return frozenset(
        (int(i), int(j)) for j, i in np.argwhere(A[:, :length] > threshold)
    )


def alignment_error_rate(predicted: Sequence[Links], gold: Sequence[Links]) -> float:
    """Alignment error rate of many sentences, all links counted together."""
    _check_sentences(predicted=predicted, gold=gold)
    both = sum(len(p & g) for p, g in zip(predicted, gold, strict=True))
    links = sum(map(len, predicted)) + sum(map(len, gold))
    return 1 - 2 * both / links


def alignment_floor(gold: Sequence[Links]) -> float:
    """Least alignment error rate that one link for each target word can reach.

    It is reached by one right link for each word that has a gold link, and none for the
    others (an attention does that by looking at the source's [STOP], see
    `strongest_link`): one more right link always lowers the rate, and one that is not
    right never does.
    """
    _check_sentences(gold=gold)
    one_each = [{j: (i, j) for i, j in links} for links in gold]
    return alignment_error_rate([set(links.values()) for links in one_each], gold)


def link_offsets(predicted: Sequence[Links], gold: Sequence[Links]) -> dict[int, float]:
    """How far predicted links are from the nearest gold link of the same target word.

    An attention that has slipped one word to the right has most of its share at offset
    1. Only target words with a predicted and a gold link count; to count looks at the
    source's [STOP] too, leave `length` out of `strongest_link`: the input after the
    last word is then one to the right of it.

    An offset is i minus the nearest gold i; the shares sum to 1. Halfway between two
    gold links, half a link counts on either side.
    """
    _check_sentences(predicted=predicted, gold=gold)
    counts: dict[int, float] = defaultdict(float)
    for p_links, g_links in zip(predicted, gold, strict=True):
        for i, j in p_links:
            offsets = [i - gold_i for gold_i, gold_j in g_links if gold_j == j]
            nearest = [
                offset for offset in offsets if abs(offset) == min(map(abs, offsets))
            ]
            for offset in nearest:
                counts[offset] += 1 / len(nearest)
    if not counts:
        raise ValueError(
            "no target word has both a predicted and a gold link: there is no distance "
            "to measure"
        )
    total = sum(counts.values())
    return {offset: counts[offset] / total for offset in sorted(counts)}


def alignment_figures(
    weights: Sequence[Float[np.ndarray, "_ _"]],  # each as large as its pair
    gold: Sequence[Links],
    lengths: Sequence[int],
) -> dict[str, Any]:
    """Hold the attention on many sentences against their gold links.

    `aer` is of one link a word, `aer_many` of every input with more than a quarter of
    the weight, `floor` the least that one link a word can reach, `mass` the share of
    weight on gold links, and `offsets` the share of words whose strongest input is so
    many words right of the nearest gold one (shares below 0.001 left out).
    """
    both = list(zip(weights, lengths, strict=True))
    one = [strongest_link(A, length=n) for A, n in both]
    many = [links_above(A, ENOUGH, length=n) for A, n in both]
    shares = link_offsets([strongest_link(A) for A in weights], gold)
    mass = [mass_on_gold(A, links) for A, links in zip(weights, gold, strict=True)]
    return {
        "aer": alignment_error_rate(one, gold),
        "aer_many": alignment_error_rate(many, gold),
        "floor": alignment_floor(gold),
        "mass": float(np.nanmean(np.concatenate(mass))),
        "offsets": {
            str(offset): round(share, 4)
            for offset, share in shares.items()
            if share >= 0.001
        },
    }


def gold_weights(
    gold: Links, N_Y: int, N_X: int, *, otherwise: int | None = None
) -> Float[np.ndarray, "N_Y N_X"]:
    """Attention that looks only where it should: evenly over a word's gold links.

    A row without gold link, as that of the target's [STOP], looks at input `otherwise`,
    usually N_X - 1, the source's [STOP]; when it is left out, such a row is an error.
    """
    check_count("N_Y", N_Y)
    check_count("N_X", N_X)
    check_inside("gold", gold, N_Y, N_X)
    if otherwise is not None:
        check_count("otherwise", otherwise, 0, N_X - 1)
    A = np.zeros((N_Y, N_X))
    for i, j in gold:
        A[j, i] = 1
    unlinked = ~A.any(axis=1)
    if unlinked.any():
        if otherwise is None:
            raise ValueError(
                f"target word {int(unlinked.argmax())} has no gold link: say in "
                "otherwise where it looks"
            )
        A[unlinked, otherwise] = 1
    return A / A.sum(axis=1, keepdims=True)


def _count_words(A: np.ndarray, length: int | None) -> int:
    check_weights(A)
    N_X = A.shape[1]
    if length is None:
        return N_X
    check_count("length", length, 1, N_X)
    return length


def _check_sentences(**sentences: Sequence[Links]) -> None:
    """Check that links of sentences are paired, and that some are gold."""
    for name, links in sentences.items():
        if isinstance(links, Set) or not all(isinstance(one, Set) for one in links):
            raise TypeError(
                f"{name} must be a sequence with one set of links (i, j) for each "
                "sentence"
            )
    counts = {name: len(links) for name, links in sentences.items()}
    if len(set(counts.values())) > 1:
        raise ValueError(
            f"{counts['predicted']} predicted but {counts['gold']} gold sentences: "
            "they must be paired"
        )
    if not any(sentences["gold"]):
        raise ValueError(
            "gold holds no link at all, expected some to compare with; "
            "attention_entropy asks for none"
        )
