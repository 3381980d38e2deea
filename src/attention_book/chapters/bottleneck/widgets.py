"""Chapter 1's widget, fed from recorded runs."""

from attention_book import runs
from attention_book.chapters.bottleneck.length_collapse import (
    length_collapse as _length_collapse,
)
from attention_book.widgets import Widget, predict

BY_SIZE = {
    64: "bottleneck-width-64",
    128: "bottleneck-short",
    256: "bottleneck-width-256",
}


def length_collapse(link: str = "collapse") -> Widget:
    """Chapter 1's widget: a sentence of every length, by states of three sizes."""
    recorded = {size: runs.load(name) for size, name in BY_SIZE.items()}
    shown = {
        size: run.kept("translations")[::2] for size, run in recorded.items()
    }  # one of the two kept for each length
    short, long = (
        recorded[128].table("test", "exact_match").mean(axis=0)[k] for k in (0, 5)
    )
    middles = [sum(map(int, bucket.split("-"))) / 2 for bucket in recorded[128].buckets]
    return _length_collapse(
        [kept["source"] for kept in shown[128]],
        [kept["reference"] for kept in shown[128]],
        {
            size: [kept["prediction"] for kept in sentences]
            for size, sentences in shown.items()
        },
        middles,
        {
            size: run.table("test", "exact_match").mean(axis=0)
            for size, run in recorded.items()
        },
        start_length=20,
        start_size=128,
        link=link,
        predict=predict(
            "A fixed context of 128 numbers. How many sentences of 19-21 words come "
            "out right, word for word?",
            ["about 8 in 10", "about 4 in 10", "hardly any"],
            answer="hardly any",
            reveal=f"{long:.0%} of them, where it is {short:.0%} of those with 3-6 "
            "words.",
        ),
    )
