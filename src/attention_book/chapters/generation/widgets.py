"""Chapter 15's widgets: the reader's own code, looked up in the prompt."""

from typing import Any

import numpy as np

from attention_book import runs
from attention_book.chapters.generation.codes import KEYS, N_PAIRS, VALUES, WORDS
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    ids,
    maps,
    named,
    picked,
    reading,
    select,
    switches,
    typed,
    words_of,
)

__all__ = ["look_up"]

PAIRS, NETWORK, SILENT, GUESSES = "pairs", "network", "silent heads", 4
RUNS = {"two blocks": "look-up", "one block": "look-up-one"}
HEADS = ["1.1", "1.2", "2.1", "2.2"]  # by block, and number there


def look_up() -> Widget:
    """Let the reader write a code, ask for a value, and silence heads."""
    asked = {
        name: reading(
            runs.load(run).network(),
            change={tap: [["off", _silent(k)]] for k, tap in enumerate(_taps(blocks))},
            source=ids(PAIRS),
        )
        for blocks, (name, run) in zip((2, 1), RUNS.items(), strict=True)
    }
    one, two = asked["one block"], asked["two blocks"]
    first, second = (two.tap(tap) for tap in _taps(2))
    (only,) = (one.tap(tap) for tap in _taps(1))
    heads = {"two blocks": HEADS, "one block": HEADS[:2]}
    weights = {
        "two blocks": computed("stacked", A=first, B=second),
        "one block": only,
    }
    logits = picked(
        NETWORK, {name: each.output("logits") for name, each in asked.items()}
    )
    best = computed("top", values=logits, count=GUESSES)
    chances = computed("softmax", scores=logits, temperature=1.0)
    return Widget(
        title="A code of your own",
        question="Predict: what will the network with one block say? Then silence one "
        "head of two blocks at a time.",
        controls=[
            typed(
                PAIRS,
                WORDS.words,
                "fox 7 bird 2 king 9 bird 2 fox",
                groups=[KEYS, VALUES],
                longest=2 * N_PAIRS,
            ),
            select(NETWORK, [*RUNS]),
            switches(SILENT, HEADS),
        ],
        panels=[
            bars(
                named(best, WORDS.words),
                computed("at_places", values=chances, places=best),
                label="guesses for the next token",
                axis="guess",
                limits=(0, 1),
                measure="probability",
                half=True,
            ),
            maps(
                picked(NETWORK, heads),
                words_of(PAIRS),
                words_of(PAIRS),
                picked(NETWORK, weights),
                label="where each head looks",
                cell=(9, 6),
                half=True,
            ),
        ],
        link="own-code",
    )


def _silent(block: int) -> Any:
    """Which heads of a block are silent."""
    places = np.array([2.0 * block, 2.0 * block + 1])
    return computed("at_places", values=control(SILENT), places=places)


def _taps(N_blocks: int) -> list[str]:
    return [f"encoder.blocks.{block}.attend" for block in range(N_blocks)]
