"""Saturation: wider queries and keys have products further apart; softmax keeps one.

At D = 512 the scores are about 23 apart, the weights are one-hot, and the gradient
through softmax is 0 for most draws.
"""

from __future__ import annotations

import numpy as np

from attention_book.chapters.attention_layer.gradients import (
    PLAIN,
    SCALED,
    WIDTHS,
    drawn_scores,
    gradient_size,
)
from attention_book.reference import softmax
from attention_book.widgets.controls import select, slider
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.panel import fixed
from attention_book.widgets.strips import bars
from attention_book.widgets.widget import Widget

WIDTH, SCORES = "width D", "scores"
N_DRAWS = 1000
LEAST = 0.005  # what is smaller would be written 0.00


def saturation() -> Widget:
    """Show scores, weights and gradient as the width grows, divided by √D or not.

    Bars show the first draw. The curve is the median of all draws: their mean is made
    by the few whose two best scores happen to lie close together.
    """
    E = drawn_scores(N_DRAWS, seed=0)
    sizes = {how: gradient_size(softmax(each)) for how, each in E.items()}
    curve = {how: np.median(each, axis=0) for how, each in sizes.items()}
    half = {how: np.quantile(each, [0.25, 0.75], axis=0) for how, each in sizes.items()}

    ends = tuple(over(SCORES, lambda how, end=end: half[how][end]) for end in (0, 1))

    def score_names(D: int, how: str) -> list[str]:
        e = E[how][0, WIDTHS.index(D)]
        return [f"e{chr(0x2081 + i)} = {fixed(score, 1)}" for i, score in enumerate(e)]

    def summary(D: int, how: str) -> str:
        size = curve[how][WIDTHS.index(D)]
        said = f"{size:.2f}" if size >= LEAST else f"below {LEAST}"
        return f"At D = {D} the median gradient is {said} for {how}."

    return Widget(
        title="Why scores are divided by √D",
        question="Predict: what becomes of the curve when you divide by √D?",
        controls=[
            slider(WIDTH, WIDTHS, default=64),
            select(SCORES, [PLAIN, SCALED]),
        ],
        panels=[
            bars(
                over(WIDTH, SCORES, score_names),
                computed(
                    "softmax",
                    scores=over(WIDTH, E[PLAIN][0]),
                    temperature=over(
                        WIDTH, SCORES, lambda D, how: D**0.5 if how == SCALED else 1.0
                    ),
                ),
                label="scores e of one draw, and weights a",
                limits=(0, 1),
                measure="weight a",
                half=True,
            ),
            lines(
                WIDTHS,
                {"median": over(SCORES, curve.get)},
                label=f"gradient: median, middle half of {N_DRAWS:,} draws",
                x_label="width D of queries and keys",
                y_label="‖∂a / ∂e‖",
                marker=control(WIDTH),
                band={"median": ends},
                ends=("lower quarter", "upper quarter"),
                y_limits=(0, 0.5),
                log_x=True,
                height=200,
                half=True,
            ),
        ],
        summary=over(WIDTH, SCORES, summary),
        link="saturation",
    )
