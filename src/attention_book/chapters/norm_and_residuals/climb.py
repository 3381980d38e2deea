"""Two figures of a fresh stack: how large one word's vector gets on its way up, beside
what such stacks learned; and whether it can still be told from the other words'.

Without residuals a vector vanishes, or keeps its size and becomes every other one's
likeness. With them the norm and the size of the initial weights decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from jaxtyping import Float

from attention_book.chapters.norm_and_residuals.fresh_stack import as_asked
from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, STARTS
from attention_book.networks import Network
from attention_book.widgets.controls import select, typed
from attention_book.widgets.curves import lines
from attention_book.widgets.fields import Over, computed, ids, joined, named, over
from attention_book.widgets.predict import predict
from attention_book.widgets.running import Run, reading
from attention_book.widgets.widget import Widget

SENTENCE = "we are eating bread"
RESIDUAL, NORM, WEIGHTS = "residual", "norm", "initial weights"
NORMS = {"none": "none", "pre-norm": "pre", "post-norm": "post"}
FACTORS = {name: STARTS[name] for name in ("small", "full")}
WINDOW = 5  # recorded losses that are averaged for a point
NEAR = 0.03  # nats from the unigram baseline that count as at it
LOSSES = 2, 6  # ends of the axis
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ALONE = "A likeness needs two words or more."
EXAMPLES = "she reads a letter", "the bank was big"
GROUPS = tuple(  # words that fit into each other's place
    each.split()
    for each in (
        "we they",
        "he she i",
        "am is are was were",
        "eating reading buying visiting signing",
        "eats reads buys sees visits signs",
        "ate read bought saw visited signed",
        "eat read buy see visit sign",
        "bread eggs apples letters reports houses cars",
        "egg apple letter report house car city bank market area treaty agreement",
        "cities banks markets areas treaties agreements houses letters reports",
        "teacher minister woman child",
        "teachers ministers women children",
        "the this my our a",
        "these any some",
        "big small new red european political economic",
        "today yesterday tomorrow again here",
        "in on of",
        "may june july august september",
        "monday tuesday wednesday",
        "and but because",
        "1992 1995 2001 2004",
    )
)


@dataclass(frozen=True)
class Trained:
    """What became of a stack on the way and after training, in nats a word; the first
    seed's stack is the one that a page runs.
    """

    losses: Float[np.ndarray, "N_seeds N_points"]
    unseen: Float[np.ndarray, " N_seeds"]


def ask(network: Network, sentence: object, norm: Over, residual: Over) -> Run:
    """Ask for the last word's way up, at the controls' settings."""
    start = over(WEIGHTS, lambda name: [FACTORS[name]])
    return reading(
        network, "climb", ids=sentence, norm=norm, residual=residual, start=start
    )


def size(value: float) -> str:
    """Write a size with two digits that count, a tiny one with one."""
    if value < 1e-3:
        digit, power = f"{value:.0e}".split("e")
        return f"{digit} × 10{str(int(power)).translate(SUPERSCRIPTS)}"
    return f"{float(f'{value:.2g}'):,.{0 if value >= 10 else 1 if value >= 1 else 2}f}"


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
        Stack, number of blocks, start -> what became of it.
    steps
        At which all the losses stand, counted from 0.
    alone
        The unigram baseline.
    """
    residual = over(RESIDUAL, {"off": [0], "on": [1]}.__getitem__)
    norm = over(NORM, lambda name: as_asked(NORMS[name]))
    run = ask(network, np.array(sentence, float), norm, residual)

    @lru_cache
    def sizes(residual: str, norm: str, weights: str) -> list[float]:
        asked = {"ids": [sentence], "norm": [as_asked(NORMS[norm])]}
        asked |= {"residual": [[residual == "on"]], "start": [[FACTORS[weights]]]}
        found, _ = network.run("climb", asked)
        return found["size"].tolist()

    def of(residual: str, norm: str, weights: str, N: int) -> Trained:
        return trained[NORMS[norm] + "-cut" * (residual == "off"), N, weights]

    def curve(part):
        def at(*setting):
            losses = of(*setting).losses
            return part(losses.reshape(len(losses), -1, WINDOW).mean(axis=-1))

        return over(RESIDUAL, NORM, WEIGHTS, "blocks", at)

    def said(*setting):
        up, unseen = sizes(*setting[:3]), of(*setting).unseen
        grown = f"Size: {size(up[0])} at first, {size(up[setting[3]])} at the top. "
        if max(abs(unseen - alone)) < NEAR:
            return f"{grown}After training: at the unigram baseline with all 3 seeds."
        losses = (f"{x:.2f}" if x < 100 else f"{x:,.0f}" for x in unseen)
        return f"{grown}After training: {', '.join(losses)} nats (unseen, 3 seeds)."

    points = steps.reshape(-1, WINDOW).mean(axis=-1) + 1
    shape = {"half": True, "pair": True, "height": 270}
    return Widget(
        title="One word's vector in an untrained stack",
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
                label="training, first seed",
                x_label="step",
                y_label="loss, nats a word",
                y_limits=LOSSES,
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
    """Show what the last word's vector still has of its own, in a typed sentence."""
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
        question="Predict: does a norm keep words apart?",
        controls=[
            typed(
                "sentence",
                words,
                SENTENCE,
                groups=GROUPS,
                examples=EXAMPLES,
                longest=12,
            ),
            select("stack", list(stacks)),
            select(WEIGHTS, list(FACTORS)),
        ],
        panels=[
            lines(
                range(max(DEPTHS) + 1),
                {
                    "the other words (likeness)": computed(
                        "first_rows", rows=run.output("alike"), count=run.output("rows")
                    ),
                    "itself before block 1": run.output("kept"),
                },
                label="cosine of the last word's vector with",
                x_label="blocks passed",
                y_label="cosine",
                y_limits=(-0.5, 1),
                height=164,
            )
        ],
        summary=joined(named(run.output("several"), [ALONE, ""])),
        link=link,
    )


def by_depth(
    losses: Mapping[str, Float[np.ndarray, "N_depths N_seeds"]],
    alone: float,
    *,
    link: str = "by-depth",
) -> Widget:
    """Show what stacks with full initial weights learned, once one has predicted it."""
    return Widget(
        title="Full initial weights, with residuals",
        predict=predict(
            "Predict: which of the three stacks learns at 4, at 12 and at 24 blocks?",
            list(losses),
            answer="pre-norm",
            reveal="the two others fail at 12 and at 24.",
        ),
        controls=[],
        panels=[
            lines(
                DEPTHS,
                {norm: each.mean(axis=1) for norm, each in losses.items()}
                | {"unigram": np.full(len(DEPTHS), alone)},
                band={
                    norm: (each.min(axis=1), each.max(axis=1))
                    for norm, each in losses.items()
                },
                ends=("lowest of 3 seeds", "highest of 3 seeds"),
                behind="unigram",
                log_x=True,
                label="after training, mean and range of three seeds",
                x_label="number of blocks",
                y_label="loss, nats a word",
                y_limits=LOSSES,
                height=250,
            )
        ],
        link=link,
    )
