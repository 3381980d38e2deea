"""Chapter 1's widget, fed from recorded runs."""

from attention_book import runs
from attention_book.chapters.bottleneck.length_collapse import (
    length_collapse as _length_collapse,
)
from attention_book.widgets import Widget

BY_SIZE = {
    64: "bottleneck-width-64",
    128: "bottleneck-short",
    256: "bottleneck-width-256",
}
LONGEST = 20  # words of the longest sentence shown


def length_collapse(link: str = "collapse") -> Widget:
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
        link=link,
    )
