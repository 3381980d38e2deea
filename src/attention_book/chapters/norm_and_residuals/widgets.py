"""Chapter 10's widgets: layer norm by hand, and what fresh and trained stacks do.

Without residuals a vector vanishes, or keeps its size and becomes every other one's
likeness. With them the norm and the size of the initial weights decide.
"""

from functools import lru_cache

import numpy as np

from attention_book import runs
from attention_book.chapters.norm_and_residuals.experiments import frequency_alone
from attention_book.chapters.norm_and_residuals.fresh_stack import as_asked, network
from attention_book.chapters.norm_and_residuals.recipes import DEPTHS, STARTS
from attention_book.chapters.norm_and_residuals.sentences import WORDS
from attention_book.widgets import (
    Widget,
    computed,
    control,
    free,
    ids,
    joined,
    lines,
    named,
    over,
    predict,
    reading,
    select,
    slider,
    typed,
    vector,
    vectors,
)
from attention_book.widgets.fields import Over
from attention_book.widgets.running import Run

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

SENTENCE = "we are eating bread"
RESIDUAL, NORM, WEIGHTS = "residual", "norm", "initial weights"
NORMS = {"none": "none", "pre-norm": "pre", "post-norm": "post"}
FACTORS = {name: STARTS[name] for name in ("small", "full")}
WINDOW = 5  # recorded losses that are averaged for a point
NEAR = 0.03  # nats from the unigram baseline that count as at it
LOSSES = 2, 6  # ends of the axis
ENDS = "lowest of 3 seeds", "highest of 3 seeds"
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


def norm_by_hand() -> Widget:
    """Show five numbers that the reader drags, normalised, and scaled and shifted."""

    def normed(gamma, beta):
        eps = control(EPS)
        return computed("layer_norm", x=control("x"), gamma=gamma, beta=beta, eps=eps)

    bars = {"limits": (-OUT, OUT)}
    x, y = control("x"), normed(control(GAMMA), control(BETA))
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
                    vector("x", x, limits=(LOW, HIGH), role="asked", digits=1),
                    vector("z", normed(1.0, 0.0), **bars),
                    vector("y", y, role="out", **bars),
                ],
                label="z = (x − μ) / √(σ² + ε), y = γ z + β",
                presets=PRESETS,
            )
        ],
        link="norm-by-hand",
    )


def divisor() -> Widget:
    """Show how far the norm by D - 1 is from the norm by D, by the width D."""
    both = {D: _one_and_zeros(D) for D in WIDTHS}

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
                {"less, %": [100 * (1 - less / by_D) for by_D, less in both.values()]},
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
        link="divisor",
    )


def _one_and_zeros(D: int) -> tuple[float, float]:
    """First entry of (1, 0, ..., 0) after the norm: by D, and by D - 1."""
    x = np.eye(D)[0]
    return tuple((x - x.mean())[0] / x.std(ddof=each) for each in (0, 1))


