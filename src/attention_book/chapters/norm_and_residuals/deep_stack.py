"""DeepStack: deep stacks before their first step, and what became of them.

With full initial weights a stack without norm grows block by block; post-norm and
pre-norm look alike at the start, and of 12 blocks only pre-norm learns. With small ones
all three learn at 12 blocks, and the stack without norm learns most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book.chapters.norm_and_residuals.recipes import (
    DEPTHS,
    NORMS,
    STARTS,
)
from attention_book.widgets.controls import select
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import over
from attention_book.widgets.widget import Widget

STACK, WEIGHTS = "stack", "initial weights"
NAMES = {
    "none": "no norm",
    "post": "post-norm",
    "pre": "pre-norm",
    "pre-cut": "pre-norm, cut",
}
CUT = "12 blocks, residuals cut"
ENDS = "lowest seed", "highest seed"
WINDOW = 5  # recorded losses that are averaged for a point

Key = tuple[str, int, str]  # a stack, its blocks and how they start, as in `recipes`


# What the reader may choose, and the name, stack and depth of each curve there. Without
# residuals the depth 12 alone is recorded; pre-norm stands there with them, too.
SHOWN = {
    f"{N} blocks": {norm: (NAMES[norm], norm, N) for norm in NORMS} for N in DEPTHS
} | {
    CUT: {
        "none": ("no norm, cut", "none-cut", 12),
        "pre": ("pre-norm, not cut", "pre", 12),
        "pre-cut": (NAMES["pre-cut"], "pre-cut", 12),
    }
}


@dataclass(frozen=True)
class Measured:
    """A stack before its first step, and its training.

    Attributes
    ----------
    sizes : (N_seeds, N_blocks + 1)
        Root mean square of what goes into the first block, and of what comes out of
        each.
    gradients : (N_seeds, N_blocks)
        Norm of the gradient of each block.
    steps : (N_points,)
        At which the losses stand, counted from 0.
    losses : (N_seeds, N_points)
        In nats a word.
    unseen : (N_seeds,)
        The same on unseen sentences, after training.
    """

    sizes: Float[np.ndarray, "N_seeds N_sizes"]
    gradients: Float[np.ndarray, "N_seeds N_blocks"]
    steps: Float[np.ndarray, " N_points"]
    losses: Float[np.ndarray, "N_seeds N_points"]
    unseen: Float[np.ndarray, " N_seeds"]


def deep_stack(
    stacks: Mapping[Key, Measured], alone: float, *, link: str = "deep-stack"
) -> Widget:
    """Show size and gradients at the start, and losses, by norm, depth and start.

    Parameters
    ----------
    stacks
        (stack, number of blocks, start) -> what was measured.
    alone
        Nats a word of who only knows how frequent each word is.
    """

    def stack(choice: str, start: str, norm: str) -> Measured:
        _, name, N = SHOWN[choice][norm]
        return stacks[name, N, start]

    def curves(part):
        """A mean and a range for each norm, of an array (N_seeds, n) of its stack."""

        def each(norm, of):
            def at(choice, start):
                if norm not in SHOWN[choice]:
                    return []
                return of(part(stack(choice, start, norm)), axis=0)

            return over(STACK, WEIGHTS, at)

        return {
            "series": {norm: each(norm, np.mean) for norm in NAMES},
            "band": {norm: (each(norm, np.min), each(norm, np.max)) for norm in NAMES},
        }

    def depth(choice: str) -> int:
        return SHOWN[choice]["none"][2]

    one = next(iter(stacks.values()))  # all are trained and recorded alike
    N_seeds, steps = len(one.losses), one.steps.reshape(-1, WINDOW).mean(axis=-1) + 1
    losses = curves(lambda each: each.losses.reshape(N_seeds, -1, WINDOW).mean(axis=-1))
    losses["series"]["alone"] = np.full(len(steps), alone)

    def summary(choice: str, start: str) -> str:
        said = []
        for norm, (name, *_) in SHOWN[choice].items():
            unseen = stack(choice, start, norm).unseen
            low, high = (
                f"{x:.2f}" if x < 100 else f"{x:,.0f}"
                for x in (min(unseen), max(unseen))
            )
            said.append(f"{name} {low}–{high}")
        return f"Unseen, in nats: {'; '.join(said)}."

    def named(norm):
        return over(STACK, lambda choice: SHOWN[choice][norm][0])

    called = NAMES | {norm: named(norm) for norm in ("none", "pre")}  # in all choices
    upper = {"called": called, "legend": False, "log_y": True, "height": 142}
    upper |= {"half": True, "pair": True, "ends": ENDS}
    return Widget(
        title="Deep stacks, at the start and in training",
        question="Predict, before you choose 24 blocks: which still learns? Do the "
        "upper plots tell?",
        controls=[
            select(STACK, list(SHOWN), default="12 blocks"),
            select(WEIGHTS, list(STARTS)),
        ],
        panels=[
            lines(
                over(STACK, lambda choice: range(depth(choice) + 1)),
                **curves(lambda each: each.sizes),
                label="stream, at the start",
                x_label="blocks passed",
                y_label="root mean square",
                y_limits=(1e-14, 1e6),
                **upper,
            ),
            lines(
                over(STACK, lambda choice: range(1, depth(choice) + 1)),
                **curves(lambda each: each.gradients),
                label="gradient, at the start",
                x_label="block",
                y_label="length of the gradient",
                y_limits=(1e-14, 1e10),
                **upper,
            ),
            lines(
                steps,
                **losses,
                x_label="step",
                y_label=f"loss in nats a word, mean and range of {N_seeds} seeds",
                ends=ENDS,
                called=called | {"alone": "frequencies"},
                behind="alone",
                y_limits=(2, 6),
                height=136,
            ),
        ],
        summary=over(STACK, WEIGHTS, summary),
        link=link,
    )
