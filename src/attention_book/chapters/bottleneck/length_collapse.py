"""LengthCollapse: the sentence grows word by word; the vector between reading and
writing does not.

The reader slides the length of the source and picks the size of the state. Below stand
the sentence, the right translation and what the model said, word by word, and the curve
of exact match with a marker at this length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from attention_book.widgets.controls import select, slider
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import control, over
from attention_book.widgets.predict import Prediction
from attention_book.widgets.strips import compared, text, tokens
from attention_book.widgets.widget import Widget

Words = Sequence[str]


def length_collapse(
    sources: Sequence[Words],
    references: Sequence[Words],
    predictions: Mapping[int, Sequence[Words]],
    curve_lengths: Sequence[float],
    curves: Mapping[int, Sequence[float] | np.ndarray],
    *,
    start_length: int,
    start_size: int,
    link: str = "collapse",
    predict: Prediction | None = None,
) -> Widget:
    """Show how translations fail as sentences grow.

    Parameters
    ----------
    sources, references
        One sentence a length, from the shortest to the longest: what is read, and what
        would be right.
    predictions
        Size of the state -> what the model of that size said, one for each source.
    curve_lengths
        N_points lengths, in words, at which exact match was measured.
    curves
        Size of the state -> exact match at these lengths, 0 to 1.
    start_length, start_size
        The state it opens in.
    predict
        What is asked before it is shown.

    Raises
    ------
    ValueError
        Sizes that differ between `predictions` and `curves`, another number of
        predictions than of sources, or lengths that do not grow.
    """
    lengths, sizes = [len(source) for source in sources], list(predictions)
    if any(longer <= shorter for shorter, longer in pairwise(lengths)):
        raise ValueError(
            f"sources must grow by at least a word each; their lengths are {lengths}"
        )
    if sizes != list(curves):
        raise ValueError(
            f"predictions has the sizes {sizes} but curves has {list(curves)}"
        )
    for name, given in {
        "references": references,
        **{f"predictions[{n}]": predictions[n] for n in sizes},
    }.items():
        if len(given) != len(sources):
            raise ValueError(
                f"{name} has {len(given)} sentences but there are {len(sources)} "
                "sources"
            )
    shown = [
        [_compare(predictions[n][k], references[k]) for n in sizes]
        for k in range(len(sources))
    ]
    return Widget(
        title="One vector, longer sentences",
        question="Make the sentence shorter, then the context wider. Before you look "
        "again: will it be right?",
        controls=[
            slider("words", lengths, default=start_length, play=True),
            select(
                "state",
                [_numbers(size) for size in sizes],
                default=_numbers(start_size),
            ),
        ],
        panels=[
            tokens("English", over("words", sources)),
            tokens("right", over("words", references)),
            tokens(
                "the model says",
                over(*_BOTH, [[words for words, _, _ in row] for row in shown]),
                marks=over(*_BOTH, [[marks for _, marks, _ in row] for row in shown]),
            ),
            text(over(*_BOTH, [[verdict for _, _, verdict in row] for row in shown])),
            lines(
                curve_lengths,
                {
                    _numbers(size): np.asarray(curves[size], dtype=float)
                    for size in sizes
                },
                x_label="length",
                y_label="share translated without a mistake",
                marker=control("words"),
                highlight=control("state"),
                y_limits=(0, 1),
            ),
        ],
        link=link,
        predict=predict,
    )


_BOTH = ("words", "state")


def _compare(said: Words, right: Words) -> tuple[list[str], list[str], str]:
    """Say how far off the model is, beside its marked words."""
    pairs = compared(said, right)
    words, marks = [word for word, _ in pairs], [mark for _, mark in pairs]
    wrong = sum(mark != "ok" for mark in marks)
    differ = "place differs" if wrong == 1 else "places differ"
    verdict = f"{wrong} {differ} from the right answer."
    return words, marks, verdict if wrong else "Right, word for word."


def _numbers(size: int) -> str:
    return f"{size} numbers"
