"""Chapter 1's widgets, fed from recorded runs."""

from itertools import accumulate

import numpy as np

from attention_book import runs
from attention_book.widgets import (
    Widget,
    bars,
    by_text,
    computed,
    ids,
    named,
    over,
    shown,
    slider,
    text,
    tokens,
    typed,
    writing,
)
from attention_book.widgets.strips import compared

BY_SIZE = {
    64: "bottleneck-width-64",
    128: "bottleneck-short",
    256: "bottleneck-width-256",
}
LONGEST = 20  # words of the longest sentence shown
# a sentence that grows at its end, in both languages
PIECES = {
    "we are eating bread": "estamos comiendo pan",
    "today": "hoy",
    "and she is reading a letter": "y está leyendo una carta",
    "again": "de nuevo",
    "but the minister bought this house": "pero el ministro compró esta casa",
    "in june": "en junio",
    "1992": "de 1992",
}


def length_collapse() -> Widget:
    """The sentence grows, the vector between reading and writing does not.

    Below the sentence stand what a model said, its mistakes marked, and the share of
    sentences of like length that models with vectors of several sizes get right.
    """
    recorded = {size: runs.load(name) for size, name in BY_SIZE.items()}
    kept = [
        each
        for each in recorded[128].kept("translations")[1::2]  # one of two a length
        if len(each["source"]) <= LONGEST
    ]
    lengths = [len(each["source"]) for each in kept]
    ends = [int(bucket.split("-")[1]) for bucket in recorded[128].buckets]
    tables = [run.table("test", "exact_match") for run in recorded.values()]
    right = np.array([table.mean(axis=0) for table in tables])
    said = [compared(each["prediction"], each["reference"]) for each in kept]
    return Widget(
        title="One vector, longer sentences",
        question="Trained for 1500 steps: where does it fail?",
        controls=[slider("words", lengths, default=LONGEST, play=True)],
        panels=[
            text(
                over(
                    "words",
                    [
                        f"{' '.join(each['source'])}. In Spanish: "
                        f"{' '.join(each['reference'])}."
                        for each in kept
                    ],
                )
            ),
            tokens(
                "128 say",
                over("words", [[word for word, _ in pairs] for pairs in said]),
                marks=over("words", [[mark for _, mark in pairs] for pairs in said]),
            ),
            bars(
                [f"{size} numbers" for size in recorded],
                over("words", right.T[np.searchsorted(ends, lengths)]),
                label="share without a mistake (groups of lengths)",
                axis="size",
                limits=(0, 1),
                digits=2,
            ),
        ],
        link="collapse",
    )


def growing_sentence() -> Widget:
    """Chapter 1's last widget: a sentence that the reader lengthens, or types.

    Of the sentence that grows the right translation is known, and what goes wrong is
    marked.
    """
    run = runs.load("bottleneck-short")
    english, spanish = run.vocabularies
    grown = (accumulate(each, "{} {}".format) for each in (PIECES, PIECES.values()))
    right = dict(zip(*grown, strict=True))
    due = {
        source: spanish.encode(target.split(), stop=True)
        for source, target in right.items()
    }
    written = writing(
        run.network(),
        source=ids("English", stop=True),
        visible=shown("English", stop=True),
    )
    agree = computed(
        "in_common", said=written.output("ids"), other=by_text("English", due, [])
    )
    return Widget(
        title="A sentence that grows",
        question="Predict first: at which added piece does the translation go wrong?",
        controls=[
            typed("English", english.words, next(iter(right)), pieces=list(PIECES))
        ],
        panels=[
            tokens(
                "it writes",
                written.words("ids", spanish.words),
                marks=named(agree, ["wrong", "ok", ""]),
                room=14,
            ),
            text(
                by_text(
                    "English",
                    {seen: f"Right would be: {line}" for seen, line in right.items()},
                    "What would be right is known of the sentence that grows only.",
                )
            ),
        ],
        summary=by_text(
            "English",
            {
                source: f"{len(source.split())} words, through 128 numbers."
                for source in right
            },
            "Take words out, and see when it gets your sentence right.",
        ),
        link="grow",
    )
