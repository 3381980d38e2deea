"""Chapter 16's widgets: what a Transformer costs, on a napkin; and the loss of the next
size, which is guessed first.
"""

from typing import Any

import numpy as np

from attention_book.chapters.scale import napkin
from attention_book.chapters.scale.experiments import outcome
from attention_book.chapters.scale.napkin import Sizes
from attention_book.chapters.scale.published import facts, models
from attention_book.chapters.scale.recipes import SAID
from attention_book.chapters.scale.said import power, rounded
from attention_book.widgets import (
    Widget,
    lines,
    over,
    select,
    slider,
    tokens,
)

__all__ = ["next_size", "on_a_napkin"]

DEVICE = "V100"
COUNTS = {" trillion": 1e12, " billion": 1e9, " million": 1e6}
BYTES = {" TB": 1e12, " GB": 1e9, " MB": 1e6}
TIMES = {" years": 365 * 24.0, " days": 24.0, " hours": 1.0}  # in hours

LAYERS = sorted({model.sizes.N_blocks for model in models().values()})
WIDTHS = {f"{D:,}": D for D in sorted({each.sizes.D for each in models().values()})}
N_WORDS = {"30,522": 30_522, "50,257": 50_257}  # BERT's and GPT's tables
CONTEXTS = {"512": 512, "1,024": 1024, "2,048": 2048}
READ = sorted({model.tokens for model in models().values() if model.tokens})
TOKENS = {rounded(read, COUNTS): read for read in READ}
# of the peak: the first by our count of Megatron-LM, the second as told of GPT-3
SHARES = {"16.2 %": 0.162, "19.7 %": 0.197, "30 %": 0.3, "40 %": 0.4, "50 %": 0.5}
BILLION, YOURS = 1e9, "yours"

SHOWN = ["", ": the forecast", ": the outcome"]  # after the number of words
NONE = "none yet"
GUESSES = [NONE, *(f"{3.5 + 0.02 * step:.2f}" for step in range(66))]


def on_a_napkin() -> Widget:
    """Let the reader choose a model's sizes, and say what it costs."""
    rent = facts("rent")
    peak, price = facts("peak")[DEVICE], rent["price"] / rent["N_devices"]
    sizes = "layers", "width", "words in the table"
    training = *sizes, "tokens read", "share of the peak"

    def cost(layers: int, width: str, words: str, tokens: str, share: str) -> list[str]:
        W = _weights(layers, width, words)
        work = napkin.napkin_training(W, TOKENS[tokens])
        hours = napkin.hours(work, peak, SHARES[share])
        return [
            f"{rounded(W, COUNTS)} weights",
            f"{power(work)} operations",
            rounded(hours, TIMES),
            _dollars(napkin.dollars(hours, price)),
        ]

    def heard(*at: Any) -> str:
        weights, _, time, dollars = cost(*at)
        return f"{weights}; training takes {time} and costs {dollars}."

    def memory(layers: int, width: str, words: str, context: str) -> str:
        W, D, n = _weights(layers, width, words), WIDTHS[width], CONTEXTS[context]
        needs = {
            "to use": 2 * W,
            "to train": napkin.training_bytes(W, "mixed"),
            "cache": 2 * n * napkin.cache(Sizes(D, layers, 0)),
        }
        told = ", ".join(
            f"{rounded(need, BYTES)} {what}" for what, need in needs.items()
        )
        return f"{told}. QKᵀ and AV add {napkin.left_out(D, n):.1%} to a block."

    known = [
        (model.weights / BILLION, model.tokens / BILLION, name)
        for name, model in models().items()
        if model.tokens
    ]
    weights, read, names = map(np.array, zip(*sorted(known), strict=True))

    def own(*at: Any) -> float:
        return _weights(*at[:3]) / BILLION

    def among(column: np.ndarray, yours: Any, *at: Any) -> np.ndarray:
        """Insert the reader's model among the published ones, by its weights."""
        return np.insert(column, weights.searchsorted(own(*at)), yours)

    return Widget(
        title="A napkin",
        question="24 times as wide: how much larger?",
        controls=[
            slider("layers", LAYERS, default=96),
            slider("width", [*WIDTHS], default="12,288"),
            select("words in the table", [*N_WORDS], default="50,257"),
            select("context length", [*CONTEXTS], default="2,048"),
            slider("tokens read", [*TOKENS], default="300 billion"),
            slider("share of the peak", [*SHARES], default="19.7 %"),
        ],
        panels=[
            tokens(f"on one {DEVICE}", over(*training, cost)),
            lines(
                over(*sizes, lambda *at: among(weights, own(*at), *at)),
                {
                    "tokens read (billions)": over(
                        *sizes,
                        "tokens read",
                        lambda *at: among(read, TOKENS[at[3]] / BILLION, *at),
                    )
                },
                named=over(*sizes, lambda *at: among(names, YOURS, *at).tolist()),
                marks={YOURS: over(*sizes, lambda *at: [own(*at)])},
                x_label="weights (billions)",
                y_label="tokens read (billions)",
                log_x=True,
                log_y=True,
                y_limits=(1, 4000),
                x_ticks=[0.1, 1, 10, 100],
                dots=True,
                height=140,
            ),
        ],
        summary=over(*sizes, "context length", memory),
        aloud=over(*training, heard),
        link="napkin",
    )


