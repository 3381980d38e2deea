"""The landing page's widget, fed from a recorded run."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_book import metrics, runs
from attention_book.widgets import Widget, over, select, slider, spotlight, text

# by a word of theirs, among the sentences whose attention is kept
NAMES = {"minister": "the minister", "bread": "eating bread"}
LIT = 1  # the word that is lit while the reader points at none: a noun, or a verb
MORE = 2  # words


def alignment(*, link: str = "alignment") -> Widget:
    """Show attention finding the words that belong together, along training."""
    run = runs.load("attention-dot")
    kept = [runs.kept_attention(run, step) for step in run.kept_at]
    each = [[runs.sentence_with(word, some) for some in kept] for word in NAMES]
    last = [along[-1] for along in each]

    def shown(make: Callable[..., Any]) -> Any:
        """What `make` gives for a sentence at a step of training, at every setting."""
        rows = [[*map(make, along, run.kept_at)] for along in each]
        return over("sentence", "training", rows)

    return Widget(
        title="Attention finds the words",
        question="The model is given both rows. Press play: when does it find the "
        "outlined word?",
        controls=[
            select("sentence", list(NAMES.values())),
            slider("training", run.kept_at, default=run.kept_at[0], play="play"),
        ],
        panels=[
            spotlight(
                over("sentence", [one.target[:-1] for one in last]),
                over("sentence", [one.source for one in last]),
                shown(lambda one, step: one.A[:-1]),  # [STOP] says nothing here
                names=("French", "English"),
                axes=("target", "source"),
                gold=over("sentence", [sorted(one.alignment) for one in last]),
                gold_label="",  # the question says it: there is little room
                say="{row} looks {value} at {column}",
            ),
            text(shown(_writes)),
        ],
        follow={"target": LIT},
        summary=shown(_looks),
        link=link,
    )


def _writes(one: runs.SentenceAttention, step: int) -> str:
    """Untrained models go on and on: only a few words more than are right are shown."""
    right = one.target[:-1]
    most = len(right) + MORE
    shown = [*one.said[:most], *(["…"] if len(one.said) > most else [])]
    praise = " (right)" if one.said == right else ""
    return f"By itself it writes: {' '.join(shown) or '(nothing)'}{praise}"


def _looks(one: runs.SentenceAttention, step: int) -> str:
    """Where the lit word looks, and the attention on the right words, over those that
    have one.
    """
    best = one.source[one.A[LIT].argmax()]
    on_gold = np.nanmean(metrics.mass_on_gold(one.A, one.alignment))
    return (
        f"At step {step}, {one.target[LIT]} looks mostly at {best}. In all, "
        f"{on_gold:.2f} of the attention is on the right words."
    )
