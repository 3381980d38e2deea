"""Alignment: along training the attention finds the words that belong together."""

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
from attention_book.widgets.fields import over
from attention_book.widgets.spotlight import spotlight
from attention_book.widgets.strips import text
from attention_book.widgets.widget import Widget

Words = Sequence[str]
BOTH = ("sentence", "training")
MORE = 2  # words


@dataclass(frozen=True)
class SentenceAlongTraining:
    """A sentence and how attention read it at every snapshot of one training.

    Parameters
    ----------
    source, target
        N_X words that are read, N_Y words that should be written.
    A
        Weights of each target word over the source words at each snapshot, (N_steps,
        N_Y, N_X).
    gold
        Links (source word, target word) that belong together, counted from 0.
    said
        What the model wrote by itself, for each snapshot.
    lit
        The target word that is lit while the reader points at none.
    """

    source: Words
    target: Words
    A: Float[np.ndarray, "N_steps N_Y N_X"]
    gold: Sequence[tuple[int, int]]
    said: Sequence[Words]
    lit: int = 0

    def __post_init__(self) -> None:
        N_Y, N_X = len(self.target), len(self.source)
        expect_shape("A", self.A, (len(self.said), N_Y, N_X), "said × target × source")
        expect_weights("A", self.A)
        expect_links(self.gold, N_X, N_Y)
        if not self.gold:
            raise ValueError(
                "gold is empty: without a right answer no share of the attention can "
                "be right"
            )
        if not 0 <= self.lit < N_Y:
            raise ValueError(
                f"lit is {self.lit} but there are {N_Y} target words, counted from 0"
            )

    def on_gold(self, k: int) -> float:
        """Share of attention on the right words, over target words that have one."""
        right = np.zeros(self.A.shape[1:], dtype=bool)
        inputs, words = np.transpose(self.gold)
        right[words, inputs] = True
        mass = (self.A[k].astype(float) * right).sum(axis=1)
        return float(mass[right.any(axis=1)].mean())


def alignment(
    sentences: Mapping[str, SentenceAlongTraining],
    steps: Sequence[int],
    *,
    start_sentence: str,
    start_step: int,
    link: str = "alignment",
) -> Widget:
    """Show attention finding the source words along training.

    Snapshots were taken at the increasing training steps.
    """
    expect_some(sentences=sentences, steps=steps)
    for name, sentence in sentences.items():
        if len(sentence.said) != len(steps):
            raise ValueError(
                f"{name!r} has {len(sentence.said)} snapshots but there are "
                f"{len(steps)} steps"
            )
    each = list(sentences.values())
    return Widget(
        title="Attention finds the words",
        question="The model is given both rows. Press play: when does it find the "
        "outlined word?",
        controls=[
            select("sentence", list(sentences), default=start_sentence),
            slider("training", steps, default=start_step, play="play"),
        ],
        panels=[
            spotlight(
                over("sentence", [s.target for s in each]),
                over("sentence", [s.source for s in each]),
                over(*BOTH, [s.A for s in each]),
                names=("French", "English"),
                axes=("target", "source"),
                gold=over("sentence", [s.gold for s in each]),
                gold_label="",  # the question says it: there is little room
                say="{row} looks {value} at {column}",
            ),
            text(
                over(
                    *BOTH, [[_writes(said, s.target) for said in s.said] for s in each]
                )
            ),
        ],
        follow={"target": over("sentence", [s.lit for s in each])},
        summary=over(
            *BOTH,
            [[_summary(s, k, step) for k, step in enumerate(steps)] for s in each],
        ),
        link=link,
    )


def _writes(said: Words, right: Words) -> str:
    """Untrained models go on and on: only a few words more than are right are shown."""
    most = len(right) + MORE
    shown = [*said[:most], *(["…"] if len(said) > most else [])]
    praise = " (right)" if list(said) == list(right) else ""
    return f"By itself it writes: {' '.join(shown) or '(nothing)'}{praise}"


def _summary(sentence: SentenceAlongTraining, k: int, step: int) -> str:
    best = int(sentence.A[k, sentence.lit].argmax())
    return (
        f"At step {step}, {sentence.target[sentence.lit]} looks mostly at "
        f"{sentence.source[best]}. In all, {sentence.on_gold(k):.2f} of the "
        "attention is on the right words."
    )
