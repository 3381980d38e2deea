"""Saturation: the wider queries and keys are, the further their products lie apart, and
softmax keeps one of them.

The entries of q and k have mean 0 and variance 1, so q·k has variance D: at D = 512 the
scores are about 23 apart, the weights are one-hot, and the gradient through softmax is
0 for most draws. Divided by √D the scores have variance 1 at every width
[vaswani2017attention].
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from attention_book.reference import softmax
from attention_book.widgets.controls import select, slider
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import computed, control, over
from attention_book.widgets.strips import bars
from attention_book.widgets.widget import Widget

WIDTH, SCORES = "width D", "scores"
PLAIN, SCALED = "q·k", "q·k / √D"
WIDTHS = tuple(2**power for power in range(10))
N_X = 5


def gradient_size(
    a: Float[np.ndarray, "*draws N_X"],
) -> Float[np.ndarray, "*draws"]:
    """Return the norm of softmax's Jacobian, diag(a) - a aᵀ, for weights a.

    That is the root of the sum of the squares of all its entries.
    It is 0 where a is one-hot: then no score can move any weight.
    """
    J = a[..., None] * (np.eye(a.shape[-1]) - a[..., None, :])
    return np.linalg.norm(J, axis=(-2, -1))


def drawn_scores(
    N_draws: int, seed: int
) -> dict[str, Float[np.ndarray, "N_draws N_widths N_X"]]:
    """Draw queries and keys of unit variance; score them by their first D entries.

    Returns
    -------
    dict
        Kind of score -> scores, (N_draws, N_widths, N_X), a row for each of `WIDTHS`.
    """
    random = np.random.default_rng(seed)
    q = random.normal(size=(N_draws, 1, WIDTHS[-1]))
    K = random.normal(size=(N_draws, N_X, WIDTHS[-1]))
    products = [(q[..., :D] * K[..., :D]).sum(axis=-1) for D in WIDTHS]
    E = np.stack(products, axis=1)
    return {PLAIN: E, SCALED: E / np.sqrt(WIDTHS)[:, None]}


def saturation(
    N_draws: int = 1000, seed: int = 0, *, link: str = "saturation"
) -> Widget:
    """Show scores, weights and gradient as the width grows, divided by √D or not.

    Bars show the first draw. The curve is the median of all draws: their mean is made
    by the few whose two best scores happen to lie close together.
    """
    E = drawn_scores(N_draws, seed)
    sizes = {how: gradient_size(softmax(each)) for how, each in E.items()}
    curve = {how: np.median(each, axis=0) for how, each in sizes.items()}
    half = {how: np.quantile(each, [0.25, 0.75], axis=0) for how, each in sizes.items()}

    def score_names(D: int, how: str) -> list[str]:
        e = E[how][0, WIDTHS.index(D)]
        said = [f"e{chr(0x2081 + i)} = {score:.1f}" for i, score in enumerate(e)]
        return [each.replace("-", "\N{MINUS SIGN}") for each in said]

    def summary(D: int, how: str) -> str:
        size = curve[how][WIDTHS.index(D)]
        return f"At D = {D} the median gradient is {size:.2f} for {how}."

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
                half=True,
            ),
            lines(
                WIDTHS,
                {"median": over(SCORES, curve.get)},
                label=f"gradient: median, middle half of {N_draws:,} draws",
                x_label="width D of queries and keys",
                y_label="‖∂a / ∂e‖",
                marker=control(WIDTH),
                band={
                    "median": tuple(
                        over(SCORES, lambda how, end=end: half[how][end])
                        for end in (0, 1)
                    )
                },
                y_limits=(0, 0.5),
                log_x=True,
                height=200,
                half=True,
            ),
        ],
        summary=over(WIDTH, SCORES, summary),
        link=link,
    )
