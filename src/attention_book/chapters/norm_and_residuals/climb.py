"""Two figures of a fresh stack: how large one word's vector gets on its way up, beside
what such stacks learned; and whether it can still be told from the other words'.

Without residuals a vector vanishes, or keeps its size and becomes every other one's
likeness. With them the norm and the size of the initial weights decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, STARTS
from attention_book.networks import Network
from attention_book.widgets.controls import select, slider, typed
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import Over, computed, ids, over
from attention_book.widgets.running import Run, reading
from attention_book.widgets.widget import Widget

SENTENCE = "we are eating bread"
RESIDUAL, NORM, WEIGHTS = "residual", "norm", "initial weights ×"
NORMS = {"none": "none", "pre-norm": "pre", "post-norm": "post"}
FACTORS = {1.0: 1.0, 1.25: 1.25, 1.5: 1.5, 1.73: STARTS["full"], 2.0: 2.0}
STARTED = {factor: start for start, factor in STARTS.items()}
WINDOW = 5  # recorded losses that are averaged for a point


@dataclass(frozen=True)
class Trained:
    """What became of a stack in training; `unseen` after it, the rest on the way.

    Attributes
    ----------
    losses : (N_seeds, N_points)
    unseen : (N_seeds,)
        Both in nats a word; the first seed's stack is the one that a page runs.
    """

    losses: Float[np.ndarray, "N_seeds N_points"]
    unseen: Float[np.ndarray, " N_seeds"]


def ask(network: Network, sentence: object, norm: Over, residual: Over) -> Run:
    """Ask for the last word's way up, at the controls' settings."""
    size = over(WEIGHTS, lambda factor: [FACTORS[factor]])
    return reading(
        network, "climb", ids=sentence, norm=norm, residual=residual, start=size
    )


def as_asked(norm: str) -> list[int]:
    """A norm's place as the network takes it: pre-norm, post-norm."""
    return [norm == "pre", norm == "post"]


def climb(
    network: Network,
    sentence: list[int],
    trained: Mapping[tuple[str, int, str], Trained],
    steps: Float[np.ndarray, " N_points"],
    alone: float,
    *,
    link: str = "climb",
) -> Widget:
    """Show the size of the last word's vector, and the losses of that stack.

    Parameters
    ----------
    network
        `fresh_stack.network()`.
    sentence
        Ids of its words.
    trained
        Stack, number of blocks, start -> what became of it; a stack that is not there
        has no curve.
    steps
        At which all the losses stand, counted from 0.
    alone
        The unigram baseline.
    """
    residual = over(RESIDUAL, {"off": [0], "on": [1]}.__getitem__)
    norm = over(NORM, lambda name: as_asked(NORMS[name]))
    run = ask(network, np.array(sentence, float), norm, residual)

    def of(residual: str, norm: str, factor: float, N: int) -> Trained | None:
        stack = NORMS[norm] + "-cut" * (residual == "off")
        return trained.get((stack, N, STARTED.get(FACTORS[factor], "")))

    def curve(part):
        def at(*setting):
            found = of(*setting)
            if found is None:
                return []
            points = found.losses.reshape(len(found.losses), -1, WINDOW).mean(axis=-1)
            return part(points)

        return over(RESIDUAL, NORM, WEIGHTS, "blocks", at)

    def said(*setting):
        found = of(*setting)
        if found is None:
            return "We trained no such stack: choose 1 or 1.73 for the initial weights."
        first, *others = (f"{x:.2f}" if x < 100 else f"{x:,.0f}" for x in found.unseen)
        return (
            f"After training, on unseen sentences: {first} nats a word; with other "
            f"seeds {' and '.join(others)}. Unigram baseline: {alone:.2f}."
        )

    points = steps.reshape(-1, WINDOW).mean(axis=-1) + 1
    shape = {"half": True, "pair": True, "height": 270}
    return Widget(
        title="One word's vector, up a stack of fresh blocks",
        question="Predict: which of the four controls do you have to change before the "
        "stack learns?",
        controls=[
            select(RESIDUAL, ["off", "on"]),
            select(NORM, list(NORMS)),
            select(WEIGHTS, list(FACTORS)),
            select("blocks", DEPTHS, default=24),
        ],
        panels=[
            lines(
                over("blocks", lambda N: range(N + 1)),
                {
                    "size": computed(
                        "first_rows",
                        rows=run.output("size"),
                        count=over("blocks", lambda N: N + 1),
                    )
                },
                label="before training",
                x_label="blocks passed",
                y_label="size of bread's vector",
                y_limits=(1e-30, 1e10),
                log_y=True,
                **shape,
            ),
            lines(
                points,
                {
                    "loss": curve(lambda losses: losses[0]),
                    "unigram": np.full(len(points), alone),
                },
                band={
                    "loss": tuple(
                        curve(lambda losses, end=end: end(losses, axis=0))
                        for end in (np.min, np.max)
                    )
                },
                ends=("lowest of 3 seeds", "highest of 3 seeds"),
                behind="unigram",
                label="in training",
                x_label="step",
                y_label="loss, nats a word",
                y_limits=(2, 6),
                legend=False,
                **shape,
            ),
        ],
        summary=over(RESIDUAL, NORM, WEIGHTS, "blocks", said),
        link=link,
    )


def likeness(
    network: Network, words: tuple[str, ...], *, link: str = "likeness"
) -> Widget:
    """Show what the last word's vector still has of its own, in a sentence one types.

    Parameters
    ----------
    network
        `fresh_stack.network()`.
    words
        All words, by their ids.
    """
    stacks = {
        f"{'with' if on else 'no'} residual, {'no norm' if norm == 'none' else norm}": (
            as_asked(where),
            [on],
        )
        for on in (False, True)
        for norm, where in NORMS.items()
    }
    run = ask(
        network,
        ids("sentence"),
        over("stack", lambda name: stacks[name][0]),
        over("stack", lambda name: stacks[name][1]),
    )
    return Widget(
        title="Which word was it?",
        question="Predict: without residuals, does a norm keep the words apart?",
        controls=[
            typed("sentence", words, SENTENCE, longest=12),
            select("stack", list(stacks)),
            slider(WEIGHTS, list(FACTORS)),
        ],
        panels=[
            lines(
                range(max(DEPTHS) + 1),
                {
                    "the other words' vectors": run.output("alike"),
                    "its own vector before the first block": run.output("kept"),
                },
                label="cosine of the last word's vector with:",
                x_label="blocks passed",
                y_label="cosine",
                y_limits=(-0.5, 1),
                height=196,
            )
        ],
        link=link,
    )
