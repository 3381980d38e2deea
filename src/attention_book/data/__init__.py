"""Data with gold answers, made from a seed, or your own: nothing is downloaded."""

from importlib import import_module

from attention_book.shapes import PAD, START, STOP

from .digits import digit_images
from .own import FIFTY_PAIRS, pairs_from, split
from .pairs import Pair
from .scenes import (
    DIGIT_NAMES,
    Scene,
    compose,
    scene_vocabulary,
    scenes,
    specimens,
)
from .sequences import sequences, symbol_vocabulary
from .subwords import Subwords, TextPieces
from .tokens import detokenize, tokenize
from .translation import Corpus, Triple, classic, corpus, sentence
from .vocabulary import Vocabulary

__all__ = [
    "DIGIT_NAMES",
    "FIFTY_PAIRS",
    "PAD",
    "START",
    "STOP",
    "Batch",
    "Corpus",
    "Pair",
    "Scene",
    "SceneBatch",
    "Subwords",
    "TextPieces",
    "Triple",
    "Vocabulary",
    "batches",
    "classic",
    "collate",
    "collate_pairs",
    "collate_scenes",
    "compose",
    "corpus",
    "detokenize",
    "digit_images",
    "encode_sources",
    "pairs_from",
    "scene_batches",
    "scene_vocabulary",
    "scenes",
    "sentence",
    "sequences",
    "specimens",
    "split",
    "symbol_vocabulary",
    "tokenize",
]

# Only who asks for batches waits for torch.
_WITH_TORCH = {
    name: ".batching"
    for name in ("Batch", "batches", "collate", "collate_pairs", "encode_sources")
}
_WITH_TORCH |= {
    name: ".scene_batching"
    for name in ("SceneBatch", "collate_scenes", "scene_batches")
}


def __getattr__(name: str) -> object:
    if name in _WITH_TORCH:
        return getattr(import_module(_WITH_TORCH[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
