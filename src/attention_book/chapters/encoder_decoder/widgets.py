"""Chapter 12's widgets, fed from recorded runs."""

import numpy as np

from attention_book import runs
from attention_book.chapters.encoder_decoder.beam_tree import beam_tree as _beam_tree
from attention_book.chapters.encoder_decoder.cross_attention import (
    BLOCK,
    HEAD,
    SENTENCE,
    WORD,
    Looked,
)
from attention_book.chapters.encoder_decoder.cross_attention import (
    cross_attention as _cross_attention,
)
from attention_book.widgets import Widget

# a word of the source -> the sentence's name in the menu
SHOWN = {
    "apple": "a big apple",
    "economic": "economic area (it errs)",
    "bread": "eating bread",
}
OPENS = {SENTENCE: SHOWN["apple"], WORD: 4, BLOCK: 2, HEAD: "1"}  # grosse: which?
END = "[STOP]"


def cross_attention() -> Widget:
    """Show where each head of two blocks looks while a translation is written."""
    run = runs.load("transformer-two-blocks")
    sentences = {}
    for word, name in SHOWN.items():
        (kept,) = (one for one in run.kept("cross_attention") if word in one["source"])
        sentences[name] = Looked(
            (*kept["source"], END),
            (*kept["target"], END),
            frozenset(map(tuple, kept["alignment"])),
            kept["A"],
            (*kept["said"], END),
        )
    figures = (("aer", "blocks_aer"), ("without", "without_block"))
    aer, blinded = (
        np.column_stack([run.per_seed("heads", name)[0] for name in names])
        for names in figures
    )
    right = run.table("test", "exact_match")[0].mean()
    return _cross_attention(sentences, aer, right, blinded, start=OPENS)


def beam_tree() -> Widget:
    """Follow a beam search, word by word."""
    run = runs.load("transformer")
    return _beam_tree(run.model(), list(run.recipe.task.vocabularies.values()))