def climb() -> Widget:
    """Choose a stack: see a vector's size on its way up, and what the stack learned."""
    sentence, alone = WORDS.encode(SENTENCE.split()), frequency_alone()
    residual = over(RESIDUAL, {"off": [0], "on": [1]}.__getitem__)
    norm = over(NORM, lambda name: as_asked(NORMS[name]))
    run = _asked(np.array(sentence, float), norm, residual)

    @lru_cache
    def recorded(residual: str, norm: str, weights: str, N: int) -> runs.RecordedRun:
        cut = "-cut" * (residual == "off")
        return runs.load(f"deep-{NORMS[norm]}{cut}-{N}-{weights}")

    @lru_cache
    def sizes(residual: str, norm: str, weights: str) -> list[float]:
        asked = {"ids": [sentence], "norm": [as_asked(NORMS[norm])]}
        asked |= {"residual": [[residual == "on"]], "start": [[FACTORS[weights]]]}
        found, _ = network().run("climb", asked)
        return found["size"].tolist()

    def smoothed(values):
        return np.reshape(values, (-1, WINDOW)).mean(axis=-1)

    def curve(part):
        def at(*setting):
            curves = recorded(*setting).curves.values()
            return part([smoothed(each.loss) for each in curves])

        return over(RESIDUAL, NORM, WEIGHTS, "blocks", at)

    def said(*setting):
        up, unseen = sizes(*setting[:3]), recorded(*setting).per_seed("unseen")
        grown = f"Size: {_size(up[0])} at first, {_size(up[setting[3]])} at the top. "
        if max(abs(unseen - alone)) < NEAR:
            return f"{grown}After training: at the unigram baseline with all 3 seeds."
        losses = (f"{x:.2f}" if x < 100 else f"{x:,.0f}" for x in unseen)
        return f"{grown}After training: {', '.join(losses)} nats (unseen, 3 seeds)."

    passed = over("blocks", lambda N: N + 1)
    points = smoothed(recorded("off", "none", "small", 4).curves[0].step) + 1
    band = tuple(
        curve(lambda losses, end=end: end(losses, axis=0)) for end in (np.min, np.max)
    )
    shape = {"half": True, "pair": True, "height": 270}
    return Widget(
        title="Build a stack, and follow one word",
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
                {"size": computed("first_rows", rows=run.output("size"), count=passed)},
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
                band={"loss": band},
                ends=ENDS,
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
        link="climb",
    )


def likeness() -> Widget:
    """Type a sentence: is the last word's vector still another than the others'?"""
    stacks = {
        f"{'with' if on else 'no'} residual, {'no norm' if norm == 'none' else norm}": (
            as_asked(where),
            [on],
        )
        for on in (False, True)
        for norm, where in NORMS.items()
    }
    norm, residual = (
        over("stack", lambda name, k=k: stacks[name][k]) for k in range(2)
    )
    run = _asked(ids("sentence"), norm, residual)
    alike = computed("first_rows", rows=run.output("alike"), count=run.output("rows"))
    return Widget(
        title="Which word was it?",
        question="Predict: does a norm keep words apart?",
        controls=[
            typed(
                "sentence",
                WORDS.words,
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
                    "the other words (likeness)": alike,
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
        link="likeness",
    )


def by_depth() -> Widget:
    """Predict which stacks with full weights learn, and see."""
    losses = {
        name: np.array(
            [runs.load(f"deep-{norm}-{N}-full").per_seed("unseen") for N in DEPTHS]
        )
        for name, norm in (
            ("no norm", "none"),
            ("post-norm", "post"),
            ("pre-norm", "pre"),
        )
    }
    unigram = np.full(len(DEPTHS), frequency_alone())
    return Widget(
        title="Full initial weights, with residuals",
        predict=predict(
            "Predict: which of the three stacks learns at all depths: 4, 12 and 24?",
            list(losses),
            answer="pre-norm",
            reveal="the other two fail at 12 and at 24.",
        ),
        controls=[],
        panels=[
            lines(
                DEPTHS,
                {norm: each.mean(axis=1) for norm, each in losses.items()}
                | {"unigram": unigram},
                band={
                    norm: (each.min(axis=1), each.max(axis=1))
                    for norm, each in losses.items()
                },
                ends=ENDS,
                behind="unigram",
                log_x=True,
                label="after training, mean and range of three seeds",
                x_label="number of blocks",
                y_label="loss, nats a word",
                y_limits=LOSSES,
                height=250,
            )
        ],
        link="by-depth",
    )


def _asked(sentence: object, norm: Over, residual: Over) -> Run:
    """Ask for the last word's way up, at the controls' settings."""
    start = over(WEIGHTS, lambda name: [FACTORS[name]])
    return reading(
        network(), "climb", ids=sentence, norm=norm, residual=residual, start=start
    )


def _size(value: float) -> str:
    """Write a size with two digits that count, a tiny one with one."""
    if value < 1e-3:
        digit, power = f"{value:.0e}".split("e")
        return f"{digit} × 10{str(int(power)).translate(SUPERSCRIPTS)}"
    return f"{float(f'{value:.2g}'):,.{0 if value >= 10 else 1 if value >= 1 else 2}f}"
