"""NormByHand: what layer norm does to six numbers that the reader drags.

It takes away their mean and divides by their spread, so what comes out has neither. One
number far from the others makes the spread, and the others come out nearly alike.
"""

from __future__ import annotations

import numpy as np

from attention_book.widgets.controls import free, slider
from attention_book.widgets.fields import computed, control
from attention_book.widgets.vectors import vector, vectors
from attention_book.widgets.widget import Widget

X = np.array([6.0, -3.0, 12.0, 3.0, -9.0, 9.0])
REACH = 15.0  # of each number, up and down
OUT = 3.5  # of the bars of z and y; of six numbers, none is over 2.24 spreads from 0
PRESETS = {
    "at the start": X,
    "÷ 10": X / 10,
    "+ 3": X + 3,
    "one outlier": np.where(np.arange(6) == 2, X, X / 10),
}
GAMMA, BETA = "scale γ (here one for all)", "shift β (here one for all)"


def norm_by_hand(*, link: str = "norm-by-hand") -> Widget:
    """Show a vector, what is left of it without mean and spread, and the output."""

    def normed(gamma, beta):
        return computed("layer_norm", x=control("x"), gamma=gamma, beta=beta)

    bars = {"limits": (-OUT, OUT)}
    return Widget(
        title="Layer norm by hand",
        question="Predict: all numbers ten times smaller. What changes in z? And if x₃ "
        "alone stays large?",
        controls=[
            slider(GAMMA, [0.0, 0.25, 0.5, 0.75, 1.0, 1.25], default=1.0),
            slider(BETA, [-0.5, -0.25, 0.0, 0.25, 0.5], default=0.0),
            free("x", X, low=-REACH, high=REACH),
        ],
        panels=[
            vectors(
                [
                    vector(
                        "x",
                        control("x"),
                        limits=(-REACH, REACH),
                        role="asked",
                        digits=1,
                    ),
                    vector("z", normed(1.0, 0.0), **bars),
                    vector(
                        "y", normed(control(GAMMA), control(BETA)), role="out", **bars
                    ),
                ],
                label="z = (x − μ) / √(σ² + ε), y = γ z + β",
                presets=PRESETS,
            )
        ],
        link=link,
    )
