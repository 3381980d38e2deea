"""Chapter 1's widgets, fed from recorded runs."""

from itertools import accumulate

from attention_book import runs
from attention_book.chapters.bottleneck.length_collapse import (
    length_collapse as _length_collapse,
)
from attention_book.widgets import (
    Widget,
    by_text,
    computed,
    ids,
    named,
    shown,
    text,
    tokens,
    typed,
    writing,
)

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
    """Chapter 1's widget: a sentence of every length, and vectors of three sizes."""
    recorded = {size: runs.load(name) for size, name in BY_SIZE.items()}
    shown = [
        kept
        for kept in recorded[128].kept("translations")[1::2]  # one of two a length
        if len(kept["source"]) <= LONGEST
    ]
    buckets = [bucket.split("-") for bucket in recorded[128].buckets]
    return _length_collapse(
        [kept["source"] for kept in shown],
        [kept["reference"] for kept in shown],
        [kept["prediction"] for kept in shown],
        [(int(low), int(high)) for low, high in buckets],
        {
            f"{size} numbers": run.table("test", "exact_match").mean(axis=0)
            for size, run in recorded.items()
        },
        start_length=LONGEST,
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
