"""Chapter 6's widgets."""

from functools import reduce
from typing import Any

from attention_book import runs
from attention_book.chapters.order.recipes import ASKED
from attention_book.chapters.order.sentences import ADVERBS, NAMES, VERBS, WORDS
from attention_book.chapters.order.shuffle import inside, shuffle
from attention_book.chapters.order.tasks import LONGER
from attention_book.chapters.order.waves import waves
from attention_book.widgets import (
    Widget,
    computed,
    heat_map,
    ids,
    reading,
    shown,
    typed,
)

__all__ = ["inside", "shuffle", "waves", "who"]

SENTENCE, EXCHANGED = "today anna often calls ben", "today ben often calls anna"


def who(sentence: str = SENTENCE) -> Widget:
    """The reader's sentence, and whom five recorded readers name when asked *who?*."""
    question = WORDS.encode(["who?"])
    names = WORDS.encode(NAMES)

    def said(kind: str) -> Any:
        network = runs.load(f"order-who-{kind}").network()
        source = computed("stacked", A=ids("sentence"), B=question)
        asked = reading(
            network,
            source=source,
            visible=computed("stacked", A=shown("sentence"), B=[1]),
        )
        P = computed("softmax", scores=asked.output("logits"), temperature=1.0)
        return computed(
            "at_places", values=computed("entry", values=P, at=0.0), places=names
        )

    every = reduce(lambda A, B: computed("stacked", A=A, B=B), map(said, ASKED))
    return Widget(
        title="Who calls whom?",
        question="Exchange the two names. Which reader's answer stays the same?",
        controls=[
            typed(
                "sentence",
                WORDS.words,
                sentence,
                groups=(NAMES, VERBS, ADVERBS),
                longest=max(LONGER),
                examples=(SENTENCE, EXCHANGED),
            )
        ],
        panels=[
            heat_map(
                ["no positions", *ASKED[1:]],
                NAMES,
                computed("folded", values=every, columns=float(len(NAMES))),
                label="how likely each name is the answer to who?",
                axes=("positions", "name"),
                limits=(0, 1),
                say="{row}: {column} is the answer with {value}",
            )
        ],
        link="who",
    )
