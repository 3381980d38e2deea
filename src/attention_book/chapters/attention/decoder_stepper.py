"""DecoderStepper: one step of the decoder at a time.

The scores are what a model computed; the softmax happens in the reader's browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select, slider
from attention_book.widgets.expect import expect_shape, expect_some
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.functions import softmax
from attention_book.widgets.strips import bars, text
from attention_book.widgets.widget import Widget

Words = Sequence[str]
WORD = "word"  # the control that counts the steps


@dataclass(frozen=True)
class SentenceSteps:
    """A sentence and the scores of the decoder's steps.

    Parameters
    ----------
    source, target
        N_X words that are read; N_Y words that are written, [STOP] among them.
    e
        Scores of each step over the source words, (N_Y, N_X); softmax over the last
        axis gives the weights.
    gloss
        What each written word means, in the language that is read; "" where there is
        no need to say it.
    """

    source: Words
    target: Words
    e: Float[np.ndarray, "N_Y N_X"]
    gloss: Words

    def __post_init__(self) -> None:
        N_Y, N_X = len(self.target), len(self.source)
        expect_some(source=self.source, target=self.target)
        expect_shape("e", self.e, (N_Y, N_X), "target × source")
        if len(self.gloss) != N_Y:
            raise ValueError(
                f"gloss has {len(self.gloss)} texts but there are {N_Y} written words"
            )


def decoder_stepper(
    sentences: Mapping[str, SentenceSteps],
    *,
    start_sentence: str,
    start_t: int,
) -> Widget:
    """Show what a decoder has written before each step, and where it then looks.

    Sentences of more than about 10 words make the bars taller than a phone's screen.
    Words count from 1.
    """
    expect_some(sentences=sentences)
    longest = max(len(sentence.target) for sentence in sentences.values())
    each, t = list(sentences.values()), control(WORD)
    e = over("sentence", [np.asarray(s.e, dtype=float) for s in each])
    e_t = computed("last_row", rows=e, count=t)
    return Widget(
        title="One step of the decoder",
        question="Move from word to word.",
        controls=[
            select("sentence", list(sentences), default=start_sentence),
            slider(WORD, range(1, longest + 1), default=start_t, play=True),
        ],
        panels=[
            text(over("sentence", WORD, lambda name, t: _step(sentences[name], t))),
            bars(
                over("sentence", [s.source for s in each]),
                computed("softmax", scores=e_t, temperature=1.0),
                label="weights aₜ: where it looks",
                axis="source",
                limits=(0, 1),
                half=True,
            ),
            text(
                over("sentence", WORD, lambda name, t: _scores(sentences[name], t)),
                half=True,
            ),
        ],
        summary=over("sentence", WORD, lambda name, t: _summary(sentences[name], t)),
        link="stepper",
    )


def _step(sentence: SentenceSteps, t: int) -> str:
    N_Y = len(sentence.target)
    if t > N_Y:
        return f"The sentence ended with word {N_Y}: nothing comes after it."
    before = " ".join(sentence.target[: t - 1]) or "nothing yet"
    word, meaning = sentence.target[t - 1], sentence.gloss[t - 1]
    said = f"{word} ({meaning})" if meaning else word
    return f"Written: {before}. Next: {said}."


def _scores(sentence: SentenceSteps, t: int) -> str:
    e_t = np.asarray(sentence.e[_row(sentence, t)], dtype=float)
    best = np.argsort(-e_t)[:2]
    said = ", ".join(f"{sentence.source[i]} {e_t[i]:.1f}" for i in best)
    return f"Highest scores eₜ: {said}.".replace(" -", " \N{MINUS SIGN}")


def _summary(sentence: SentenceSteps, t: int) -> str:
    row = _row(sentence, t)
    a_t = softmax(np.asarray(sentence.e[row], dtype=float), 1.0)
    best = int(a_t.argmax())
    return (
        f"{sentence.target[row]} looks mostly at {sentence.source[best]} "
        f"({a_t[best]:.2f})."
    )


def _row(sentence: SentenceSteps, t: int) -> int:
    """The row of word t; beyond the end of a short sentence, its last."""
    return min(t, len(sentence.target)) - 1
