"""NormByHand: what layer norm does to five numbers that the reader drags.

It takes away their mean and divides by their standard deviation, so what comes out has
neither. One number far from the others makes most of the deviation, and the others come
out nearly alike; where all are nearly equal, epsilon is what they are divided by.
"""

from __future__ import annotations

import numpy as np

from attention_book.widgets.controls import free, slider
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.vectors import vector, vectors
from attention_book.widgets.widget import Widget

X = np.array([5.0, 1.0, 4.0, 7.0, 3.0])
LOW, HIGH = -15.0, 40.0  # of each number
OUT = 3.5  # of the bars of z and y; of five numbers none is over 2 deviations from 0
OUTLIER = 2, 40.0  # which number, and what it becomes; the others stay
PRESETS = {
    "start": X,
    "start + 3": X + 3,
    "start ÷ 10": X / 10,
    "outlier": np.where(np.arange(len(X)) == OUTLIER[0], OUTLIER[1], X),
    "alike": [4.1, 4.0, 4.0, 4.0, 3.9],
}
GAMMA, BETA, EPS = "scale γ (here one for all)", "shift β (here one for all)", "eps, ε"
WIDTHS = 2, 4, 8, 16, 32, 64, 128, 256, 512


def norm_by_hand(*, link: str = "norm-by-hand") -> Widget:
    """Show a vector, what is left of it without mean and deviation, and the output."""

    def normed(gamma, beta):
        eps = control(EPS)
        return computed("layer_norm", x=control("x"), gamma=gamma, beta=beta, eps=eps)

    bars = {"limits": (-OUT, OUT)}
    return Widget(
        title="Layer norm by hand",
        question="Predict: with x ÷ 10, does z change?",
        controls=[
            slider(GAMMA, [0.0, 0.25, 0.5, 0.75, 1.0, 1.25], default=1.0),
            slider(BETA, [-0.5, -0.25, 0.0, 0.25, 0.5], default=0.0),
            slider(EPS, [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]),
            free("x", X, low=LOW, high=HIGH),
        ],
        panels=[
            vectors(
                [
                    vector(
                        "x",
                        control("x"),
                        limits=(LOW, HIGH),
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


def one_and_zeros(D: int) -> tuple[float, float]:
    """First entry of (1, 0, ..., 0) after the norm: by D, and by D - 1."""
    x = np.eye(D)[0]
    return tuple((x - x.mean())[0] / x.std(ddof=each) for each in (0, 1))


def divisor(*, link: str = "divisor") -> Widget:
    """Show how far the norm by D - 1 is from the norm by D, by the width D."""
    both = {D: one_and_zeros(D) for D in WIDTHS}

    def said(D):
        by_D, by_less = both[D]
        less = 100 * (1 - by_less / by_D)
        return (
            f"(1, 0, ..., 0), D = {D}: the 1 becomes {by_D:.2f} when you divide by D "
            f"and {by_less:.2f} by D − 1, which is {less:.1f} % less."
        )

    return Widget(
        title="By D, or by D − 1?",
        question="Predict: would you notice the difference in a vector of 64 features?",
        controls=[slider("D", WIDTHS, default=8)],
        panels=[
            lines(
                WIDTHS,
                {"less": [100 * (1 - less / by_D) for by_D, less in both.values()]},
                marker=control("D"),
                log_x=True,
                x_label="number of features D",
                label="the result when you divide by D − 1",
                y_label="how much smaller than by D, percent",
                y_limits=(0, 30),
                height=190,
            )
        ],
        summary=over("D", said),
        link=link,
    )