def next_size() -> Widget:
    """Let the reader guess the loss of the next size, then show what was foretold and
    what came of it. Neither is shown before there is a guess.
    """
    stages = {
        f"{words} words{shown}": (outcome(amount), step)
        for amount, words in reversed(SAID.items())
        for step, shown in enumerate(SHOWN)
    }

    def reached(shown: str, guess: str) -> int:
        return 0 if guess == NONE else stages[shown][1]

    def guessed(shown: str, guess: str) -> np.ndarray:
        five = stages[shown][0].losses.mean(axis=0)[:-1]
        return five if guess == NONE else np.append(five, float(guess))

    def foretold(shown: str, guess: str) -> np.ndarray:
        found = stages[shown][0]
        law = np.asarray(found.law(found.weights))
        return law if reached(shown, guess) else np.empty(0)

    def end(shown: str, guess: str, which: str) -> np.ndarray:
        law = foretold(shown, guess).copy()
        law[-1:] = getattr(stages[shown][0].forecast["loss"], which)
        return law

    def measured(shown: str, guess: str) -> np.ndarray:
        last = reached(shown, guess) == 2
        return stages[shown][0].losses.mean(axis=0) if last else np.empty(0)

    def said(shown: str, guess: str) -> str:
        found, step = stages[shown]
        loss = found.forecast["loss"]
        if guess == NONE:
            return "Guess the loss of the largest size first."
        if not step:
            return f"You guess {guess} for the largest size."
        told = f"Forecast: {loss.value:.3f} ({loss.low:.3f} to {loss.high:.3f})."
        if step == 1:
            return told
        where = "inside" if found.inside else "outside"
        off = abs(found.measured - float(guess))
        told += f" Measured: {found.measured:.3f}, {where} it."
        return f"{told} Your guess is {off:.2f} off."

    (first, _), *_ = stages.values()
    sizes = [round(size / 1000) for size in first.weights]
    by = "show", "your guess"
    return Widget(
        title="The next size",
        question="Predict: what loss will the largest size reach?",
        controls=[slider("your guess", GUESSES), select("show", [*stages])],
        panels=[
            lines(
                over("your guess", lambda guess: sizes[: 5 + (guess != NONE)]),
                {
                    "measured, then your guess": over(*by, guessed),
                    "measured": over(*by, measured),
                    "forecast": over(*by, foretold),
                },
                label="loss by size",
                x_label="weights (1,000s)",
                y_label="loss on held-out text",
                band={
                    "forecast": (
                        over(*by, lambda *at: end(*at, "low")),
                        over(*by, lambda *at: end(*at, "high")),
                    )
                },
                log_x=True,
                digits=3,
            ),
        ],
        summary=over(*by, said),
        link="next-size",
    )


def _dollars(x: float) -> str:
    return "$" + (rounded(x, COUNTS) if x >= 1e6 else f"{float(f'{x:.3g}'):,.0f}")


def _weights(layers: int, width: str, words: str) -> int:
    return napkin.napkin_weights(Sizes(WIDTHS[width], layers, N_WORDS[words]))
