"""Chapter 8's widget."""

import numpy as np

from attention_book.chapters.three_ways.receptive_field import (
    receptive_field as _receptive_field,
)
from attention_book.chapters.three_ways.solutions import three_ways_mix
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
                over("weight of the first", [three_ways_mix(each, X) for each in a]),
                label="result",
                limits=(0, 4),
                half=True,
            ),
        ],
        link="three-ways-average",
    )


def receptive_field() -> Widget:
    """Show what an output sees after some layers of each kind, and in which step."""
    return _receptive_field()
