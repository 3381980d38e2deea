"""Chapter 13's widgets."""

from collections.abc import Sequence

from attention_book import runs
from attention_book.chapters.not_only_translation.parse_tree import Parse
from attention_book.chapters.not_only_translation.parse_tree import (
    parse_tree as _parse_tree,
)
from attention_book.widgets import Widget

READINGS = "the likelier tree", "the other"  # by the grammar


def parse_tree(parses: Sequence[Parse] | None = None) -> Widget:
    """Step through the tokens of a tree, and see where a parser looks.

    Parameters
    ----------
    parses : sequence of Parse, optional
        What a parser wrote, and where it looked; when left out, the sentences of two
        readings that the recorded parser was shown, and the mean of the heads of its
        last block.
    """
    return _parse_tree(_recorded() if parses is None else parses)


def _recorded() -> list[Parse]:
    """Both trees of each sentence that the recorded parser keeps."""
    kept = runs.load("parsing").kept("parses")
    return [
        Parse(
            " ".join(one["words"]),
            reading,
            one["words"],
            one["tokens"],
            one["A"][-1].astype(float).mean(axis=0),
        )
        for one, reading in zip(kept, READINGS * (len(kept) // 2), strict=True)
    ]
