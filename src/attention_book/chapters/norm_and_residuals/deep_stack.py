"""DeepStack: deep stacks before their first step, and what became of them.

A stack without norm grows with depth, in its stream and in its gradients. Post-norm and
pre-norm look alike at the start, and only one of them learns at depth 12: gradients at
the start do not tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from attention_book.widgets.controls import select
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import over
from attention_book.widgets.widget import Widget

STACK, START = "stack", "matrices start"
NAMES = {"none": "no norm", "post": "post-norm", "pre": "pre-norm"}
STARTS = {"with variance 1/D": "full", "with variance 1/3D": "small"}
WINDOW = 5  # steps whose losses are averaged for a point

Key = tuple[str, int, str]  # a stack, its blocks and how they start, as in `recipes`


def shown_stacks(depths: tuple[int, ...]) -> dict[str, dict[str, tuple[str, str, int]]]:
    """What the reader may choose -> for each curve its name, stack and depth.

    Without residuals the depth 12 alone is recorded. There the second curve is what
    the residuals would do.
    """
    with_residuals = {
        f"{N} blocks": {norm: (name, norm, N) for norm, name in NAMES.items()}
        for N in depths
    }
    return with_residuals | {
        "12 blocks, no residuals": {
            "none": ("no norm, no residuals", "none-cut", 12),
            "post": ("pre-norm, with residuals", "pre", 12),
            "pre": ("pre-norm, no residuals", "pre-cut", 12),
        }
    }


class Stack(NamedTuple):
    """One stack: its first batch, and its training.

    sizes : (N_blocks + 1,)
        Root mean square of what goes into the first block, and of what comes out of
        each.
    gradients : (N_blocks,)
        Norm of each block's gradient.
    losses : (N_seeds, N_steps)
        Of training.
    unseen : (N_seeds,)
        Nats a word of unseen sentences, after training.
    """

    sizes: Float[np.ndarray, "N_blocks+1"]
    gradients: Float[np.ndarray, "N_blocks"]
    losses: Float[np.ndarray, "N_seeds N_steps"]
    unseen: Float[np.ndarray, "N_seeds"]


def deep_stack(
    stacks: Mapping[Key, Stack], alone: float, *, link: str = "deep-stack"
) -> Widget:
    """Show size and gradients at the start, and losses, by norm, depth and start.

    Parameters
    ----------
    stacks
        (stack, number of blocks, start) -> what was measured.
    alone
        Nats a word of who only knows how frequent each word is.
    """
    shown = shown_stacks(tuple(sorted({N for _, N, _ in stacks})))

    def stack(choice: str, start: str, norm: str) -> Stack:
        _, name, N = shown[choice][norm]
        return stacks[name, N, STARTS[start]]

    def series(part):
        return {
            norm: over(STACK, START, lambda c, s, norm=norm: part(stack(c, s, norm)))
            for norm in NAMES
        }

    def depth(choice: str) -> int:
        return shown[choice]["pre"][2]

    def points(losses: Float[np.ndarray, "N_seeds N_steps"]) -> np.ndarray:
        return losses.reshape(len(losses), -1, WINDOW).mean(axis=-1)

    N_seeds, N_steps = next(iter(stacks.values())).losses.shape
    steps = np.arange(N_steps).reshape(-1, WINDOW).mean(axis=-1) + 1
    least, mean, most = (
        series(lambda each, of=of: of(points(each.losses), axis=0))
        for of in (np.min, np.mean, np.max)
    )

    def summary(choice: str, start: str) -> str:
        ends = [
            (name, stack(choice, start, norm).unseen)
            for norm, (name, *_) in shown[choice].items()
        ]
        said = "; ".join(f"{name} {min(u):.2f} to {max(u):.2f}" for name, u in ends)
        return f"Unseen words after {N_steps} steps, in nats: {said}."

    start = {"log_y": True, "legend": False, "half": True, "pair": True, "height": 150}
    return Widget(
        title="Deep stacks, at the start and in training",
        question="Which of the three learns? Could the upper plots have told you?",
        controls=[
            select(STACK, list(shown), default="12 blocks"),
            select(START, list(STARTS)),
        ],
        panels=[
            lines(
                over(STACK, lambda choice: range(depth(choice) + 1)),
                series(lambda each: each.sizes),
                label="stream, at the start",
                x_label="blocks passed",
                y_label="root mean square",
                y_limits=(1e-3, 1e6),
                **start,
            ),
            lines(
                over(STACK, lambda choice: range(1, depth(choice) + 1)),
                series(lambda each: each.gradients),
                label="gradient, at the start",
                x_label="block",
                y_label="norm",
                y_limits=(1e-3, 1e9),
                **start,
            ),
            lines(
                steps,
                mean | {"alone": np.full(len(steps), alone)},
                label=f"training: mean and range of {N_seeds} seeds",
                x_label="step",
                y_label="loss (nats a word)",
                band={norm: (least[norm], most[norm]) for norm in NAMES},
                ends=("lowest seed", "highest seed"),
                called={
                    norm: over(STACK, lambda choice, norm=norm: shown[choice][norm][0])
                    for norm in NAMES
                }
                | {"alone": "single words"},
                y_limits=(2, 6),
                height=165,
            ),
        ],
        summary=over(STACK, START, summary),
        link=link,
    )
