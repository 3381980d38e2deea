"""The landing page's widget, fed from a recorded run."""

from collections.abc import Sequence

import numpy as np

from attention_book import runs
from attention_book.chapters.intro.alignment import Trained
from attention_book.chapters.intro.alignment import alignment as _alignment
from attention_book.widgets import Widget

NAMES = {2: "the minister", 1: "eating bread"}  # among the sentences watched


def alignment(
    shown: Sequence[int] = tuple(NAMES), *, link: str = "alignment"
) -> Widget:
    """The landing page's widget: along training, attention finds the words."""
    looks = runs.load("attention-dot").looks()
    steps = sorted(looks)
    sentences = {}
    for k in shown:
        along = [looks[step][k] for step in steps]
        last = along[-1]
        words = len(last.target) - 1
        A = np.stack(
            [look.A[:words] for look in along]
        )  # the row of [STOP] says nothing here
        lit = 1  # a noun, or a verb
        sentences[NAMES[k]] = Trained(
            last.source,
            last.target[:words],
            A,
            sorted(last.alignment),
            [look.said for look in along],
            lit,
        )
    return _alignment(
        sentences,
        steps,
        start_sentence=next(iter(sentences)),
        start_step=steps[-1],
        link=link,
    )
