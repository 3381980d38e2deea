"""LengthCollapse: the sentence grows, the vector between reading and writing does not.

Below the sentence stand what a model said, its mistakes marked, and the share of
sentences of like length that models with vectors of several sizes get right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from attention_book.widgets.controls import slider
from attention_book.widgets.fields import over
from attention_book.widgets.strips import bars, compared, text, tokens
from attention_book.widgets.widget import Widget

Words = Sequence[str]


def length_collapse(
    sources: Sequence[Words],
    references: Sequence[Words],
    predictions: Sequence[Words],
    groups: Sequence[tuple[int, int]],
    shares: Mapping[str, Sequence[float] | np.ndarray],
    *,
    start_length: int,
) -> Widget:
    """Show how translations fail as sentences grow.

    Parameters
    ----------
    sources, references, predictions
        One sentence a length, from the shortest to the longest: what is read, what
        would be right, and what the model said.
    groups
        N_groups pairs (shortest, longest): lengths over which exact match was measured
        together.
    shares
        Name of a model -> its exact match in each group, 0 to 1.
    """
    lengths = [len(source) for source in sources]
    if any(longer <= shorter for shorter, longer in pairwise(lengths)):
        raise ValueError(
            f"sources must grow by at least a word each; their lengths are {lengths}"
        )
    for name, given in {"references": references, "predictions": predictions}.items():
        if len(given) != len(sources):
            raise ValueError(
                f"{name} has {len(given)} sentences but there are {len(sources)} "
                "sources"
            )
    group_of = [_group(length, groups) for length in lengths]
    pairs = [compared(*both) for both in zip(predictions, references, strict=True)]
    names = list(shares)
    right = np.array([shares[name] for name in names], dtype=float)[:, group_of]
    return Widget(
        title="One vector, longer sentences",
        question="Trained for 1500 steps: where does it fail?",
        controls=[slider("words", lengths, default=start_length, play=True)],
        panels=[
            text(
                over(
                    "words",
                    [
                        f"{' '.join(source)}. In Spanish: {' '.join(reference)}."
                        for source, reference in zip(sources, references, strict=True)
                    ],
                )
            ),
            tokens(
                "128 say",
                over("words", [[word for word, _ in pair] for pair in pairs]),
                marks=over("words", [[mark for _, mark in pair] for pair in pairs]),
            ),
            bars(
                names,
                over("words", list(right.T)),
                label="share without a mistake (groups of lengths)",
                axis="size",
                limits=(0, 1),
                digits=2,
            ),
        ],
        link="collapse",
    )


def _group(length: int, groups: Sequence[tuple[int, int]]) -> int:
    found = [k for k, (low, high) in enumerate(groups) if low <= length <= high]
    if len(found) != 1:
        raise ValueError(
            f"groups has {len(found)} groups for sources of {length} words: expected "
            "exactly one"
        )
    return found[0]
