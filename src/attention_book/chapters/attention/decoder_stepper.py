"""DecoderStepper: one step of the decoder at a time, e_t = f_att(s, h_i), a_t =
softmax(e_t), c_t = sum_i a_{t,i} h_i.

The scores and the encoder's states are what a model computed; softmax and average
happen in the reader's browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select, slider
from attention_book.widgets.expect import expect_links, expect_shape, expect_some
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.functions import softmax
from attention_book.widgets.grids import heat_map
from attention_book.widgets.strips import bars, text, tokens
from attention_book.widgets.widget import Widget

Words = Sequence[str]


@dataclass(frozen=True)
class SentenceSteps:
    """A sentence and what the decoder's steps were made of at every snapshot of one
    training.

    Parameters
    ----------
    source, target
        N_X words that are read; N_Y words that are written, [STOP] among them.
    e
        Scores of each step over the source words, (N_steps, N_Y, N_X); softmax over the
        last axis gives the weights.
    h
        The first D coordinates of the encoder's states, (N_steps, N_X, D).
    gold
        Links (source word, target word) that belong together, counted from 0.

    Raises
    ------
    ValueError
        No words, or a shape or a link that does not fit them.
    """

    source: Words
    target: Words
    e: Float[np.ndarray, "N_steps N_Y N_X"]
    h: Float[np.ndarray, "N_steps N_X D"]
    gold: Sequence[tuple[int, int]] = field(default=())

    def __post_init__(self) -> None:
        N_Y, N_X = len(self.target), len(self.source)
        expect_some(source=self.source, target=self.target)
        expect_shape("e", self.e, (len(self.e), N_Y, N_X), "steps × target × source")
        expect_shape(
            "h",
            self.h,
            (len(self.e), N_X, *np.shape(self.h)[-1:]),
            "steps × source × coordinates",
        )
        expect_links(self.gold, N_X, N_Y)


def decoder_stepper(
    sentences: Mapping[str, SentenceSteps],
    steps: Sequence[int],
    *,
    start_sentence: str,
    start_step: int,
    start_t: int,
    link: str = "stepper",
) -> Widget:
    """Show scores, weights and context of each step of a decoder.

    Parameters
    ----------
    sentences
        Name in the menu -> sentence; of up to about 14 words, or the bars grow taller
        than a screen.
    steps
        Training steps at which snapshots were taken, increasing.
    start_sentence, start_step, start_t
        The state it opens in; t counts from 1.

    Raises
    ------
    ValueError
        No sentence, another number of snapshots than of steps, other widths of h, or a
        start that is not there.
    """
    expect_some(sentences=sentences, steps=steps)
    for name, sentence in sentences.items():
        if len(sentence.e) != len(steps):
            raise ValueError(
                f"{name!r} has {len(sentence.e)} snapshots but there are {len(steps)} "
                "steps"
            )
    widths = {name: np.shape(sentence.h)[-1] for name, sentence in sentences.items()}
    if len(set(widths.values())) > 1:
        raise ValueError(
            "h must show equally many coordinates of every sentence, but they are "
            f"{widths}"
        )
    D, longest = (
        max(widths.values()),
        max(len(sentence.target) for sentence in sentences.values()),
    )
    each, t = list(sentences.values()), control("t")
    sources = over("sentence", [s.source for s in each])
    e = over("sentence", "training", [np.asarray(s.e, dtype=float) for s in each])
    h = over("sentence", "training", [np.asarray(s.h, dtype=float) for s in each])
    e_t = computed("last_row", rows=e, count=t)
    a_t = computed("softmax", scores=e_t, temperature=1.0)

    def so_far(values: Sequence, name: str, t: int) -> list:
        return list(values[: min(t, len(sentences[name].target))])

    return Widget(
        title="One step of the decoder",
        question="Before you go one step on: where must it look to write the next "
        "word?",
        controls=[
            select("sentence", list(sentences), default=start_sentence),
            slider("training", steps, default=start_step),
            slider("t", range(1, longest + 1), default=start_t, play=True),
        ],
        panels=[
            tokens(
                "shown so far",
                over(
                    "sentence",
                    "t",
                    lambda name, t: so_far(sentences[name].target, name, t),
                ),
                axis="target",
            ),
            text(over("sentence", "t", lambda name, t: _step(sentences[name], t))),
            bars(sources, e_t, label="scores e_t", axis="source", half=True),
            bars(
                sources,
                a_t,
                label="weights a_t = softmax(e_t)",
                axis="source",
                limits=(0, 1),
                half=True,
            ),
            heat_map(
                over(
                    "sentence", lambda name: [*_states(sentences[name].source), "c_t"]
                ),
                range(1, D + 1),
                computed("with_average", weights=a_t, rows=h),
                label=f"the first {D} numbers of h_i, and of c_t",
                axes=("state", "coordinate"),
                diverging=True,
                say="coordinate {column} of {row}: {value}",
                half=True,
            ),
            heat_map(
                over(
                    "sentence",
                    "t",
                    lambda name, t: so_far(sentences[name].target, name, t),
                ),
                sources,
                computed(
                    "first_rows",
                    rows=computed("softmax", scores=e, temperature=1.0),
                    count=t,
                ),
                label="the weights of all steps so far",
                axes=("target", "source"),
                gold=over(
                    "sentence",
                    "t",
                    lambda name, t: [
                        link for link in sentences[name].gold if link[1] < t
                    ],
                ),
                gold_label="true alignment",
                limits=(0, 1),
                half=True,
            ),
        ],
        follow={
            "target": over(
                "sentence", "t", lambda name, t: min(t, len(sentences[name].target)) - 1
            )
        },
        summary=over(
            "sentence",
            "training",
            "t",
            lambda name, step, t: _summary(
                sentences[name], list(steps).index(step), step, t
            ),
        ),
        link=link,
    )


def _states(source: Words) -> list[str]:
    return [f"h {word}" for word in source]


def _step(sentence: SentenceSteps, t: int) -> str:
    N_Y = len(sentence.target)
    if t > N_Y:
        return (
            f"The sentence ended at t = {N_Y}: step {N_Y} is shown, and nothing comes "
            "after it."
        )
    before = sentence.target[t - 2] if t > 1 else "[START]"
    return (
        f"t = {t}: it has read {before} and looks, to write {sentence.target[t - 1]}."
    )


def _summary(sentence: SentenceSteps, k: int, step: int, t: int) -> str:
    row = min(t, len(sentence.target)) - 1
    a_t = softmax(np.asarray(sentence.e[k, row], dtype=float), 1.0)
    best = int(a_t.argmax())
    return (
        f"After {step} steps, {sentence.target[row]} looks mostly at "
        f"{sentence.source[best]} ({a_t[best]:.2f})."
    )
