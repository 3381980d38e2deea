"""Chapter 4's widget."""

import numpy as np

from attention_book.chapters.attention_layer.query_plane import (
    query_plane as _query_plane,
)
from attention_book.chapters.attention_layer.saturation import (
    saturation as _saturation,
)
from attention_book.chapters.attention_layer.solutions import attention_layer_mix
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
                    "weight of the first", [attention_layer_mix(each, X) for each in a]
                ),
                label="result",
                limits=(0, 4),
                half=True,
            ),
        ],
        link="attention-layer-average",
    )


def query_plane() -> Widget:
    """Drag a query among four keys; weights and output follow."""
    return _query_plane()


def saturation() -> Widget:
    """Show scores, weights and gradient by width, divided by its root and not."""
    return _saturation()
