"""The landing page's widget, fed from a recorded run."""

from collections.abc import Sequence

import numpy as np

from attention_book import runs
from attention_book.chapters.intro.alignment import SentenceAlongTraining
from attention_book.chapters.intro.alignment import alignment as _alignment
from attention_book.widgets import Widget

NAMES = {2: "the minister", 1: "eating bread"}  # among those whose attention is kept


def alignment(
    shown: Sequence[int] = tuple(NAMES), *, link: str = "alignment"
) -> Widget:
    """The landing page's widget: along training, attention finds the words."""
    run = runs.load("attention-dot")
    attention = [runs.kept_attention(run, step) for step in run.kept_at]
    sentences = {}
    for k in shown:
        along = [of_step[k] for of_step in attention]
        last = along[-1]
        words = len(last.target) - 1
        # the row of [STOP] says nothing here
        A = np.stack([one.A[:words] for one in along])
        lit = 1  # a noun, or a verb
        sentences[NAMES[k]] = SentenceAlongTraining(
            last.source,
            last.target[:words],
            A,
            sorted(last.alignment),
            [one.said for one in along],
            lit,
        )
    return _alignment(
        sentences,
        run.kept_at,
        start_sentence=next(iter(sentences)),
        start_step=run.kept_at[-1],
        link=link,
    )
