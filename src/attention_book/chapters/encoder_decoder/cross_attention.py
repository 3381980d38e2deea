"""CrossAttention: where each head of each block looks in the source, word by word.

The weights are those of a model that is shown the right words. The mean of a block's
heads stands beside them: what is averaged are the weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select, slider
from attention_book.widgets.expect import (
    expect_links,
    expect_shape,
    expect_some,
    expect_weights,
)
from attention_book.widgets.fields import control, over
from attention_book.widgets.maps import maps
from attention_book.widgets.spotlight import spotlight
from attention_book.widgets.widget import Widget

SENTENCE, WORD, BLOCK, HEAD = "sentence", "word", "block", "head"
MEAN = "mean"
SMALL = 6, 3  # pixels of a cell of a head's map, where the page is wide and narrow


@dataclass(frozen=True)
class AttendedTranslation:
    """A sentence, its right translation, and where every head looked; words include
    [STOP].
    """

    source: Sequence[str]
    target: Sequence[str]
    alignment: frozenset[tuple[int, int]]  # gold links (i, j)
    A: Float[np.ndarray, "N_blocks N_heads N_Y N_X"]
    alone: Sequence[str]  # what the model writes if it is not shown the target

    def __post_init__(self) -> None:
        expect_some(source=self.source, target=self.target, alone=self.alone)
        expect_shape(
            "A",
            self.A,
            (*self.A.shape[:2], len(self.target), len(self.source)),
            "blocks × heads × target × source",
        )
        expect_weights("A", self.A)
        expect_links(self.alignment, len(self.source), len(self.target))

    def with_mean(self, block: int) -> Float[np.ndarray, "N N_Y N_X"]:
        """Weights of the heads of a block, counted from 1, and then of their mean."""
        A = np.asarray(self.A[block - 1], dtype=float)
        return np.concatenate([A, A.mean(axis=0, keepdims=True)])

    def errs(self) -> str:
        """What is written alone from the first word that is not right to the last."""
        first = _alike(self.alone, self.target)
        last = len(self.alone) - _alike(self.alone[::-1], self.target[::-1])
        return " ".join(self.alone[first : max(first + 1, last)])


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the words before the first that differs."""
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    return next((i for i, (a, b) in pairs if a != b), shorter)


def cross_attention(
    sentences: Mapping[str, AttendedTranslation],
    aer: Float[np.ndarray, "N_blocks N"],
    right: float,
    blinded: Float[np.ndarray, "N_blocks N"],
    *,
    start: Mapping[str, object],
    link: str = "cross-attention",
) -> Widget:
    """Step through the words that are written, and see where a head looks at each.

    `aer` is the alignment error of each head over the test set, and of the mean of a
    block's; `right` the share of the test set that is written without a mistake;
    `blinded` the same when the head, or all of the block, gives equal weights. It opens
    in the setting `start`; words count from 1.
    """
    expect_some(sentences=sentences)
    N_blocks, N_heads = next(iter(sentences.values())).A.shape[:2]
    for name, figures in (("aer", aer), ("blinded", blinded)):
        size = N_blocks, N_heads + 1
        expect_shape(name, figures, size, "blocks × heads and their mean")
    heads = [*map(str, range(1, N_heads + 1)), MEAN]
    longest = max(len(one.target) for one in sentences.values())

    def at(name, t):
        return min(t, len(sentences[name].target)) - 1

    def words(side):
        return over(SENTENCE, lambda name: getattr(sentences[name], side))

    def weights(name, block):
        return sentences[name].with_mean(block)

    def of_head(name, block, head):
        return weights(name, block)[heads.index(head)]

    def said(name, t, block, head):
        one, row = sentences[name], at(name, t)
        if t > len(one.target):
            return f"Nothing here: the sentence has {len(one.target)} words."
        a_t = of_head(name, block, head)[row]
        best = int(a_t.argmax())
        gold = [i for i, j in one.alignment if j == row]
        judged = f"{'' if best in gold else 'not '}gold" if gold else "no gold link"
        k = heads.index(head)
        errs = one.errs()
        alone = f" Alone: …{errs}…" if errs else ""
        what = "all blinded" if head == MEAN else "blinded"
        return (
            f"{one.target[row]} ({t} of {len(one.target)}) looks at "
            f"{one.source[best]} ({a_t[best]:.2f}), {judged}. "
            f"Test set: alignment error {aer[block - 1, k]:.2f}; right {right:.0%}, "
            f"{what} (equal weights) {blinded[block - 1, k]:.0%}.{alone}"
        )

    return Widget(
        title=f"Where {N_blocks} decoder blocks look",
        question="Predict: which head can it least spare?",
        controls=[
            select(SENTENCE, list(sentences), default=start[SENTENCE]),
            slider(WORD, range(1, longest + 1), default=start[WORD], play=True),
            select(BLOCK, range(1, N_blocks + 1), default=start[BLOCK]),
            select(HEAD, heads, default=start[HEAD]),
        ],
        panels=[
            spotlight(
                words("target"),
                words("source"),
                over(SENTENCE, BLOCK, HEAD, of_head),
                names=("shown", "looks at"),
                axes=("target", "source"),
                gold=over(SENTENCE, lambda name: sorted(sentences[name].alignment)),
                gold_label="gold alignment",
            ),
            maps(
                [*(f"head {head}" for head in heads[:-1]), MEAN],
                words("target"),
                words("source"),
                over(SENTENCE, BLOCK, weights),
                label="all heads of the block: a row for each word",
                axes=("head", "target", "source"),
                chooses=control(HEAD),
                cell=SMALL,
            ),
        ],
        follow={"target": over(SENTENCE, WORD, at), "head": HEAD},
        summary=over(SENTENCE, WORD, BLOCK, HEAD, said),
        link=link,
    )
