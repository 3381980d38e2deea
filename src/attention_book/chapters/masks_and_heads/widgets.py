"""Chapter 7's widgets: trained models, a mask that the reader paints, and heads that
can be silenced.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_book import runs
from attention_book.chapters.masks_and_heads.sentences import (
    ADJECTIVES,
    DEGREES,
    LONGEST,
    NAMES,
    NOUNS,
    RELATIONS,
    VERBS,
    WORDS,
)
from attention_book.data import START
from attention_book.layers import causal_mask, window_mask
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    free,
    heat_map,
    ids,
    named,
    picked,
    reading,
    select,
    shown,
    switches,
    tokens,
    typed,
    words_of,
    writing,
)

WRITERS = {"with the mask": "next-word-causal", "without the mask": "next-word-open"}
SAID = ["[START]", "ben", "told", "carl", "that", "the"]
R = 3  # of the window, as in the text
ASKED = (
    "hana told max that the bus and the house left ivan near the cheese because it was "
    "almost flooded"
)


def _masks() -> dict[str, np.ndarray]:
    """The masks that a button sets, by name: 1 where a word (row) may look."""
    causal, window = causal_mask(len(SAID)), window_mask(len(SAID), R)
    every = {"all": causal | True, "causal": causal, "window": window}
    every["both"] = causal & window
    return {name: mask.double().numpy() for name, mask in every.items()}


MASKS = _masks()


def peeking(*, link: str = "peeking") -> Widget:
    """Let the reader paint the mask of two trained language models, and see what it
    does to their score and to what they write.
    """
    presets, kind = MASKS, "trained"
    change = {"attend": [["masked", control("mask")]]}
    source = np.array([START, *WORDS.encode(SAID[1:])])
    networks = [runs.load(name).network() for name in WRITERS.values()]
    read = [reading(each, change=change, source=source) for each in networks]
    chances = [each.output("chance") for each in read]
    written = [
        writing(each, change=change, most=len(SAID), source=source) for each in networks
    ]

    def of_chosen(both: Sequence[Any]) -> Any:
        return picked(kind, dict(zip(WRITERS, both, strict=True)))

    return Widget(
        title="A perfect score, and nonsense",
        question="Paint out the future. Whose score falls?",
        controls=[
            select(kind, [*WRITERS], "without the mask"),
            free("mask", presets["all"], low=0, high=1, step=1),
        ],
        panels=[
            heat_map(
                SAID,
                SAID,
                of_chosen([each.tap("attend") for each in read]),
                visible=control("mask"),
                presets=presets,
                limits=(0, 1),
                cell=(24, 18),
                half=True,
            ),
            bars(
                [*WRITERS],
                computed("means", A=chances[0], B=chances[1]),
                label="chance of the next word, on average",
                axis="model",
                limits=(0, 1),
                half=True,
            ),
            tokens(
                "it writes",
                named(of_chosen([each.output("ids") for each in written]), WORDS.words),
            ),
        ],
        link=link,
    )


def four_heads() -> Widget:
    """Let the reader silence heads of a trained layer that answers four questions."""
    heads = [f"head {k}" for k in range(1, 5)]
    asked = reading(
        runs.load("heads-4").network(),
        change={"attend": [["off", control("silent")]]},
        source=ids("sentence"),
        visible=shown("sentence"),
    )
    kinds = [NAMES, DEGREES, VERBS, *NOUNS.values()]
    adjectives = [word for some in ADJECTIVES.values() for word in some]
    return Widget(
        title="Where four heads look",
        question="Silence a head. Which answer is lost?",
        controls=[
            typed(
                "sentence",
                WORDS.words,
                ASKED,
                groups=[*kinds, adjectives],
                longest=LONGEST,
            ),
            switches("silent", ["1", "2", "3", "4"], [0] * 4),
        ],
        panels=[
            heat_map(
                heads,
                words_of("sentence"),
                computed("last_queries", A=asked.tap("attend")),
                axes=("head", "input"),
                limits=(0, 1),
                cell=(20, 11),
            ),
            tokens(
                "it answers",
                named(
                    asked.output("logits"),
                    WORDS.words,
                    before=[f"{relation}: " for relation in RELATIONS],
                ),
            ),
        ],
        link="four-heads",
    )
