"""The landing page's widget, fed from a recorded run."""

import numpy as np

from attention_book import runs
from attention_book.chapters.intro.alignment import SentenceAlongTraining
from attention_book.chapters.intro.alignment import alignment as _alignment
from attention_book.widgets import Widget

# by a word of theirs, among the sentences whose attention is kept
NAMES = {"minister": "the minister", "bread": "eating bread"}


def alignment(*, link: str = "alignment") -> Widget:
    """The landing page's widget: along training, attention finds the words."""
    run = runs.load("attention-dot")
    attention = [runs.kept_attention(run, step) for step in run.kept_at]
    sentences = {}
    for word, name in NAMES.items():
        along = [runs.sentence_with(word, of_step) for of_step in attention]
        last = along[-1]
        words = len(last.target) - 1
        # the row of [STOP] says nothing here
        A = np.stack([one.A[:words] for one in along])
        lit = 1  # a noun, or a verb
        sentences[name] = SentenceAlongTraining(
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
        start_step=run.kept_at[0],  # nothing is learned yet
        link=link,
    )
