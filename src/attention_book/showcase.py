"""Widgets fed from recorded runs, shown on more than one page."""

from __future__ import annotations

from attention_book import runs
from attention_book.widgets import Widget
from attention_book.widgets.length_collapse import length_collapse as _length_collapse

BY_SIZE = {64: "bottleneck-width-64", 128: "bottleneck-short", 256: "bottleneck-width-256"}


def length_collapse(link: str = "collapse") -> Widget:
    """Chapter 1's widget: one unseen sentence of every length, translated by states of three sizes."""
    recorded = {size: runs.load(name) for size, name in BY_SIZE.items()}
    shown = {size: run.predictions[::2] for size, run in recorded.items()}  # one of the two kept for each length
    middles = [sum(map(int, bucket.split("-"))) / 2 for bucket in recorded[128].buckets]
    return _length_collapse(
        [kept["source"] for kept in shown[128]],
        [kept["reference"] for kept in shown[128]],
        {size: [kept["prediction"] for kept in sentences] for size, sentences in shown.items()},
        middles,
        {size: run.measured("exact_match").mean(axis=0) for size, run in recorded.items()},
        start_length=20,
        start_size=128,
        link=link,
    )
