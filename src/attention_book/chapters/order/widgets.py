"""Chapter 6's widget."""

import numpy as np

from attention_book.chapters.order.positional_encoding import (
    positional_encoding as _positional_encoding,
)
from attention_book.chapters.order.shuffle import shuffle as _shuffle
from attention_book.chapters.order.solutions import order_mix
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
                over("weight of the first", [order_mix(each, X) for each in a]),
                label="result",
                limits=(0, 4),
                half=True,
            ),
        ],
        link="order-average",
    )


def positional_encoding() -> Widget:
    """Show positions as waves, and which positions are alike."""
    return _positional_encoding()


def shuffle() -> Widget:
    """Let the reader drag words, and show what is shuffled along."""
    return _shuffle()
