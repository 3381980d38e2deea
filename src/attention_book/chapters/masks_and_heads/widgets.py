"""Chapter 7's widgets."""

import numpy as np

from attention_book.chapters.masks_and_heads.mask_and_heads import (
    mask_and_heads as _mask_and_heads,
)
from attention_book.chapters.masks_and_heads.solutions import masks_and_heads_mix
from attention_book.widgets import Widget, bars, over, slider

X = np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 2.0], [2.0, 4.0, 0.0]])
SHARES = (0, 25, 50, 75, 100)  # percent


def averages() -> Widget:
    """Show what comes out as weight moves from the last vectors to the first."""
    a = [
        np.array([share, (100 - share) / 2, (100 - share) / 2]) / 100
        for share in SHARES
    ]
    return Widget(
        title="A weighted average",
        question="Where does the result go when all weight is on the first vector?",
        controls=[slider("weight of the first", SHARES, default=25)],
        panels=[
            bars(
                ["first", "second", "third"],
                over("weight of the first", a),
                label="weights",
                limits=(0, 1),
                half=True,
            ),
            bars(
                ["1", "2", "3"],
                over(
                    "weight of the first", [masks_and_heads_mix(each, X) for each in a]
                ),
                label="result",
                limits=(0, 4),
                half=True,
            ),
        ],
        link="masks-and-heads-average",
    )


def mask_and_heads() -> Widget:
    """Let the reader paint a mask; show the weights of one to four heads under it."""
    return _mask_and_heads()
